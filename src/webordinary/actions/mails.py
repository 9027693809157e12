"""What is done with mails that wait or were turned away, and with addresses whose mails came back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.actions.done import Done
from webordinary.errors import NoSuchThing, Refused
from webordinary.mail.outcomes import MailOutcome
from webordinary.mail.sender import OPERATOR, Vouch

if TYPE_CHECKING:
    from webordinary.engines.installation import Installation
    from webordinary.mail.inbox import Decision
    from webordinary.overview import MailView


def let_through(here: Installation, mail: str, _by: str) -> Done:
    """Let a held mail through on somebody's word that it is from the person it names."""
    view = _held(here, mail)
    if not here.engine.inbox.vouch_for(mail, Vouch(view.sender or "", OPERATOR), here.clock.now()):
        raise _over(mail)
    decision = here.intake.decide(mail)
    became = f"{decision.outcome} {decision.job or ''}".strip() if decision else "released"
    return Done(f"{mail} of {view.sender} was released: {became}.", decision.job if decision else None)


def refuse_mail(here: Installation, mail: str, by: str, reason: str = "") -> Done:
    """Turn a held mail away for good."""
    _held(here, mail)
    why = f"{by} turned it away" + (f": {reason}" if reason else "")
    if not here.engine.inbox.turn_away(mail, why, here.clock.now()):
        raise _over(mail)
    return Done(f"{mail} was turned away; its sender is not told.")


def decide_again(here: Installation, mail: str, by: str) -> tuple[str, Decision]:
    """Take a kept mail in once more, and return its new name and what was decided."""
    from webordinary.intake.replay import replay as take_in_again  # noqa: PLC0415 - heavy, and --help should be quick

    again, decision = take_in_again(here.intake, mail, by)
    if decision is None:
        raise Refused(f"The mail {again} was lost before it could be decided; replay it again.")
    return again, decision


def replay(here: Installation, mail: str, by: str) -> Done:
    """Let a kept mail be decided again, once."""
    again, decision = decide_again(here, mail, by)
    return Done(f"{mail}, again as {again}: {sentence_about(decision)}", decision.job)


def sentence_about(decision: Decision, said: str = "") -> str:
    """Return what people read of a decision."""
    project = f" of {decision.project}" if decision.project else ""
    about = f" as {decision.job}{project}" if decision.job else ""
    return f"{said or decision.outcome}{about}" + (f", because {_inner(decision.reason)}" if decision.reason else "")


def forgive(here: Installation, address: str, by: str) -> Done:
    """Write to an address again whose mails came back."""
    if not here.engine.bounces.clear(address, by, here.clock.now()):
        raise Refused(f"No mail came back from {address}; `webordinary show bounces` shows what did.")
    lost = "Answers that were given up are not sent any more: `again` asks for them anew."
    return Done(f"{address} is written to again. {lost}")


def _inner(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:].rstrip(".")


def _held(here: Installation, mail: str) -> MailView:
    view = here.engine.overview.mail(mail)
    if view is None:
        raise NoSuchThing(f"There is no mail {mail}; `webordinary show held` lists those that wait.")
    if view.outcome is not MailOutcome.HELD or not view.sender:
        raise _over(mail)
    return view


def _over(mail: str) -> Refused:
    return Refused(f"{mail} is not held, or no longer; `webordinary show mail {mail}` tells what became of it.")
