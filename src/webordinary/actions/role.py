"""What somebody may do; it stands with the configuration, which gives it."""

from __future__ import annotations

from webordinary.config.roles import Role

__all__ = ["Role"]
