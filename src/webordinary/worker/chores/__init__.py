"""What a worker does besides its jobs: it sends letters, reminds, starts what is due and expires what is overdue."""

from __future__ import annotations
