"""What somebody may do on the dashboard and through the API."""

from __future__ import annotations

from enum import StrEnum


class Role(StrEnum):
    """What somebody may do; each role may do all that the ones before it may."""

    CLIENT = "client"
    READER = "reader"
    OPERATOR = "operator"
    AGENCY = "agency"

    def includes(self, other: Role) -> bool:
        return _ORDER.index(self) >= _ORDER.index(other)


_ORDER = tuple(Role)
