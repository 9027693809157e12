"""The one table of all actions: what each is about, who may do it and what it needs to know."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.actions import answers, ask, decide, live_site, mails, money, queue
from webordinary.actions.role import Role
from webordinary.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from webordinary.actions.done import Done
    from webordinary.engines.installation import Installation

    # Gets what it is about, who does it and what they said.
    Run = Callable[[Installation, str, str, Mapping[str, str]], Done]

LONGEST_WORDS = 1_000


class Thing(StrEnum):
    """What an action is done to."""

    JOB = "job"
    MAIL = "mail"
    LANE = "lane"
    PROJECT = "project"
    ADDRESS = "address"
    PLAN = "plan"


@dataclass(frozen=True, slots=True)
class Needed:
    """What a person has to say or may say with an action."""

    name: str
    label: str
    is_required: bool = False
    is_number: bool = False
    longest: int = LONGEST_WORDS

    def read(self, given: Mapping[str, str]) -> str:
        """Return what was said; refuse what is missing, too long or no number."""
        said = given.get(self.name, "").strip()
        if self.is_required and not said:
            raise Refused(f"Say what `{self.name}` is: {self.label[:1].lower()}{self.label[1:]}.")
        if len(said) > self.longest:
            raise Refused(f"`{self.name}` is longer than {self.longest:,} characters; write less.")
        if self.is_number and said and _number(said) is None:
            raise Refused(f"`{self.name}` is no number; write it as 2.5 or leave it out.")
        return said


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One thing that a person can do, from a button, a call of the API or the command line."""

    name: str
    about: Thing
    label: str
    # What happens, for the page that asks whether it is meant, and for the API's description.
    tells: str
    run: Run
    role: Role = Role.OPERATOR
    # A client may do it in their own projects too.
    for_clients: bool = False
    is_hard_to_undo: bool = False
    needs: tuple[Needed, ...] = ()

    def is_open_to(self, role: Role) -> bool:
        return role.includes(self.role) or (self.for_clients and role is Role.CLIENT)

    @property
    def asks_first(self) -> bool:
        """Whether a page stands between the button and the deed."""
        return self.is_hard_to_undo or bool(self.needs)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _plainly(
    run: Callable[[Installation, str, str], Done],
) -> Callable[[Installation, str, str, Mapping[str, str]], Done]:
    return lambda here, target, by, _: run(here, target, by)


_REASON = Needed("reason", "Why; it is shown wherever this is")
_ALL = (
    Action(
        name="stop", about=Thing.JOB, label="Stop", run=_plainly(queue.stop),
        tells="The job ends for good, whether it waits or runs; who asked for it is told.", is_hard_to_undo=True,
    ),
    Action(
        name="redrive", about=Thing.JOB, label="Try again", run=_plainly(queue.redrive),
        tells="A job that ended badly is tried again, as a new job that names the old one.",
    ),
    Action(
        name="again", about=Thing.JOB, label="Ask again", run=_plainly(ask.again),
        tells="The same is asked for once more, as a new job.",
    ),
    Action(
        name="approve", about=Thing.JOB, label="Approve", run=_plainly(decide.approve), for_clients=True,
        tells="What the job has proposed goes live exactly as it was shown.",
    ),
    Action(
        name="withdraw", about=Thing.JOB, label="Withdraw", run=_plainly(decide.withdraw), for_clients=True,
        tells="What the job has proposed is dropped; who asked for it by mail is told.", is_hard_to_undo=True,
    ),
    Action(
        name="undo", about=Thing.JOB, label="Undo", run=_plainly(live_site.undo),
        tells="What the job has published is taken off the live site by a new change.", is_hard_to_undo=True,
    ),
    Action(
        name="release-answer", about=Thing.JOB, label="Release the answer", run=_plainly(answers.let_go),
        tells="The answer, which waits for the agency's eye, goes out as it is.", is_hard_to_undo=True,
    ),
    Action(
        name="edit-answer", about=Thing.JOB, label="Edit the answer",
        needs=(Needed("words", "Your words instead of the agent's", longest=answers.LONGEST_WORDS),),
        run=lambda here, target, by, said: answers.edit(here, target, by, said["words"]),
        tells="The answer gets your words instead of the agent's and goes on waiting; its receipt stays as it is.",
    ),
    Action(
        name="take-back-answer", about=Thing.JOB, label="Take the change back", is_hard_to_undo=True,
        needs=(Needed("tell", "Write yes if the owner should be told"),),
        run=lambda here, target, by, said: answers.take_back(here, target, by, tells=said["tell"] == "yes"),
        tells="The change is undone on the live site, and its answer is never sent.",
    ),
    Action(
        name="interrupt", about=Thing.LANE, label="Interrupt", run=_plainly(queue.interrupt),
        tells="What runs in the lane is set aside and goes on afterwards.",
    ),
    Action(
        name="release", about=Thing.LANE, label="Release the lane", run=_plainly(queue.release),
        tells="The lane is taken from the worker that owns it; nothing is lost.", is_hard_to_undo=True,
    ),
    Action(
        name="pause", about=Thing.PROJECT, label="Pause", needs=(_REASON,),
        run=lambda here, target, by, said: queue.pause(here, target, by, said["reason"]),
        tells="No job of the project starts any more; mails go on being accepted and wait.",
    ),
    Action(
        name="resume", about=Thing.PROJECT, label="Resume", run=_plainly(queue.resume),
        tells="The jobs of the project start again.",
    ),
    Action(
        name="allow", about=Thing.PROJECT, label="Allow more money", role=Role.AGENCY,
        needs=(Needed("usd", "How many USD more today; as much as a day may cost if left out", is_number=True),),
        run=lambda here, target, by, said: money.allow(here, target, by, float(said["usd"]) if said["usd"] else None),
        tells="The site may spend more today than its budget says; what waited for that goes on at once.",
    ),
    Action(
        name="rollback", about=Thing.PROJECT, label="Roll back", is_hard_to_undo=True,
        needs=(Needed("release", "The release to go back to", is_required=True),),
        run=lambda here, target, by, said: live_site.rollback(here, target, by, said["release"]),
        tells="The site goes back to a release, as a new change on top of what is live.",
    ),
    Action(
        name="accept-history", about=Thing.PROJECT, label="Accept the rewritten branch", role=Role.AGENCY,
        run=_plainly(live_site.accept_history), is_hard_to_undo=True,
        tells="The live branch, which somebody has rewritten, is built, checked and published as it is.",
    ),
    Action(
        name="ask", about=Thing.PROJECT, label="Ask for a change",
        needs=(
            Needed("user", "The editor in whose name and lane it is done", is_required=True),
            Needed("words", "What should change", is_required=True, longest=ask.LONGEST_REQUEST),
        ),
        run=lambda here, target, by, said: ask.ask(here, target, by, said["user"], said["words"]),
        tells="A change is asked for as if an editor had written a mail; nobody is answered by mail.",
    ),
    Action(
        name="release-mail", about=Thing.MAIL, label="Let it through", run=_plainly(mails.let_through),
        tells="The held mail counts as one of the person it names, on your word.", is_hard_to_undo=True,
    ),
    Action(
        name="refuse-mail", about=Thing.MAIL, label="Turn it away", needs=(_REASON,),
        run=lambda here, target, by, said: mails.refuse_mail(here, target, by, said["reason"]),
        tells="The held mail is turned away for good; its sender is not told.", is_hard_to_undo=True,
    ),
    Action(
        name="replay", about=Thing.MAIL, label="Decide again", run=_plainly(mails.replay),
        tells="The mail is decided once more as if it came now; one that became a job becomes no second one.",
    ),
    Action(
        name="forgive", about=Thing.ADDRESS, label="Write to it again", run=_plainly(mails.forgive),
        tells="The address, whose mails came back, is written to again.",
    ),
    Action(
        name="cancel", about=Thing.PLAN, label="Cancel the plan", run=_plainly(decide.cancel_plan),
        tells="The planned change does not happen.", is_hard_to_undo=True,
    ),
)  # fmt: skip

ACTIONS: Mapping[str, Action] = {each.name: each for each in _ALL}
