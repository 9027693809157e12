"""Visitors during fifty publishes by two processes: every answer is whole and from one release."""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.embedded.publisher import LENGTH, number_of, publish_next
from webordinary.site.web.server import SiteServer, folder_for_host

if TYPE_CHECKING:
    from collections.abc import Iterator

EACH = 25
KILLS = 4
# More than anybody waits for: it is killed sooner or later.
ALWAYS = 100_000
ROOT = Path(__file__).parents[2]


class Visitor:
    """A browser that keeps its connection and always asks again."""

    def __init__(self, server: SiteServer) -> None:
        self._connection = http.client.HTTPConnection(*server.address, timeout=60)

    def get(self, path: str) -> str:
        self._connection.request("GET", path, headers={"Host": "amelia.localhost"})
        answer = self._connection.getresponse()
        body = answer.read().decode()
        assert answer.status == 200, (path, answer.status)
        return body

    def sees(self) -> str:
        """Load the page with its styles, and return the release that the page is of."""
        words = self.get("/").split()
        assert len(words) == LENGTH
        (commit,) = set(words)
        # The style of this very page, although another release may be live by now.
        assert self.get(f"/style.{commit}.css") == f"/* {commit} */"
        assert len(set(self.get("/style.css").split("/* ")[1:])) == 1
        assert self.get("/same.txt") == "the same in every release"
        return commit

    def close(self) -> None:
        self._connection.close()


@contextmanager
def publishers(
    folder: Path, names: tuple[str, ...] = ("a", "b"), times: int = EACH
) -> Iterator[list[subprocess.Popen[bytes]]]:
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    argv = [sys.executable, "-m", "tests.embedded.publisher", str(folder)]
    env = {**os.environ, "PYTHONPATH": path}
    started = [subprocess.Popen([*argv, name, str(times)], env=env) for name in names]
    try:
        yield started
    finally:
        for process in started:
            process.kill()
            process.wait()


def test_every_visitor_sees_whole_releases_while_two_processes_publish_fifty(tmp_path: Path) -> None:
    publish_next(tmp_path, "first")
    targets = {"amelia": tmp_path / "site"}
    server = SiteServer(("127.0.0.1", 0), lambda host: folder_for_host(host, tmp_path / "previews", targets))
    server.start()
    visitor = Visitor(server)
    seen = []
    try:
        with publishers(tmp_path) as started:
            while any(process.poll() is None for process in started):
                seen.append(visitor.sees())
            assert [process.returncode for process in started] == [0, 0]
        seen.append(visitor.sees())
    finally:
        visitor.close()
        server.close()
    numbers = [number_of(commit) for commit in seen]
    assert numbers == sorted(numbers)
    assert numbers[-1] == 2 * EACH + 1
    assert len(set(numbers)) > 1


def test_a_publisher_killed_while_it_writes_leaves_what_is_live_whole_and_the_next_one_clears_up(
    tmp_path: Path,
) -> None:
    publish_next(tmp_path, "first")
    releases = tmp_path / "site" / "releases"
    for number in range(KILLS):
        with publishers(tmp_path, names=(f"k{number}x",), times=ALWAYS) as (process,):
            while not any(releases.glob(".unfinished-*/*")):
                assert process.poll() is None
            process.kill()
        live = tmp_path / "site" / "live"
        commit = live.readlink().name
        assert set((live / "index.html").read_text().split()) == {commit}
        assert (live / f"style.{commit}.css").read_text() == f"/* {commit} */"
        assert publish_next(tmp_path, f"next{number}")
        assert list(releases.glob(".unfinished-*")) == []
        assert (live / "same.txt").read_text() == "the same in every release"
