"""What can be tried in the demo, step by step: each step is one mail, or one thing that is done to the machine."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from webordinary.cli.demo.stage import AFTER_OK, AT_ONCE, christmas_after
from webordinary.errors import NoSuchThing, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.cli.demo.page.photos import SamplePhotos
    from webordinary.cli.demo.phone import Conversation
    from webordinary.cli.demo.stage import DemoStage


class GuideDeed(StrEnum):
    """What a step does."""

    WRITE = "write"
    REPLY = "reply"
    FORGE = "forge"
    KILL = "kill"
    TURN = "turn"


@dataclass(frozen=True, slots=True)
class GuideStep:
    """One step; `words` are those of its mail, `why` says what to look at."""

    deed: GuideDeed
    why: str
    words: str = ""
    subject: str = ""
    photo: str = ""
    # The agency's rule for the site that has to hold for it; None leaves it as it is.
    rule: str | None = None
    takes_time: bool = False

    @property
    def button(self) -> str:
        return _BUTTONS[self.deed]

    @property
    def is_mail(self) -> bool:
        return self.deed in {GuideDeed.WRITE, GuideDeed.REPLY, GuideDeed.FORGE}


_BUTTONS = {
    GuideDeed.WRITE: "Send this mail",
    GuideDeed.REPLY: "Send this reply",
    GuideDeed.FORGE: "Send it in Scott's name",
    GuideDeed.KILL: "Kill the worker",
    GuideDeed.TURN: "Turn the clock forward",
}

_TAKES_TIME = "The agent is asked to take its time, so that there is a middle."
_MODEL_TAKES_TIME = "A model takes its time, so there is a middle: be quick."


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something to try."""

    id: str
    title: str
    steps: tuple[GuideStep, ...]


def _price() -> Suggestion:
    why = "Watch the menu in the middle: the price changes there as soon as the change is live."
    words = "The butter croissant costs 2.50 now."
    return Suggestion("price", "Change a price", (GuideStep(GuideDeed.WRITE, why, words, "Prices", rule=AT_ONCE),))


def _photo() -> Suggestion:
    why = "The photo is turned upright, made small, and the place where it was taken is removed from it."
    words = "Put this photo on the about page."
    step = GuideStep(GuideDeed.WRITE, why, words, "A photo", photo="oven.jpg", rule=AT_ONCE)
    return Suggestion("photo", "Send a photo", (step,))


def _follow_up() -> Suggestion:
    why = "A reply belongs to its conversation: the agent knows what was said there before."
    words = "And the cinnamon roll costs 3.10 now."
    return Suggestion("follow-up", "Follow up", (GuideStep(GuideDeed.REPLY, why, words, rule=AT_ONCE),))


def _undo() -> Suggestion:
    why = "One word, and no agent is needed: exactly that change is taken back, and nothing else."
    return Suggestion("undo", "Undo", (GuideStep(GuideDeed.REPLY, why, "undo"),))


def _ok() -> Suggestion:
    first = "The agency's rule is now: wait for an ok. The middle shows the preview, visitors see none of it."
    words = "Our phone number is now 030 23125 200."
    then = "The ok publishes what was shown, and the middle is the live site again."
    steps = (
        GuideStep(GuideDeed.WRITE, first, words, "Phone", rule=AFTER_OK),
        GuideStep(GuideDeed.REPLY, then, "ok"),
    )
    return Suggestion("ok", "Wait for an ok", steps)


def _two(*, can_wait: bool) -> Suggestion:
    first = f"{_TAKES_TIME if can_wait else _MODEL_TAKES_TIME} Then send the second mail."
    then = "The newer mail goes first: the older one is set aside with its work, and goes on afterwards."
    steps = (
        GuideStep(
            GuideDeed.WRITE,
            first,
            'Add a paragraph "We bake all night." to the about page.',
            "About us",
            rule=AT_ONCE,
            takes_time=True,
        ),
        GuideStep(GuideDeed.WRITE, then, "The plum cake costs 3.80 now.", "Plum cake"),
    )
    return Suggestion("two", "Two at once", steps)


def _christmas(year: int) -> Suggestion:
    first = "The change waits for its time. Nothing is live yet, and the answer says when it will be."
    steps = (
        GuideStep(GuideDeed.WRITE, first, f"We are closed from 24 to 26 December {year}.", "Christmas", rule=AT_ONCE),
        GuideStep(GuideDeed.TURN, "It is Christmas Eve: the notice goes live by itself."),
        GuideStep(GuideDeed.TURN, "Christmas is over: the notice goes by itself, and the site is as before."),
    )
    return Suggestion("christmas", "Closed over Christmas", steps)


def _forged() -> Suggestion:
    why = "From says Scott, but nothing proves it. It is held, nothing is done, and Scott is asked whether it was him."
    words = "Our phone number is now 0900 666 666."
    return Suggestion("forged", "A forged mail", (GuideStep(GuideDeed.FORGE, why, words, "New phone number"),))


def _kill(*, can_wait: bool) -> Suggestion:
    first = f"{_TAKES_TIME if can_wait else _MODEL_TAKES_TIME} Then pull the plug."
    then = "The lease lapses at once, another worker goes on after the last finished step, and nothing happens twice."
    words = "The cheese twist costs 2.60 now."
    steps = (
        GuideStep(GuideDeed.WRITE, first, words, "Cheese twist", rule=AT_ONCE, takes_time=True),
        GuideStep(GuideDeed.KILL, then),
    )
    return Suggestion("kill", "Kill the worker", steps)


@dataclass(slots=True)
class Guide:
    """What can be tried, and how far somebody has come with each of it."""

    stage: DemoStage
    photos: SamplePhotos
    _done: dict[str, int] = field(default_factory=dict)
    # The conversation in which the steps of one suggestion happen.
    _talk_of: dict[str, str] = field(default_factory=dict)

    def suggestions(self) -> list[Suggestion]:
        """Return everything that can be tried, in the order in which it is best tried."""
        christmas = _christmas(christmas_after(self.stage.today))
        two, kill = _two(can_wait=self._can_wait()), _kill(can_wait=self._can_wait())
        return [_price(), _photo(), _follow_up(), _undo(), _ok(), two, christmas, _forged(), kill]

    def find(self, name: str) -> Suggestion:
        found = next((each for each in self.suggestions() if each.id == name), None)
        if found is None:
            raise NoSuchThing("There is no such suggestion.")
        return found

    def chosen(self, name: str) -> Suggestion:
        """Return what was asked for, or the first thing that nobody has tried."""
        known = self.suggestions()
        asked = next((each for each in known if each.id == name), None)
        return asked or next((each for each in known if not self.is_done(each)), known[0])

    def steps_done(self, suggestion: Suggestion) -> int:
        return min(self._done.get(suggestion.id, 0), len(suggestion.steps))

    def is_done(self, suggestion: Suggestion) -> bool:
        return self.steps_done(suggestion) == len(suggestion.steps)

    def step(self, suggestion: Suggestion) -> GuideStep:
        """Return the step that comes next; what is done can be done again from its beginning."""
        return suggestion.steps[self.steps_done(suggestion) % len(suggestion.steps)]

    def hindrance(self, suggestion: Suggestion) -> str:
        """Return why the next step cannot be taken yet, in a sentence; empty if it can."""
        step = self.step(suggestion)
        if step.deed is GuideDeed.REPLY and self._talk(suggestion) is None:
            return "Wait for the answer first: it comes by itself." if self._has_talks() else "Write a mail first."
        if step.deed is GuideDeed.KILL and not self._is_at_work():
            return "Wait until the worker is busy."
        is_second = step.deed is GuideDeed.WRITE and self.steps_done(suggestion) % len(suggestion.steps) > 0
        if is_second and not self._is_at_work():
            return "Wait until the worker is busy with the first one."
        if step.deed is GuideDeed.TURN and self.stage.next_moment() is None:
            return "Wait until something is planned."
        return ""

    def take(self, name: str) -> None:
        """Take the next step of a suggestion."""
        suggestion = self.find(name)
        step = self.step(suggestion)
        if why := self.hindrance(suggestion):
            raise Refused(why)
        if self.is_done(suggestion):
            self._done[name] = 0
            self._talk_of.pop(name, None)
        if step.rule is not None:
            self.stage.set_rule(step.rule)
        if step.takes_time and self._can_wait():
            self.stage.take_time()
        self._do(suggestion, step)
        self._done[name] = self._done.get(name, 0) + 1

    def _do(self, suggestion: Suggestion, step: GuideStep) -> None:
        match step.deed:
            case GuideDeed.WRITE:
                files = [self.photos.find(step.photo)] if step.photo else []
                sent = self.stage.phone.write(step.words, subject=step.subject, files=files)
                self._talk_of.setdefault(suggestion.id, sent.message_id.strip("<>"))
            case GuideDeed.REPLY:
                talk = self._talk(suggestion)
                self.stage.phone.write(step.words, answering=talk.answer if talk else None)
            case GuideDeed.FORGE:
                self.stage.forge(step.words, step.subject)
            case GuideDeed.KILL:
                self.stage.kill_worker()
            case GuideDeed.TURN:
                self.stage.turn_clock()

    def _talk(self, suggestion: Suggestion) -> Conversation | None:
        """Return the conversation that a reply goes to: that of the step before, or the last one that was answered."""
        begun = self._talk_of.get(suggestion.id)
        return next((talk for talk in self._answered() if begun in {None, talk.id}), None)

    def _answered(self) -> Iterator[Conversation]:
        return (talk for talk in self.stage.phone.conversations() if talk.is_answered)

    def _has_talks(self) -> bool:
        return bool(self.stage.phone.conversations())

    def _is_at_work(self) -> bool:
        return self.stage.is_waiting() if self._can_wait() else self.stage.job_at_work() is not None

    def _can_wait(self) -> bool:
        return self.stage.here.config.agent.kind == "scripted"
