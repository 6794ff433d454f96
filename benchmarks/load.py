"""Many people at once on the Agreement page, each with a file of 100,000 decisions, speaking to the server as browsers do.

Every visitor opens the dashboard, drops in one of three files, confirms it, goes to Agreement and then changes the abstention
mode, the level or the coefficient, with five seconds of thought between. The clock runs from the click to the last word of the
answer, figures included; each answer must show the κ that the package computes for that file and those choices.

A class (`--students 30`): students who follow one teacher's link, from the teacher's Next to each student's step.

Run: python benchmarks/load.py [--minutes 20] [--users 100] [--settings production] [--processes 2]; `make load` runs the
production settings and then Streamlit's own beside them.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import itertools
import os
import random
import signal
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from classroom import Student, Teacher  # noqa: E402
from visitor import Broken, Run, Visitor, answers  # noqa: E402

import metrics  # noqa: E402
from metrics.data.abstention import MODE_NAMES, MODES  # noqa: E402
from metrics.data.aggregation import AVERAGED_OVER, LEVELS  # noqa: E402
from metrics.measures.catalogue import BY_KEY  # noqa: E402
from metrics.results.words import number  # noqa: E402

KAPPA, FIGURES = "Cohen’s κ", 3
COEFFICIENTS = ("kappa", "phi", "accuracy", "balanced_accuracy", "gwet_ac1")
LABELS = np.array(["MET", "UNMET", "CANNOT_ASSESS"])
Expected = dict[tuple[str, str], str]


def file_of(seed: int, n_items: int = 20_000, n_criteria: int = 5) -> bytes:
    """Made-up verdicts as CSV."""
    rng = np.random.default_rng(seed)
    human = rng.choice(3, size=(n_items, n_criteria), p=[0.6, 0.33, 0.07])
    judge = np.where(rng.random(human.shape) < 0.8 + 0.04 * seed, human, rng.choice(3, size=human.shape, p=[0.5, 0.4, 0.1]))
    columns = {
        "item_id": np.repeat([f"answer-{i:06d}" for i in range(n_items)], n_criteria),
        "criterion": np.tile([f"criterion {c}" for c in range(n_criteria)], n_items),
        "judge": "judge-1",
        "human": LABELS[human.ravel()],
        "verdict": LABELS[judge.ravel()],
    }
    buffer = io.BytesIO()
    pd.DataFrame(columns).to_csv(buffer, index=False)
    return buffer.getvalue()


def expected_of(data: bytes) -> Expected:
    """κ as the page must show it, for every mode and level."""
    ratings = metrics.read(data)
    reports = {mode: next(iter(metrics.agreement(ratings, abstention=mode).judges.values())) for mode in MODES}
    return {(mode, level): number(reports[mode].level(level).values["kappa"]) for mode in MODES for level in LEVELS}


@dataclass
class Heard:
    """What all visitors together saw."""

    toggles: list[tuple[float, float]] = field(default_factory=list)
    opened: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    size: list[int] = field(default_factory=list)

    def later_than(self, start: float) -> list[float]:
        return [seconds for when, seconds in self.toggles if when >= start]


@dataclass
class Person:
    """One visitor with a file."""

    address: str
    name: str
    data: bytes
    expected: Expected
    heard: Heard
    think: float
    rng: random.Random
    mode: str = "exclude"
    level: str = "micro"

    async def stay(self, until: float, after: float) -> None:
        await asyncio.sleep(after)
        while time.monotonic() < until:
            visitor = Visitor(self.address)
            try:
                await self._open(visitor)
                while time.monotonic() < until:
                    await asyncio.sleep(self.rng.uniform(0.5, 1.5) * self.think)
                    asked = time.monotonic()
                    run = await self._toggle(visitor)
                    self.heard.toggles.append((asked, run.seconds))
                    self.heard.size.append(run.size)
            except Exception as error:
                self.heard.errors[f"{type(error).__name__}: {error}"[:160]] += 1
                await asyncio.sleep(self.think)
            finally:
                await visitor.leave()

    async def _open(self, visitor: Visitor) -> None:
        self.mode, self.level = "exclude", "micro"
        start = time.monotonic()
        await visitor.come()
        await visitor.go("data")
        await visitor.drop("data.upload", self.name, self.data)
        await visitor.click("data.use")
        del visitor.states["data.upload"]
        self._check(visitor, await visitor.go(""))
        self.heard.opened.append(time.monotonic() - start)

    async def _toggle(self, visitor: Visitor) -> Run:
        what = self.rng.choices(("mode", "level", "coefficient"), (6, 3, 1))[0]
        if what == "mode":
            self.mode = self.rng.choice([mode for mode in MODES if mode != self.mode])
            run = await visitor.choose("mode", MODE_NAMES[self.mode])
        elif what == "level":
            self.level = self.rng.choice([level for level in LEVELS if level != self.level])
            run = await visitor.choose("level", AVERAGED_OVER[self.level], several=True)
        else:
            run = await visitor.choose("agreement.metric", BY_KEY[self.rng.choice(COEFFICIENTS)].name)
        self._check(visitor, run)
        return run

    def _check(self, visitor: Visitor, run: Run) -> None:
        wanted = self.expected[self.mode, self.level]
        shown = visitor.numbers.get(KAPPA, "none")
        if shown != wanted:
            raise Broken(f"κ {shown} in place of {wanted} ({self.mode}, {self.level})")
        if run.figures < FIGURES:
            raise Broken(f"{run.figures} figures in place of {FIGURES}")


@contextmanager
def served(settings: str, processes: int, port: int) -> Iterator[tuple[list[str], list[int]]]:
    """Servers on this machine: their addresses and process ids."""
    production = settings == "production"
    ports = [port + place for place in range(processes if production else 1)]
    plain = ["-m", "streamlit", "run", "app.py", "--server.headless", "true", "--runner.postScriptGC", "true", "--server.port"]
    with ExitStack() as stack:
        started = []
        for each in ports:
            command = ["deploy/production.py"] if production else [*plain, str(each)]
            environment = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
            environment |= {"PORT": str(each), "PROCESSES": "1"}
            process = subprocess.Popen([sys.executable, *command], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.send_signal, signal.SIGTERM)
            started.append(process)
        addresses = [f"http://127.0.0.1:{each}" for each in ports]
        while not all(answers(address) for address in addresses):
            if any(process.poll() is not None for process in started):
                sys.exit("a server did not start")
            time.sleep(0.2)
        yield addresses, [process.pid for process in started]


def memory(processes: Sequence[int]) -> float:
    """MB that the servers hold together (Linux)."""
    lines = (line for pid in processes for line in Path(f"/proc/{pid}/status").read_text("utf-8").splitlines())
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def busy(processes: Sequence[int]) -> float:
    """Seconds of processor time that the servers have used (Linux)."""
    fields = (Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split() for pid in processes)
    return sum(int(own[11]) + int(own[12]) for own in fields) / os.sysconf("SC_CLK_TCK")


async def watched(processes: Sequence[int], heard: Heard, start: float, until: float, every: float) -> list[tuple[float, float]]:
    """Memory over time, and a line now and then."""
    seen: list[tuple[float, float]] = []
    since, used = time.monotonic(), busy(processes)
    while time.monotonic() < until:
        await asyncio.sleep(min(every, max(0.0, until - time.monotonic())))
        now, spent = time.monotonic(), busy(processes)
        seen.append((now - start, memory(processes)))
        recent = [1e3 * seconds for seconds in heard.later_than(since)]
        took = f"median {statistics.median(recent):5.0f}, 95 % {np.quantile(recent, 0.95):5.0f} ms" if recent else "no answer yet"
        print(
            f"{(now - start) / 60:5.1f} min: {len(heard.opened):3d} opened, {len(recent):4d} answers, {took}; "
            f"{seen[-1][1]:5.0f} MB, {(spent - used) / (now - since):.2f} cores, {heard.errors.total()} errors",
            flush=True,
        )
        since, used = now, spent
    return seen


async def visited(options: argparse.Namespace, settings: str, minutes: float) -> None:
    files = [file_of(seed) for seed in range(3)]
    known = [expected_of(data) for data in files]
    heard, rng = Heard(), random.Random(options.seed)
    with served(settings, options.processes, options.port) as (addresses, processes):
        floor, start = memory(processes), time.monotonic()
        until = start + options.ramp + 60 * minutes
        people = [
            Person(addresses[place % len(addresses)], f"labels-{file}.csv", files[file], known[file], heard, options.think,
                   random.Random(rng.random()))
            for place, file in zip(range(options.users), itertools.cycle(range(3)), strict=False)
        ]  # fmt: skip
        size = len(files[0]) / 1e6
        print(f"{settings}: {options.users} visitors, {len(addresses)} processes, {size:.1f} MB a file, floor {floor:.0f} MB")
        stays = [person.stay(until, options.ramp * place / len(people)) for place, person in enumerate(people)]
        seen, *_ = await asyncio.gather(watched(processes, heard, start, until, options.every), *stays)
    tell(settings, heard, seen, start + options.ramp, options)


def tell(settings: str, heard: Heard, seen: list[tuple[float, float]], settled: float, options: argparse.Namespace) -> None:
    took = [1e3 * seconds for seconds in heard.later_than(settled)]
    opened = statistics.median(heard.opened) if heard.opened else float("nan")
    if not took:
        print(f"{settings}: no answer after all had come; errors: {dict(heard.errors)}")
        return
    print(
        f"{settings}: {len(took)} answers after all had come: median {statistics.median(took):.0f} ms, 95 % "
        f"{np.quantile(took, 0.95):.0f}, 99 % {np.quantile(took, 0.99):.0f}, longest {max(took):.0f} ms; "
        f"{statistics.median(heard.size) / 1e3:.0f} kB an answer; a file opened in {opened:.1f} s; {heard.errors.total()} errors"
    )
    steady = [mb for when, mb in seen if when >= options.ramp]
    part = max(1, len(steady) // 5)
    first, last = statistics.mean(steady[part : 2 * part] or steady), statistics.mean(steady[-part:])
    print(f"{settings}: memory {first:.0f} MB in the second fifth, {last:.0f} MB in the last, most {max(steady):.0f} MB")
    for error, times in heard.errors.most_common(5):
        print(f"  {times} x {error}")


async def taught(options: argparse.Namespace) -> None:
    """A class on one process: how long students wait for a step of their teacher, and what the server holds."""
    with served("production", 1, options.port) as ((address,), processes):
        teacher = Teacher(address)
        code = await teacher.open_class()
        floor, until = memory(processes), time.monotonic() + options.ramp + options.turns * options.pause + options.pause
        students = [Student(address) for _ in range(options.students)]
        stays = [asyncio.create_task(_later(student, code, until, options, i)) for i, student in enumerate(students)]
        await asyncio.sleep(options.ramp)
        turns, used = [], busy(processes)
        for _ in range(options.turns):
            await asyncio.sleep(options.pause)
            turns.append(await teacher.on())
        spent, started = busy(processes) - used, turns[0][0] - options.pause
        await asyncio.gather(*stays)
        held = memory(processes)
    waits = np.array([[student.waited(*turn) for student in students] for turn in turns])
    came = waits[~np.isnan(waits)]
    print(
        f"class of {options.students}: {came.size} of {waits.size} steps came; median {np.median(came):.2f} s, 95 % "
        f"{np.quantile(came, 0.95):.2f} s, longest {came.max():.2f} s; the last student after {np.median(waits.max(1)):.2f} s "
        f"(median of {len(turns)} steps); memory {floor:.0f} MB with the teacher alone, {held:.0f} MB with the class; "
        f"{spent / (turns[-1][0] - started):.2f} cores"
    )


async def _later(student: Student, code: str, until: float, options: argparse.Namespace, place: int) -> None:
    await asyncio.sleep(options.ramp * place / options.students)
    await student.follow(code, until)
    await student.leave()


def main() -> None:
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("--users", type=int, default=100)
    asked.add_argument("--think", type=float, default=5.0, help="seconds between an answer and the next click, on average")
    asked.add_argument("--minutes", type=float, default=20.0, help="after all have come")
    asked.add_argument("--ramp", type=float, default=60.0, help="seconds within which all come")
    asked.add_argument("--every", type=float, default=30.0, help="seconds between lines")
    asked.add_argument("--processes", type=int, default=2, help="servers of the production settings")
    asked.add_argument("--settings", nargs="*", choices=("production", "default"), default=["production", "default"])
    asked.add_argument("--beside", type=float, default=3.0, help="minutes for Streamlit's own settings")
    asked.add_argument("--port", type=int, default=8751)
    asked.add_argument("--seed", type=int, default=7)
    asked.add_argument("--students", type=int, default=0, help="a class of so many in place of visitors with files")
    asked.add_argument("--turns", type=int, default=8, help="how often the teacher of a class goes on")
    asked.add_argument("--pause", type=float, default=8.0, help="seconds between two steps of the teacher")
    options = asked.parse_args()
    if options.students:
        asyncio.run(taught(options))
        return
    for settings in options.settings:
        minutes = options.minutes if settings == "production" else min(options.beside, options.minutes)
        asyncio.run(visited(options, settings, minutes))


if __name__ == "__main__":
    main()
