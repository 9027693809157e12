"""Built pages as browsers read them: what a visitor sees, and what a page does and tells to programs."""

from __future__ import annotations
