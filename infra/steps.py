"""How many workers so many lanes get, in steps that AWS can take."""

from __future__ import annotations

import math
from dataclasses import dataclass

# AWS takes no more of them.
MOST_STEPS = 20


@dataclass(frozen=True, slots=True)
class Step:
    """From this many lanes beyond the first, below that many: so many workers."""

    lower: int | None
    upper: int | None
    workers: int


def steps(most: int) -> list[Step]:
    """Return one step for each number of workers, or wider ones when there are too many; no lane is left without."""
    wide = math.ceil(most / MOST_STEPS)
    tops = [*range(wide, most, wide), most]
    lowers = [0, *tops[:-1]]
    return [Step(lower, top if top < most else None, top) for lower, top in zip(lowers, tops, strict=True)]
