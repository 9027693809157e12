"""The receipt: what changed between two builds, and how an owner is told."""

from __future__ import annotations
