"""`webordinary doctor`: one module for each thing that it checks."""

from __future__ import annotations
