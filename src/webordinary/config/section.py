"""What every table of the file is made of."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

# Above a million a number is a slip of the finger, and a budget of "inf" would be no limit at all.
Whole = Annotated[int, Meta(ge=0, le=1_000_000)]
AtLeastOne = Annotated[int, Meta(ge=1, le=1_000_000)]


class Section(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One table of the file."""
