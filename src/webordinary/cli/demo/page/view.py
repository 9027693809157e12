"""What the page shows, gathered anew for each look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from webordinary.cli.demo.folder import OWNER_ADDRESS, PROJECT
from webordinary.cli.demo.page.inside import steps_of
from webordinary.cli.demo.phone import ADDRESS
from webordinary.cli.demo.stage import AFTER_OK
from webordinary.jobs.job import Kind, Outcome
from webordinary.mail.words.quoting import MARKER_LINES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from webordinary.cli.demo.page.house import DemoHouse
    from webordinary.cli.demo.phone import Conversation
    from webordinary.cli.demo.stage import DemoStage
    from webordinary.jobs.job import Job

_MOST_STEPS = 60
_MOST_TALKS = 30
_CHANGES = frozenset({Outcome.PUBLISHED, Outcome.UNDONE, Outcome.PROPOSED})
# Where a request of the suggestions is seen best; the start page for everything else.
_PAGES = {"cost": "menu.html", "phone": "contact.html", "photo": "about.html", "about page": "about.html"}


@dataclass(frozen=True, slots=True)
class ShownSite:
    """What the frame in the middle shows."""

    address: str
    is_preview: bool
    preview: str = ""


def page_facts(house: DemoHouse, asked: Mapping[str, str], csrf: str, said: str) -> dict[str, Any]:
    """Return everything that the template wants to know."""
    stage, guide = house.stage, house.guide
    talks = stage.phone.conversations()
    chosen = guide.chosen(asked.get("try", ""))
    job = stage.job_at_work()
    return {
        "csrf": csrf,
        "said": said,
        "heard": house.live.number(),
        "asked": asked,
        "talks": talks[:_MOST_TALKS],
        "talk": _chosen(talks, asked),
        "suggestions": guide.suggestions(),
        "guide": guide,
        "chosen": chosen,
        "step": guide.step(chosen),
        "hindrance": guide.hindrance(chosen),
        "photos": house.photos.names,
        "site": shown_site(stage, asked.get("show", "")),
        "steps": steps_of(stage.here.engine.trail.newest(limit=_MOST_STEPS)),
        "job": job,
        "is_waiting": stage.is_waiting(),
        "waits_for_ok": stage.rule == AFTER_OK,
        "moment": stage.next_moment(),
        "now": stage.here.clock.now().wall_at,
        "is_turned": bool(stage.clock.ahead),
        "spent": stage.spent,
        "limit": stage.limit,
        "has_model": stage.here.config.agent.kind != "scripted",
        "owner": OWNER_ADDRESS,
        "address": ADDRESS,
    }


def _chosen(talks: list[Conversation], asked: Mapping[str, str]) -> Conversation | None:
    """Return the conversation that is open: the one that was asked for, else the newest."""
    if asked.get("new"):
        return None
    return next((talk for talk in talks if talk.id == asked.get("talk")), talks[0] if talks else None)


def without_marker(text: str) -> str:
    """Return what an answer says, without the line that only mail programs need: a reply stands above it."""
    first, _, rest = text.partition("\n")
    return rest.lstrip() if first.strip() in MARKER_LINES else text


def shown_site(stage: DemoStage, show: str) -> ShownSite:
    """Return what the frame shows: the newest proposal while one waits, else the live site, where it changed last."""
    here = stage.here
    waiting = max(here.engine.proposals.all_open(project=PROJECT), key=lambda each: each.proposed_at, default=None)
    preview = here.preview_address(stage.project, waiting.thread) if waiting else ""
    is_preview = bool(preview) and show != "live"
    address = _at_page(preview if is_preview else here.live_address(stage.project), _last_changes(stage))
    return ShownSite(address, is_preview, preview)


def _last_changes(stage: DemoStage) -> list[Job]:
    """Return the changes of the conversation that changed something last, the newest first."""
    changes = [job for job in stage.here.engine.overview.jobs(limit=20) if job.outcome in _CHANGES]
    return [job for job in changes if job.thread == changes[0].thread]


def _at_page(address: str, changes: list[Job]) -> str:
    """Return the page on which the last change is seen; each change is an address of its own, so that it is loaded."""
    if not changes:
        return address
    # An "undo" or "ok" names no page: that of the change before is meant.
    asked = next((job for job in changes if job.kind is not Kind.VERB), changes[0])
    words = f"{asked.request.text} {asked.summary}".lower()
    page = next((page for word, page in _PAGES.items() if word in words), "")
    return urlunsplit(urlsplit(address)._replace(path=f"/{page}", query=f"after={changes[0].id}"))
