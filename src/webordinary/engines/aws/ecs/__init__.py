"""The containers in which workers run."""

from __future__ import annotations
