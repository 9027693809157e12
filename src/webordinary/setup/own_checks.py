"""What commands of ours find, for the walk: the doctor's and the projects' own checks are not written twice."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from webordinary.findings import Check, CheckLevel, fail

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from webordinary.setup.desk import Desk


def checks_of(
    desk: Desk, words: Sequence[str], *, only: Collection[str] | None = None, but: Collection[str] = ()
) -> Iterator[Check]:
    """Run a command that checks, and yield what it finds; `only` and `but` choose by name."""
    ran = desk.run([*words, "--json"])
    try:
        found = json.loads(ran.said)
    except ValueError:
        last = (ran.complaint or ran.said).strip().splitlines()[-1:] or ["it said nothing"]
        yield fail(words[0], last[0][:400])
        return
    for each in found:
        check = Check(each["name"], CheckLevel(each["state"]), each["text"])
        if (only is None or check.name in only) and check.name not in but:
            yield check
