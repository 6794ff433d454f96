# Works with GNU make 3.81 and any POSIX shell. `make` alone lists the targets.
.SUFFIXES:
MAKEFLAGS += --no-print-directory
PY := .venv/bin/python

.PHONY: help setup app serve dev engines test quick fuzz golden check format bench load docs wheel clean

help:
	@echo "make app     install once, then serve the dashboard on http://127.0.0.1:8501"
	@echo "make serve   the same for many: PORT=8501 ADDRESS=127.0.0.1 PROCESSES=1, see deploy/README.md"
	@echo "make setup   install into .venv only"
	@echo "make test    every test, with a headless Chromium, Spark and Dask"
	@echo "make quick   tests between two edits, about two minutes: no browser, pages, engines, documents, simulations"
	@echo "make fuzz    readers and addresses against made-up input, MINUTES=30 of one core"
	@echo "make golden  write the frozen numbers and texts anew, for git diff to show"
	@echo "make check   ruff and mypy --strict"
	@echo "make format  put the code into the checked layout"
	@echo "make bench   speed, as ratios to named peers"
	@echo "make load    100 visitors at once, half an hour; ARGS='--students 30' for a class that follows its teacher, two minutes"
	@echo "make docs    build the documentation, which the dashboard then serves under Learn"
	@echo "make wheel   build the package, and try it in empty environments without this checkout"
	@echo "make clean   remove .venv, .venv-engines, .venv-docs and caches"

setup:
	@sh deploy/setup.sh requirements.txt

app: setup
	@exec $(PY) deploy/serve.py $(ARGS)

serve: setup
	@exec $(PY) deploy/production.py

dev:
	@sh deploy/setup.sh requirements-dev.txt

# Spark and Dask are large, and nobody needs them to look at a file: an environment of their own, for tests and benchmarks.
engines:
	@sh deploy/setup.sh requirements-engines.txt .venv-engines

# A package behind one of the oracles fetches a price list when it is imported, unless told not to.
test quick: export LITELLM_LOCAL_MODEL_COST_MAP = True
# The workers share the cores already; threads of matrix products on top wait for each other.
test quick: export OPENBLAS_NUM_THREADS = 1
# Wherever that is forbidden, every process of the tests would compile all modules anew.
test quick: export PYTHONDONTWRITEBYTECODE =
test:
	@$(MAKE) -j2 dev engines
	@CHROMIUM=$$(sh deploy/browser.sh) && JAVA_HOME=$$(sh deploy/java.sh) || exit 1; export CHROMIUM JAVA_HOME; \
	exec $(PY) -m pytest -q -n auto --maxprocesses 4 --dist loadfile --durations 50 $(ARGS)

# What it leaves out is said in tests/conftest.py: `QUICK_WITHOUT`, and at the tests marked `slow`.
quick: dev
	@exec $(PY) -m pytest -q -rs -n auto --maxprocesses 4 --dist loadfile --quick $(ARGS)

# The fuzzer is built for few versions of Python, so it has an environment of its own; what it tests comes from the other.
fuzz: dev
	@[ -x .venv-fuzz/bin/python ] || $(PY) -m venv .venv-fuzz
	@.venv-fuzz/bin/python -m pip install -q --disable-pip-version-check -r requirements-fuzz.txt
	@PYTHONPATH=$$($(PY) -c 'import sysconfig; print(sysconfig.get_path("purelib"))') nice -n 19 \
		.venv-fuzz/bin/python tests/fuzz/fuzz.py $(or $(MINUTES),30) build/fuzz

golden: export LITELLM_LOCAL_MODEL_COST_MAP = True
golden: dev
	@$(PY) tests/golden/freezing.py
	@$(PY) tests/overview/test_wording.py

check: dev
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy --strict metrics

format: dev
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .

bench: dev engines
	@JAVA_HOME=$$(sh deploy/java.sh) || exit 1; export JAVA_HOME; \
	for file in benchmarks/bench_*.py; do PYTHONPATH=. $(PY) "$$file" || exit 1; done

load: setup
	@exec $(PY) benchmarks/load.py $(ARGS)

# The pages are written by the package itself; the tool that makes a site of them has an environment of its own.
docs: dev
	@sh deploy/setup.sh requirements-docs.txt .venv-docs
	@$(PY) docs/generate.py
	@NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build -q --strict -f build/docs/mkdocs.yml
	@$(PY) docs/generate.py tidy

wheel: docs
	@exec $(PY) deploy/try_wheel.py

clean:
	@rm -rf .venv .venv-engines .venv-docs docs/site build dist ./*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
