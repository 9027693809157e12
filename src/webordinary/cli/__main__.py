"""Lets `python -m webordinary.cli` do what the program `webordinary` does."""

from __future__ import annotations

from webordinary.cli.program import main

main()
