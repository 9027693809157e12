"""The camera with a real browser: what it sees, and what pages and browsers that misbehave can do to it."""

from __future__ import annotations

import io
import json
import os
import resource
import select
import signal
import socket
import sys
import threading
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from tests.pictures import opened
from tests.programs import need
from webordinary.child import run
from webordinary.child.companion import Companion
from webordinary.child.family import find_family, kill
from webordinary.child.table import living
from webordinary.site.screenshots.camera import Camera, PicturesTaken
from webordinary.site.screenshots.shot import PictureLimits, Screen, Side, View
from webordinary.testing.story import wait_for
from webordinary.workspace.sandbox import choose_sandbox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webordinary.child import Child

# Patient with a busy machine; whoever waits that long waits for ever.
DEADLINE = timedelta(seconds=100)
GREEN, WHITE = (0, 128, 0), (255, 255, 255)

# It stays green only if nothing of all that it tries brings anything: each success paints it red.
HOSTILE = Path(__file__).parent / "hostile.html"
# It sleeps so long that nobody else does, not even another one of these tests.
MARK = f"4711.{os.getpid()}"
# A worker that takes a picture, and has no time to clean up.
WORKER = """
import sys
from datetime import timedelta
from pathlib import Path
from webordinary.site.screenshots.camera import Camera
from webordinary.site.screenshots.shot import PictureLimits, Side, View
from webordinary.workspace.sandbox import choose_sandbox
program, folder, mode = sys.argv[1:]
limits = PictureLimits(deadline=timedelta(minutes=10))
camera = Camera(Path(program), lambda: choose_sandbox(mode), Path(folder), limits)
camera.take({Side.AFTER: Path(folder) / "after"}, [View("index.html", (Side.AFTER,))], lambda child: None)
"""
LEAVING = "<body style='background:red'><script>location.href = 'http://127.0.0.1:PORT/'</script>"


@pytest.fixture
def browser() -> Path:
    return Path(need("chromium"))


class Builds:
    """Two builds of a site, and beside them what nobody may see."""

    def __init__(self, folder: Path) -> None:
        self.secret = folder / "secret.txt"
        self.secret.write_text("secret", encoding="utf-8")
        self.folders = {side: folder / side.value for side in Side}
        for build in self.folders.values():
            build.mkdir()

    def has(self, side: Side, name: str, content: str) -> None:
        (self.folders[side] / name).write_text(content, encoding="utf-8")

    def has_both(self, name: str, before: str, after: str) -> None:
        self.has(Side.BEFORE, name, before)
        self.has(Side.AFTER, name, after)


@pytest.fixture
def builds(tmp_path: Path) -> Builds:
    return Builds(tmp_path)


def take(
    browser: Path,
    builds: Builds,
    *views: View,
    mode: str = "auto",
    deadline: timedelta = DEADLINE,
    watch: Callable[[Child], None] = lambda _: None,
) -> PicturesTaken:
    scratch = builds.secret.parent / "scratch"
    scratch.mkdir(exist_ok=True)
    camera = Camera(browser, lambda: choose_sandbox(mode), scratch, PictureLimits(deadline=deadline))
    taken = camera.take(builds.folders, views, watch)
    assert list(scratch.iterdir()) == []
    return taken


def colours(content: bytes) -> set[object]:
    return {colour for _, colour in opened(content).convert("RGB").getcolors(2**24) or []}


class Listener:
    """Counts who knocks at one port of this machine, by TCP or by UDP."""

    def __init__(self) -> None:
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        while True:
            self._tcp = socket.create_server(("127.0.0.1", 0))
            self.port = self._tcp.getsockname()[1]
            try:
                self._udp.bind(("127.0.0.1", self.port))
            except OSError:
                # Its other half is somebody else's.
                self._tcp.close()
            else:
                return

    def visits(self) -> int:
        return len(select.select([self._tcp, self._udp], [], [], 0)[0])

    def close(self) -> None:
        self._tcp.close()
        self._udp.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    found = Listener()
    yield found
    found.close()


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["auto", "none"])
def test_a_hostile_page_reaches_no_port_and_reads_no_file_outside_of_its_build(
    browser: Path, builds: Builds, listener: Listener, mode: str
) -> None:
    page = HOSTILE.read_text(encoding="utf-8").replace("SECRET", str(builds.secret))
    for name, content in (("index.html", page), ("leaving.html", LEAVING)):
        builds.has(Side.AFTER, name, content.replace("PORT", str(listener.port)))
    builds.has(Side.BEFORE, "only-before.txt", "secret")
    (builds.folders[Side.AFTER] / "link.txt").symlink_to(builds.secret)
    (builds.folders[Side.AFTER] / "folder").symlink_to(builds.secret.parent)
    views = (View("index.html", (Side.AFTER,)), View("leaving.html", (Side.AFTER,)))
    taken = take(browser, builds, *views, mode=mode)

    assert taken.problem.startswith("leaving.html: ")
    assert [colours(shot.content) for shot in taken.shots] == [{GREEN}, {GREEN}]
    assert listener.visits() == 0


@pytest.mark.thorough
def test_a_page_that_never_comes_to_rest_costs_only_its_own_pictures(browser: Path, builds: Builds) -> None:
    builds.has_both("index.html", "<p>one<script>while (true);</script>", "<p>two<script>while (true);</script>")
    builds.has_both("late.html", "<p>one<script>onload = () => { while (true); }</script>", "<p>two")
    builds.has_both(
        "menu.html", "<!doctype html><h1>Menu</h1><p>Bread 3.00", "<!doctype html><h1>Menu</h1><p>Bread 4.00"
    )
    taken = take(
        browser, builds, View("index.html"), View("late.html"), View("menu.html"), deadline=timedelta(seconds=80)
    )

    assert "index.html" in taken.problem
    assert [(shot.path, shot.screen, shot.side) for shot in taken.shots] == [
        ("menu.html", screen, side) for screen in Screen for side in Side
    ]


@pytest.fixture
def hanging(tmp_path: Path) -> Iterator[Path]:
    """Return a browser that never says anything, and has a child of its own."""
    program = tmp_path / "hanging" / "chromium"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nsleep {MARK} &\nsleep {MARK}\n", encoding="ascii")
    program.chmod(0o755)
    yield program
    # What one test has left must not be taken for the work of the next.
    kill(entry for entry in living() if is_mark(command_of(entry.pid)))


def hangs() -> bool:
    return any(is_mark(command_of(entry.pid)) for entry in living())


def is_mark(command: str) -> bool:
    return MARK in command.split("\0")


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["auto", "none"])
def test_a_browser_that_hangs_is_ended_with_all_that_it_started(hanging: Path, builds: Builds, mode: str) -> None:
    builds.has(Side.AFTER, "index.html", "<p>Hello")
    view = View("index.html", (Side.AFTER,))
    taken = take(hanging, builds, view, mode=mode, deadline=timedelta(seconds=3))

    assert taken == PicturesTaken(problem="they were not finished in 3 seconds")
    assert not hangs()


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["auto", "none"])
def test_a_browser_does_not_outlive_a_worker_that_is_killed(hanging: Path, builds: Builds, mode: str) -> None:
    builds.has(Side.AFTER, "index.html", "<p>Hello")
    folder = str(builds.secret.parent)
    # Without a sandbox of its own kind, the browser's profile stays behind a worker that could not remove it.
    surroundings = {**os.environ, "TMPDIR": folder}
    worker = Companion([sys.executable, "-c", WORKER, str(hanging), folder, mode], surroundings)
    wait_for(lambda: hangs() or None, "a browser", str)
    worker.signal(signal.SIGKILL)
    worker.bury()

    wait_for(lambda: not hangs() or None, "the end of the browser", str)


@pytest.mark.thorough
def test_no_browser_is_started_for_a_worker_that_is_already_gone(hanging: Path, builds: Builds) -> None:
    folder = builds.secret.parent
    shown = {"after": str(builds.folders[Side.AFTER])}
    views = [{"path": "index.html", "sides": ["after"]}]
    asked = {"browser": str(hanging), "has_walls": True, "builds": shown, "views": views, "bytes_each": 1000}
    (folder / "asked").write_text(json.dumps({**asked, "patience": 600, "deadline": 600}), encoding="utf-8")
    # Its words go into a pipe whose reader has come and gone.
    nobody = "mkfifo nobody; (: < nobody) & exec 8> nobody; wait"
    program = f"exec {sys.executable} -m webordinary.site.screenshots < asked >&8"
    finished = run(["sh", "-c", f"{nobody}; {program}"], cwd=folder, env=dict(os.environ), deadline=DEADLINE)
    assert (finished.timed_out, finished.code) == (False, 1)


def test_a_browser_that_is_killed_costs_only_pictures(browser: Path, builds: Builds) -> None:
    builds.has(Side.AFTER, "index.html", "<p>Hello")
    view = View("index.html", (Side.AFTER,))
    taken = take(
        browser, builds, view, watch=lambda child: threading.Thread(target=shoot_browser, args=(child,)).start()
    )

    assert taken.shots == ()
    assert taken.problem


def shoot_browser(child: Child) -> None:
    """Kill the browser the moment that it is there."""
    pause = threading.Event()
    while family := find_family(child.identity):
        found = [entry for entry in family if "chrom" in entry.name]
        if found:
            kill(found)
            return
        pause.wait(0.02)


def command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


@pytest.mark.thorough
def test_only_what_changed_is_framed_and_a_page_that_looks_the_same_is_left_out(browser: Path, builds: Builds) -> None:
    row = "<p style='margin:0;height:60px'>A line</p>"
    page = f"<!doctype html><body style='margin:0;background:white;color:black'>{row * 40}TEXT{row * 40}"
    builds.has_both("index.html", page.replace("TEXT", ""), page.replace("TEXT", row.replace("A line", "A new one")))
    builds.has_both("same.html", "<!doctype html><p>Same<!-- one -->", "<!doctype html><p>Same<!-- two -->")
    taken = take(browser, builds, View("same.html"), View("index.html"))

    assert taken.problem == ""
    assert [(shot.path, shot.side) for shot in taken.shots] == [("index.html", side) for _ in Screen for side in Side]
    before, after, *_ = [opened(shot.content).convert("RGB") for shot in taken.shots]
    assert is_framed(after)
    assert not is_framed(before)
    # Cut to the place of the change, far down, with a little around it.
    assert before.size[1] < 500
    assert after.size[1] < 500


@pytest.mark.thorough
def test_a_picture_that_unfolds_to_gigabytes_costs_pictures_and_no_memory_of_ours(
    browser: Path, builds: Builds
) -> None:
    bomb = io.BytesIO()
    with Image.new("1", (60_000, 60_000)) as white:
        white.save(bomb, "PNG", optimize=True)
    (builds.folders[Side.AFTER] / "bomb.png").write_bytes(bomb.getvalue())
    assert len(bomb.getvalue()) < 2_000_000
    builds.has(Side.AFTER, "index.html", "<body style='background:green'><img src=bomb.png width=50>" * 3)
    builds.has(Side.AFTER, "plain.html", "<body style='background:green'>")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    taken = take(browser, builds, View("plain.html", (Side.AFTER,)), View("index.html", (Side.AFTER,)))

    assert [shot.path for shot in taken.shots][:1] == ["plain.html"]
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < 200


def is_framed(picture: object) -> bool:
    colours = picture.getcolors(2**24) or []  # type: ignore[attr-defined]  # a picture
    return any(red > 180 and green < 80 and blue < 120 for _, (red, green, blue) in colours)
