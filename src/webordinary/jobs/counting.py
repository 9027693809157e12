"""Counts what the trail says: which figures an entry carries, under labels of which there are only a few values.

Projects are labels. Lanes, people, jobs and addresses never are: there would be a series for each of them for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from webordinary.audit.entry import EventType
from webordinary.jobs.figures import ENDS, SPENT, TOOK, VERDICT, WAITED
from webordinary.jobs.journal import Journal, Step
from webordinary.mail.outcomes import ENTRY_OF, MailOutcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.audit.entry import Entry
    from webordinary.metrics.totals import Totals

CLAIMS: Final = "claims"
JOBS: Final = "jobs"
JOB_TIME: Final = "job_seconds"
WAITING_TIME: Final = "job_waiting_seconds"
CLAIM_TIME: Final = "claim_seconds"
INTERRUPTIONS: Final = "interruptions"
RETRIES: Final = "retries"
REPAIRS: Final = "repairs"
DEAD_LETTERS: Final = "dead_letters"
COST: Final = "cost_usd"
BUILDS: Final = "builds"
BUILD_TIME: Final = "build_seconds"
RECEIVED: Final = "mails_received"
MAILS: Final = "mails"
LETTERS: Final = "letters"
BOUNCES: Final = "bounces"
WORKER_DEATHS: Final = "worker_deaths"

_NONE = "none"
_OUTCOMES = {entry: outcome for outcome, entry in ENTRY_OF.items()} | {EventType.JOB_ACCEPTED: MailOutcome.QUEUED}
_LETTERS = {
    EventType.ANSWERED: "sent",
    EventType.ANSWER_DELAYED: "delayed",
    EventType.ANSWER_GIVEN_UP: "given up",
}


def count(entry: Entry, totals: Totals) -> None:
    """Add what one entry says to the totals, which reach up to it from then on."""
    if (counted := _COUNTED.get(entry.what)) is not None:
        counted(entry, totals)
    totals.number = max(totals.number, entry.number)


def _project(entry: Entry) -> str:
    return (entry.lane or "").partition("#")[0]


def _note(entry: Entry, totals: Totals, fact: str, name: str, *labels: str) -> None:
    if fact in entry.facts:
        totals.note(name, float(entry.facts[fact]), *labels)


def _claimed(entry: Entry, totals: Totals) -> None:
    totals.add(CLAIMS, "won")
    _note(entry, totals, WAITED, CLAIM_TIME)


def _received(entry: Entry, totals: Totals) -> None:
    totals.add(RECEIVED, entry.facts.get("door", _NONE))


def _decided(entry: Entry, totals: Totals) -> None:
    # A door that turned somebody away kept no mail; a job that nobody was judged for came without one, or again.
    if entry.mail is not None and (entry.what is not EventType.JOB_ACCEPTED or VERDICT in entry.facts):
        totals.add(MAILS, _OUTCOMES[entry.what].value, entry.facts.get(VERDICT) or _NONE)


def _started(entry: Entry, totals: Totals) -> None:
    _note(entry, totals, WAITED, WAITING_TIME, _project(entry))


def _ended(entry: Entry, totals: Totals) -> None:
    project = _project(entry)
    totals.add(JOBS, project, entry.facts.get("outcome", entry.what.value))
    _note(entry, totals, TOOK, JOB_TIME, project)
    if SPENT in entry.facts:
        totals.add(COST, project, by=float(entry.facts[SPENT]))
    if entry.what is EventType.JOB_DEAD:
        totals.add(DEAD_LETTERS, project)


def _stepped(entry: Entry, totals: Totals) -> None:
    if entry.text in {Step.BUILT, Step.BUILD_BROKE}:
        _built(entry, totals)
    elif entry.text == Step.REPAIR_STARTED:
        totals.add(REPAIRS, _project(entry))


def _built(entry: Entry, totals: Totals) -> None:
    totals.add(BUILDS, _project(entry), "failed" if entry.text == Step.BUILD_BROKE else "built")
    _note(entry, totals, Journal.build_took.name, BUILD_TIME, _project(entry))


def _of_project(name: str) -> Callable[[Entry, Totals], None]:
    return lambda entry, totals: totals.add(name, _project(entry))


def _lettered(entry: Entry, totals: Totals) -> None:
    totals.add(LETTERS, entry.facts.get("kind", _NONE), _LETTERS[entry.what])


def _bounced(_: Entry, totals: Totals) -> None:
    totals.add(BOUNCES)


def _gone(entry: Entry, totals: Totals) -> None:
    if "code" in entry.facts:
        totals.add(WORKER_DEATHS)


_COUNTED: Final[dict[EventType, Callable[[Entry, Totals], None]]] = {
    EventType.LANE_CLAIMED: _claimed,
    EventType.MAIL_RECEIVED: _received,
    **dict.fromkeys(_OUTCOMES, _decided),
    EventType.JOB_STARTED: _started,
    **dict.fromkeys(ENDS, _ended),
    EventType.JOB_PARKED: _of_project(INTERRUPTIONS),
    EventType.JOB_RETRIED: _of_project(RETRIES),
    EventType.STEP: _stepped,
    **dict.fromkeys(_LETTERS, _lettered),
    EventType.MAIL_BOUNCED: _bounced,
    EventType.WORKER_GONE: _gone,
}
