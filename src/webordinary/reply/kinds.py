"""What our mails can be about, and the facts that each of them tells."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Tone(StrEnum):
    """How a mail feels at the first glance: its colour and the few words above its title."""

    DONE = "done"
    ASKS = "asks"
    SORRY = "sorry"
    CALM = "calm"
    WELCOME = "welcome"
    AGENCY = "agency"


@dataclass(frozen=True, slots=True)
class LetterKind:
    """Without the facts that it needs a mail would have a hole; the others take their paragraph along."""

    tone: Tone
    needs: frozenset[str] = frozenset()
    may_tell: frozenset[str] = frozenset()
    # Whether the changes that it tells are live, and not only would be.
    is_live: bool = False


def _kind(tone: Tone, needs: str = "", may_tell: str = "", *, is_live: bool | None = None) -> LetterKind:
    tells_of_live = tone is Tone.DONE if is_live is None else is_live
    return LetterKind(tone, frozenset(needs.split()), frozenset(may_tell.split()), tells_of_live)


KINDS: Final = MappingProxyType(
    {
        # What became of a job.
        "published": _kind(
            Tone.DONE, "address", "summary changes files missing parts copies ends elsewhere undescribed"
        ),
        "published_in_part": _kind(
            Tone.DONE, "address", "summary changes files missing parts copies ends elsewhere undescribed"
        ),
        "nothing_changed": _kind(Tone.CALM, "", "files address elsewhere"),
        "proposed": _kind(
            Tone.ASKS,
            "",
            "summary changes reasons missing parts copies files preview ok_link starts ends elsewhere undescribed",
        ),
        "proposed_to_agency": _kind(Tone.CALM, "", "summary changes reasons files preview elsewhere"),
        "proposed_to_others": _kind(
            Tone.CALM, "approvers", "summary changes reasons missing parts copies files preview starts ends elsewhere"
        ),
        "question": _kind(Tone.ASKS, "question", "choices preview files elsewhere"),
        "elsewhere": _kind(Tone.SORRY, "elsewhere", "files"),
        "photo_wordless": _kind(Tone.ASKS, "", "files"),
        "photo_refused": _kind(Tone.SORRY, "", "files"),
        "photo_missing": _kind(Tone.ASKS),
        "failed": _kind(Tone.SORRY, "", "reason files"),
        "conflict": _kind(Tone.SORRY, "", "places there_now would_be"),
        "beyond_limits": _kind(Tone.SORRY, "", "reasons"),
        "agent_failed": _kind(Tone.SORRY),
        "build_failed": _kind(Tone.SORRY),
        "over_budget": _kind(Tone.SORRY, "", "limit"),
        "timed_out": _kind(Tone.SORRY, "", "limit"),
        "our_fault": _kind(Tone.SORRY),
        "dead": _kind(Tone.SORRY, "", "address"),
        "stopped": _kind(Tone.CALM),
        "dropped": _kind(Tone.CALM, "", "newer"),
        "refused": _kind(Tone.SORRY),
        "leaked": _kind(Tone.SORRY, "", "places"),
        "undone": _kind(Tone.DONE, "address", "changes"),
        "redone": _kind(Tone.DONE, "address", "changes ends"),
        "undo_conflict": _kind(Tone.SORRY, "", "places there_now before_it"),
        "nothing_to_undo": _kind(Tone.CALM),
        # What holds from a moment on, or until one.
        "scheduled": _kind(
            Tone.CALM, "starts", "ends replaced summary changes files missing parts copies preview elsewhere"
        ),
        "may_not_move": _kind(Tone.CALM, "", "approvers"),
        "end_moved": _kind(Tone.DONE, "ends address", "changes"),
        "which_date": _kind(Tone.ASKS, "trouble"),
        "unscheduled": _kind(Tone.CALM),
        "ended": _kind(Tone.DONE, "address", "changes"),
        "already_over": _kind(Tone.CALM),
        "missed": _kind(Tone.CALM, "", "starts ends"),
        "start_conflict": _kind(Tone.SORRY, "", "places there_now would_be"),
        "end_conflict": _kind(Tone.SORRY, "", "places there_now before_it"),
        "covered": _kind(Tone.CALM, "ends"),
        # What waits for an ok.
        "reminder": _kind(Tone.ASKS, "", "about changes preview ok_link"),
        "withdrawn": _kind(Tone.CALM),
        "withdrawn_by": _kind(Tone.CALM, "by"),
        "replaced": _kind(Tone.CALM, "by"),
        "already_approved": _kind(Tone.CALM),
        "ok_conflict": _kind(Tone.SORRY, "", "places there_now would_be"),
        "ok_or_undo": _kind(Tone.ASKS, "", "about changes preview"),
        "proposal_expired": _kind(Tone.CALM),
        "proposal_replaced": _kind(Tone.ASKS),
        "may_not_approve": _kind(Tone.CALM, "", "approvers"),
        "nothing_to_approve": _kind(Tone.CALM),
        "approval_wanted": _kind(Tone.AGENCY, "site asker reasons", "request changes preview ok_link starts ends"),
        "ok_wanted": _kind(Tone.ASKS, "asker", "request changes reasons preview ok_link starts ends"),
        "not_understood": _kind(Tone.ASKS, "", "summary files elsewhere"),
        # While it is not over yet.
        "ack": _kind(Tone.CALM),
        "on_hold": _kind(Tone.CALM),
        "waits_for_money": _kind(Tone.CALM),
        "set_aside": _kind(Tone.CALM, "", "newer"),
        # A mail that became no job.
        "refused_empty": _kind(Tone.ASKS, "", "files"),
        "unreadable": _kind(Tone.SORRY, "", "files"),
        "too_much": _kind(Tone.SORRY, "", "reason"),
        "which_project": _kind(Tone.ASKS, "addresses"),
        "confirm": _kind(Tone.ASKS, "about excerpt site"),
        "confirm_over": _kind(Tone.CALM),
        "confirm_unclear": _kind(Tone.ASKS),
        "not_an_editor": _kind(Tone.CALM, "site"),
        "paused_sender": _kind(Tone.CALM, "", "until"),
        # One word, answered without an agent.
        "too_late": _kind(Tone.CALM, "", "called"),
        "called_off": _kind(Tone.CALM, "called"),
        "nothing_to_stop": _kind(Tone.CALM),
        "stop_is_live": _kind(Tone.CALM),
        "reply_wanted": _kind(Tone.ASKS, "", "requests"),
        "nothing_to_repeat": _kind(Tone.CALM),
        "status": _kind(Tone.CALM, "", "requests"),
        "help": _kind(Tone.CALM),
        # A new editor.
        "welcome": _kind(Tone.WELCOME, "site write_to write_link", "approval address"),
        "welcome_to_sites": _kind(Tone.WELCOME, "sites"),
        # The agency.
        "digest": _kind(
            Tone.AGENCY,
            "day",
            "damaged held quarantined failed waiting taken_back over_budget spent strangers postmaster paused"
            " unanswered unreleased",
        ),
        "paused": _kind(Tone.AGENCY, "project reason"),
        "from_git": _kind(Tone.AGENCY, "site address", "changes commits", is_live=True),
        "out_of_order": _kind(Tone.AGENCY, "project job reason"),
        "money_spent": _kind(Tone.AGENCY, "project job limit renewed"),
        "buried": _kind(Tone.AGENCY, "job", "reason"),
        "configuration_broken": _kind(Tone.AGENCY, "reason"),
        "change_wanted": _kind(Tone.AGENCY, "project asker wanted request"),
        "unanswered": _kind(Tone.AGENCY, "to about", "reason"),
        "bounced": _kind(Tone.AGENCY, "to", "reason"),
        "outage": _kind(Tone.AGENCY, "reason"),
        "login_needed": _kind(Tone.AGENCY, "login reason", "person application"),
    }
)


def kind_of(words: str) -> LetterKind:
    """Return what is known about a kind; one that nobody has written is a mistake of ours."""
    if words not in KINDS:
        raise LookupError(f"There are no words for {words!r}; known are {', '.join(KINDS)}.")
    return KINDS[words]
