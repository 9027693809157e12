"""The queues: wake-ups, outcomes and dead letters."""

from __future__ import annotations
