"""The command line: one file for each command or small family of commands."""

from __future__ import annotations

from webordinary.cli.program import main

__all__ = ["main"]
