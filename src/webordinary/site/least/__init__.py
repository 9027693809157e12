"""Least change: what the request does not need is found hunk by hunk, and taken out without touching the rest."""

from __future__ import annotations
