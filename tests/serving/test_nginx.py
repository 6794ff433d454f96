"""The documented nginx configuration in front of two servers: who came to one stays there, and goes to the other when it dies."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.processes import running

ROOT = Path(__file__).resolve().parents[2]
CONFIGURATION = ROOT / "deploy" / "nginx.conf"
FILE = b"item,criterion,judge,human,verdict\n" + b"".join(
    f"i{i},c,j,{'MET' if i % 3 else 'UNMET'},{'MET' if i % 4 else 'UNMET'}\n".encode() for i in range(120)
)
STARTING = 90
QUIET: dict[str, Any] = {"cwd": ROOT, "stdout": subprocess.DEVNULL}


def nginx() -> str:
    found = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    if found is None:
        pytest.skip("no nginx on this machine: sh deploy/nginx.sh installs one")
    return found


def free_ports(n: int) -> list[int]:
    with ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(n)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


def until_ready(*addresses: str) -> None:
    end = time.monotonic() + STARTING
    for address in addresses:
        while True:
            try:
                urllib.request.urlopen(f"{address}/healthz", timeout=3).close()
                break
            except (urllib.error.URLError, OSError):
                assert time.monotonic() < end, f"{address} does not answer"
                time.sleep(0.2)


@dataclass
class Site:
    address: str
    servers: dict[int, subprocess.Popen[bytes]]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """The configuration as it stands in deploy/, but for its ports, its log and where nginx keeps its own files."""
    program = nginx()
    front, *ports = free_ports(3)
    own = CONFIGURATION.read_text("utf-8").replace("listen 80;", f"listen 127.0.0.1:{front};")
    own = own.replace("# add_header Strict-Transport", "add_header Strict-Transport")
    own = own.replace("8501", str(ports[0])).replace("8502", str(ports[1])).replace("/var/log/nginx/", f"{tmp_path}/")
    kept = "".join(f"{kind}_temp_path {tmp_path}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    whole = tmp_path / "nginx.conf"
    whole.write_text(f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/error.log; events {{}} http {{ {kept}\n{own}}}")
    checked = subprocess.run([program, "-t", "-c", str(whole)], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
    serve = str(ROOT / "deploy" / "production.py")
    with ExitStack() as stack:
        servers = {
            port: stack.enter_context(running([sys.executable, serve], env=os.environ | {"PORT": str(port)}, **QUIET))
            for port in ports
        }
        stack.enter_context(running([program, "-c", str(whole)], **QUIET))
        until_ready(*(f"http://127.0.0.1:{port}" for port in (*ports, front)))
        yield Site(f"http://127.0.0.1:{front}", servers)


def sessions_at(port: int) -> int:
    """How many sessions a server has."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/metrics", timeout=5) as reply:
        found = re.search(r"^active_sessions(?:\{.*\})? (\d+)", reply.read().decode(), re.MULTILINE)
    assert found is not None
    return int(found[1])


async def opened(visitor: Any) -> Any:
    """From the first page to the numbers of a file, which is uploaded beside the websocket."""
    await visitor.come()
    await visitor.go("data")
    await visitor.drop("data.upload", "own.csv", FILE)
    await visitor.click("data.use")
    assert (await visitor.go("")).figures == 3
    return visitor


def test_sessions_stay_with_their_server_and_go_to_the_other_when_it_dies(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    from visitor import Visitor

    expect_links_and_headers(site.address)
    expect_large_file_refused(site.address)
    expect_sizes_untold(site.address)
    dead, alive = site.servers

    async def walk() -> None:
        visitors = [await opened(Visitor(site.address))]
        while not (sessions_at(dead) and sessions_at(alive)) or len(visitors) < 4:
            assert len(visitors) < 30, "all sessions go to one server"
            visitors.append(await opened(Visitor(site.address)))
        assert len({visitor.cookies["kappascope"] for visitor in visitors}) == len(visitors)
        site.servers[dead].kill()
        site.servers[dead].wait()
        again = [await opened(Visitor(site.address, cookies={"kappascope": own.cookies["kappascope"]})) for own in visitors]
        for visitor in (*again, *visitors):
            await visitor.leave()

    asyncio.run(walk())
    for i in range(6):
        urllib.request.urlopen(f"{site.address}/?judge=zqjudge{i}", timeout=5).close()
    logs = [path for path in tmp_path.rglob("*") if path.is_file() and path.name != "nginx.conf"]
    assert "kappascope.log" in {path.name for path in logs}
    assert not [path.name for path in logs if re.search(rb"zqjudge|upload_file", path.read_bytes())]


def expect_links_and_headers(address: str) -> None:
    with urllib.request.urlopen(f"{address}/raters?mode=as_category", timeout=5) as reply:
        page = reply.read().decode()
        assert "default-src 'none'" in reply.headers["Content-Security-Policy"]
        assert reply.headers["Strict-Transport-Security"] == "max-age=31536000"
        assert re.match(r"kappascope=\w{32}; .*HttpOnly", reply.headers["Set-Cookie"])
    assert '<div id="root">' in page


def expect_sizes_untold(address: str) -> None:
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{address}/_stcore/metrics", timeout=5)


def expect_large_file_refused(address: str) -> None:
    line = HTTPConnection(urlsplit(address).netloc, timeout=5)
    line.putrequest("PUT", "/_stcore/upload_file/one/two")
    line.putheader("Content-Length", str(102 << 20))
    line.endheaders()
    assert line.getresponse().status == 413
