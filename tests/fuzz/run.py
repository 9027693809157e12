"""`make fuzz`: mails by the ten thousand for some minutes, each within two seconds and 300 MB; prints one table."""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tests.fuzz.examine import examine
from tests.fuzz.mutate import mutate
from tests.fuzz.seeds import HOSTILE, honest
from webordinary.mail.mime.bounded import CPU_SECONDS, MEMORY, SMALL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Lazy = Callable[[], bytes]

_KEPT = Path("build/fuzz")
_SIZES = (SMALL // 2, SMALL - 4_000, 3_000_000, 25_000_000)
_PAGE = 4096
# A mutation can be found again by its number; the next run looks at others.
_EACH_RUN = 10_000_000


@dataclass(slots=True)
class Found:
    """What one process has seen."""

    mails: int = 0
    slowest: float = 0.0
    slowest_name: str = ""
    megabytes: int = 0
    broken: list[str] = field(default_factory=list)


def look(share: int, shares: int, seconds: float, first: int) -> Found:
    """Examine a share of all mails in a process that may not grow by more than a mail may."""
    found = Found()
    list(honest())
    before = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * _PAGE
    resource.setrlimit(resource.RLIMIT_AS, (before + MEMORY, before + MEMORY))
    for number, (name, raw) in enumerate(_hostile()):
        if number % shares == share:
            _look_at(name, raw(), found)
    ends_at = time.monotonic() + seconds
    number, seeds = first + share, honest()
    while time.monotonic() < ends_at:
        _look_at(f"mutation {number}", mutate(seeds, number), found)
        number += shares
    found.megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return found


def _hostile() -> Iterator[tuple[str, Lazy]]:
    for size in _SIZES:
        for name, make in HOSTILE.items():
            yield f"{name} ({size} bytes)", partial(make, size)


def _look_at(name: str, raw: bytes, found: Found) -> None:
    began = time.process_time()
    try:
        examine(raw)
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is what this program looks for
        _keep(name, raw, f"{type(error).__name__}: {error}", found)
    took = time.process_time() - began
    found.mails += 1
    if took > found.slowest:
        found.slowest, found.slowest_name = took, name
    if took > CPU_SECONDS:
        _keep(name, raw, f"it took {took:.1f} s", found)


def _keep(name: str, raw: bytes, why: str, found: Found) -> None:
    _KEPT.mkdir(parents=True, exist_ok=True)
    file = _KEPT / f"{abs(hash(raw)):x}.eml"
    file.write_bytes(raw)
    found.broken.append(f"{name}: {why} ({file})")


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.fuzz.run", description=__doc__)
    options.add_argument("--minutes", type=float, default=3)
    options.add_argument("--first", type=int, default=int(time.time()) * 1000 % _EACH_RUN, help="number of a mutation")
    chosen = options.parse_args()
    shares = os.cpu_count() or 1
    with ProcessPoolExecutor(shares) as pool:
        looks = [pool.submit(look, share, shares, chosen.minutes * 60, chosen.first) for share in range(shares)]
        results = [each.result() for each in looks]
    broken = [each for result in results for each in result.broken]
    slowest = max(results, key=lambda result: result.slowest)
    sys.stdout.write(
        f"mails            {sum(result.mails for result in results)}, mutations from number {chosen.first} on\n"
        f"slowest          {slowest.slowest:.3f} s of CPU time, at most {CPU_SECONDS}: {slowest.slowest_name}\n"
        f"largest process  {max(result.megabytes for result in results)} MB resident;"
        f" {MEMORY // 2**20} MB more than at its start are allowed\nbroken promises  {len(broken)}\n"
    )
    sys.stdout.writelines(f"  {each}\n" for each in broken[:20])
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
