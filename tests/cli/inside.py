"""The program inside of the test's own process: many commands, and none of them waits for modules to be loaded."""

from __future__ import annotations

import io
import os
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field

import pytest

from tests.cli.program import Program
from webordinary.cli.program import run


@dataclass(frozen=True)
class InsideProgram(Program):
    """Runs a command to its end here; what has to be started and ended still gets a process of its own."""

    environment: dict[str, str] = field(default_factory=dict)

    def run(self, *arguments: str, code: int = 0, stdin: bytes = b"") -> str:
        out, errors = _stream(), _stream()
        with (
            pytest.MonkeyPatch.context() as here,
            chdir(self.folder),
            redirect_stdout(out),
            redirect_stderr(errors),
        ):
            for name, value in self._environment().items():
                here.setenv(name, value)
            here.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            ended = run(list(arguments))
        said = _said(out) + _said(errors)
        assert "Traceback" not in said, said
        assert ended == code, said
        return said

    def _environment(self) -> dict[str, str]:
        return {**os.environ, "COLUMNS": "80", "TERM": "dumb", **self.environment}


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)


def _said(stream: io.TextIOWrapper) -> str:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()
