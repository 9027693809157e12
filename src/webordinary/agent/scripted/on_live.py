"""The same request once more, on what somebody else has made of the same lines meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.agent.scripted.carry_out import Result, carry_out
from webordinary.workspace.conflict import keep_theirs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from webordinary.agent.scripted.carry_out import Emit, Event, ScriptedRequest

_NOT_HERE = "Somebody else has changed the same place, and I do not know how the two go together."


def carry_out_on_live(
    request: ScriptedRequest, conflicts: Sequence[str], root: Path, emit: Emit, gates: Path | None = None
) -> Result:
    """Keep what is live in the marked files and carry out the request there; without a change they stay marked.

    What earlier mails of the conversation asked for may be what conflicts, and is not asked for again.
    """
    marked = {root / path: (root / path).read_bytes() for path in conflicts if _is_ours(root, root / path)}
    if len(marked) < len(conflicts) or (conflicts and request.thread_so_far):
        return Result(_NOT_HERE, "not_understood")
    for path, content in marked.items():
        path.write_bytes(keep_theirs(content.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape"))
    edited: set[Path] = set()

    def hear(event: Event) -> None:
        if event.get("event") == "edited":
            edited.add(root / (event.get("path") or ""))
        emit(event)

    result = carry_out(request, root, hear, gates)
    if edited.issuperset(marked):
        return result
    for path, content in marked.items():
        path.write_bytes(content)
    return Result(_NOT_HERE, "not_understood")


def _is_ours(root: Path, path: Path) -> bool:
    """Tell whether it is a plain file of the site: a link may lead anywhere."""
    return path.is_file() and path.resolve() == root.resolve() / path.relative_to(root)
