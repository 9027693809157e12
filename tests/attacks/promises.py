"""What every rung keeps, found out by trying it as whoever runs this: `python -m tests.attacks.promises` prints it."""

from __future__ import annotations

import json
import os
import sys
from typing import NamedTuple

from webordinary.workspace.confined.landlock import landlock_version
from webordinary.workspace.sandbox import NEEDED, Sandbox, SandboxKind, forms, try_rung
from webordinary.workspace.trial import Promise, try_promises

# Kernels with these versions of Landlock are common; what newer ones can do besides is not used.
KERNELS = {
    "`landlock`, Linux 6.12 and newer": 6,
    "`landlock` of Linux 6.7 to 6.11": 5,
    "`landlock` of Linux 6.2 to 6.6": 3,
    "`landlock` of Linux 5.19 to 6.1": 2,
}
_HEADS = {
    Promise.READ: "files beside it unread",
    Promise.WRITE: "shared folders unwritten",
    Promise.EMPTY: "files of others whole",
    Promise.CONNECT: "no network",
    Promise.MODEL: "only its model",
    Promise.SIGNAL: "worker not signalled",
    Promise.LOOK: "worker not seen",
    Promise.MEMORY: "no shared memory",
    Promise.REPOSITORY: "repository kept",
    Promise.IDENTITY: "not root",
}


class Row(NamedTuple):
    """One rung, for one kind of worker."""

    rung: str
    by: str
    kept: dict[Promise, bool]
    used_for: str

    def __str__(self) -> str:
        cells = ("yes" if self.kept[promise] else "**no**" for promise in _HEADS)
        return f"| {self.rung} | {self.by} | {' | '.join(cells)} | {self.used_for} |"


def head() -> list[str]:
    names = ("rung", "worker is", *_HEADS.values(), "used for")
    return [f"| {' | '.join(names)} |", "|---" * len(names) + "|"]


def rows() -> list[Row]:
    """Try everything that can be tried here, as whoever asks."""
    asked: list[tuple[str, SandboxKind, int | None]] = [("`bubblewrap`", SandboxKind.BUBBLEWRAP, None)]
    here = landlock_version()
    asked += [(name, SandboxKind.LANDLOCK, version) for name, version in KERNELS.items() if version <= here]
    if os.geteuid() == 0:
        asked.append(("`uid`", SandboxKind.OWN_UID, None))
    return [row for name, kind, version in asked if (row := _row(name, kind, version)) is not None]


def _row(name: str, kind: SandboxKind, version: int | None) -> Row | None:
    for form in forms(kind, version):
        found = try_promises(form.wrap, is_hidden=form.has_stage)
        if found.problem:
            continue
        broken = set(found.broken)
        if kind is SandboxKind.LANDLOCK:
            broken |= try_promises(form.wrap, is_hidden=form.has_stage, port=form.port_for_model()).broken
        if kind is SandboxKind.OWN_UID:
            # It would need the whole network for it, so that nobody gets that far.
            broken.add(Promise.MODEL)
        kept = {promise: promise not in broken for promise in Promise}
        return Row(name, "root" if os.geteuid() == 0 else "a user", kept, _used_for(try_rung(kind, version), broken))
    return None


def _used_for(rung: Sandbox | str, broken: set[Promise]) -> str:
    is_refused = isinstance(rung, str)
    if is_refused != bool(broken & NEEDED):
        raise AssertionError(f"what was tried and what is chosen differ: {rung} {broken}")
    if is_refused:
        return "nothing"
    return "builds" if Promise.MODEL in broken else "everything"


if __name__ == "__main__":
    sys.stdout.write(json.dumps([str(row) for row in rows()]))
