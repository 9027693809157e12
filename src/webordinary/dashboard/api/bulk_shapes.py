"""What the API takes and gives for one action on many things."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta, field

from webordinary.dashboard.api.shapes import Given, Name, SentByProgram


class BulkAsked(SentByProgram, frozen=True, kw_only=True):
    """An action, and the filter of the list that it is for."""

    action: Annotated[
        str,
        Meta(
            min_length=1, max_length=40,
            description="`redrive` and `stop` for jobs, `release-mail` and `refuse-mail` for mails, `forgive` for"
            " people, `pause` and `resume` for projects.",
        ),
    ]  # fmt: skip
    where: Annotated[
        dict[Name, Annotated[str, Meta(max_length=200)]],
        Meta(max_length=20, description="The fields in the address of the list's page, such as `project` or `since`."),
    ] = field(default_factory=dict)


class BulkConfirmed(SentByProgram, frozen=True, kw_only=True):
    """That exactly what was shown is meant."""

    reason: Annotated[str, Meta(max_length=1_000, description="Why, for `pause` and `refuse-mail`.")] = ""


class BulkThingShape(Given, frozen=True, kw_only=True):
    """One thing that is hit."""

    id: str
    label: str
    told: Annotated[str | None, Meta(description="What was done or why not; null as long as nothing was.")] = None
    has_failed: bool = False


class BulkShape(Given, frozen=True, kw_only=True):
    """What is hit, and how far it has come."""

    id: str
    action: str
    tells: Annotated[str, Meta(description="What happens to each.")]
    by: str
    made_at: datetime
    state: Annotated[str, Meta(description="`waits`, `runs`, `broken off` or `over`.")]
    is_cut: Annotated[bool, Meta(description="More fit than are taken at once; do the others afterwards.")]
    hit: int
    done: Annotated[int, Meta(description="Those that failed count too.")]
    failed: int
    things: list[BulkThingShape]
