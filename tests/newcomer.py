"""Somebody who has nothing but the built package, and types what a page says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tests.cli.program import Started
from tests.tree import ROOT
from webordinary.child import kill_group
from webordinary.child.family import identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_LOCK = ROOT / "requirements" / "run.txt"
# What differs from run to run, and what may stand in its place.
_DIFFERS = (
    (r"…", r".*"),
    (r"(mail|job)\\-[0-9a-f]{12}", r"\1-[0-9a-f]{12}"),
    (r"(localhost|127\\\.0\\\.0\\\.1):\d+", r"\1:\\d+"),
    (r"\d+\\ GB", r"\\d+ GB"),
    # Which sandbox there is, and whether a browser takes pictures, is the machine's.
    (r"^ok(?:\\ )+sandbox.*", r"\\w+ +sandbox .*"),
    (r"^warn(?:\\ )+pictures.*", r"\\w+ +pictures .*"),
    (r"\d+\\\.\d+\\\.\d+", r"\\d+\\.\\d+\\.\\d+"),
    (r"\b[0-9a-f]{9}\b", r"[0-9a-f]{9}"),
    (r"(\\ )+", r"\\s+"),
)


@dataclass(frozen=True)
class Typed:
    """A command as it stands in a page, and what the page shows below it."""

    command: str
    shown: list[str] = field(default_factory=list)


def typed_in(blocks: Iterable[str]) -> list[Typed]:
    """Return what the blocks of a page say to type, in their order."""
    typed: list[Typed] = []
    for line in "".join(blocks).splitlines():
        if line.startswith("$ "):
            typed.append(Typed(line[2:]))
        elif line.strip():
            typed[-1].shown.append(line)
    return typed


def missing_of(shown: Iterable[str], said: str) -> list[str]:
    """Return what a page shows and the program did not say in this order, whatever else it said."""
    rest, missing = iter(said.splitlines()), []
    for line in shown:
        pattern = re.escape(line)
        for what, instead in _DIFFERS:
            pattern = re.sub(what, instead, pattern)
        if not any(re.fullmatch(pattern, each.strip()) for each in rest):
            missing.append(line)
            rest = iter(said.splitlines())
    return missing


def build_wheel(folder: Path) -> Path:
    """Build the package as the page says, into another folder."""
    _run(["make", "--no-print-directory", "wheel", f"TO={folder}"], os.environ)
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path) -> Path:
    """Install it for one person and return where its programs are: by uv if there is one, else as pipx does."""
    pins = folder / "pins.txt"
    locked = [line.removesuffix(" \\") for line in _LOCK.read_text().splitlines() if "==" in line]
    pins.write_text("\n".join(locked))
    programs, uv = folder / "bin", shutil.which("uv", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if uv is not None:
        env = {**os.environ, "UV_TOOL_DIR": str(folder / "tools"), "UV_TOOL_BIN_DIR": str(programs)}
        command = [uv, "tool", "install", "--quiet", "--python", sys.executable, "--constraints", str(pins), str(wheel)]
        if subprocess.run(command, env=env, capture_output=True, check=False).returncode == 0:
            return programs
    # uv does not read the settings of pip: where those are needed, pip does the same.
    _run([sys.executable, "-m", "venv", str(folder / "venv")], os.environ)
    pip = [str(folder / "venv" / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    _run([*pip, "--constraint", str(pins), str(wheel)], os.environ)
    programs.mkdir()
    (programs / "webordinary").symlink_to(folder / "venv" / "bin" / "webordinary")
    return programs


def _run(command: list[str], env: Mapping[str, str]) -> None:
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@dataclass
class Newcomer:
    """A shell in a folder, with the program on its path and nothing of ours in its environment."""

    folder: Path
    programs: Path
    # What the machine would bring, such as a name server: no test asks one elsewhere.
    machine: Mapping[str, str] = field(default_factory=dict)

    def types(self, command: str) -> str:
        shell, env = ["sh", "-c", command], self._environment()
        done = subprocess.run(shell, cwd=self.folder, env=env, capture_output=True, text=True, check=False)
        said = done.stdout + done.stderr
        assert done.returncode == 0, f"$ {command}\n{said}"
        return said

    def enters(self, folder: str) -> None:
        self.folder /= folder

    @contextmanager
    def starts(self, command: str) -> Iterator[Started]:
        """Type a command that goes on until it is ended."""
        process = subprocess.Popen(
            ["sh", "-c", f"exec {command}"],
            cwd=self.folder,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        who = identity(process.pid)
        try:
            yield Started(process)
        finally:
            kill_group(who)
            process.wait()
            if process.stdout is not None:
                process.stdout.close()

    def _environment(self) -> dict[str, str]:
        home = {"HOME": str(self.programs.parent), "PATH": f"{self.programs}:{os.defpath}"}
        return {**self.machine, **home, "COLUMNS": "500", "TERM": "dumb", "LANG": "C.UTF-8"}
