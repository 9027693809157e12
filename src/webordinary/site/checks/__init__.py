"""The checks between build and publish: what may go live, what waits for an ok, and what may not."""

from __future__ import annotations
