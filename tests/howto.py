"""The pages that tell people what to do, read as they read them: what stands in a block is what they copy."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "howto"
_FENCE = "```"


def blocks(page: str, heading: str, kind: str = "") -> list[str]:
    """Return the blocks of that kind below a heading, until the next heading that is not below it."""
    found: list[str] = []
    rank, block, block_kind = 0, None, ""
    for line in (FOLDER / page).read_text(encoding="utf-8").splitlines(keepends=True):
        if line.startswith(_FENCE):
            if block is not None and rank and block_kind == kind:
                found.append(block)
            block, block_kind = ("", line[len(_FENCE) :].strip()) if block is None else (None, "")
        elif block is not None:
            block += line
        elif line.startswith("#"):
            level, _, title = line.rstrip().partition(" ")
            rank = len(level) if title == heading else rank if rank and len(level) > rank else 0
    assert found, f"{page} has no block of {kind or 'plain text'} below {heading!r}"
    return found
