"""All that needs a person, in groups: the most pressing first, what is fine apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.dashboard.needs import answers, machine, projects, requests, senders
from webordinary.overview.filters import COUNTED, Count

if TYPE_CHECKING:
    from collections.abc import Callable

    from webordinary.dashboard.needs.need import NeedsAsked, OpenNeed
    from webordinary.overview.filters import FoundPage

SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedGroup:
    """One kind of needs."""

    name: str
    heading: str
    # What a page says of it when there is none.
    none: str
    find: Callable[[NeedsAsked], FoundPage[OpenNeed]]
    for_clients: bool = False
    # It waits for somebody else, so it is folded away and does not count.
    is_of_others: bool = False


GROUPS = (
    NeedGroup(
        name="findings", heading="The installation", none="The checks of this machine found nothing.",
        find=machine.findings,
    ),
    NeedGroup(
        name="proposals", heading="Proposals that wait for you", none="No proposal waits for you.",
        find=requests.proposals, for_clients=True,
    ),
    NeedGroup(
        name="answers", heading="Answers that wait for your eye", none="No answer waits for your eye.",
        find=answers.held_answers,
    ),
    NeedGroup(name="held", heading="Held mails", none="No mail is held.", find=senders.held),
    NeedGroup(
        name="rewritten", heading="Rewritten branches", none="No live branch was rewritten.", find=projects.rewritten,
    ),
    NeedGroup(
        name="paused", heading="Paused projects", none="No project is paused.", find=projects.paused, for_clients=True,
    ),
    NeedGroup(
        name="failing", heading="Projects that fail in a row", none="No project fails in a row.", find=projects.failing,
    ),
    NeedGroup(
        name="dead", heading="Dead letters", none="No request was given up in the last 30 days.",
        find=requests.dead_letters,
    ),
    NeedGroup(
        name="lanes", heading="Lanes that nobody takes", none="No lane waits for a worker for long.",
        find=machine.unclaimed,
    ),
    NeedGroup(
        name="money", heading="Requests that wait for money", none="No request waits for money.",
        find=requests.waiting_for_money,
    ),
    NeedGroup(
        name="bounced", heading="Addresses whose mails come back", none="No mail came back for good.",
        find=senders.bounced,
    ),
    NeedGroup(
        name="quarantined", heading="Forged mails", none="No mail was forged in an editor's name.",
        find=senders.quarantined,
    ),
    NeedGroup(
        name="hooks", heading="Programs that were not told", none="Every webhook was taken, or is tried again.",
        find=machine.lost_events,
    ),
    NeedGroup(
        name="questions", heading="Questions nobody answered", none="No question waits for its answer.",
        find=requests.questions, for_clients=True,
    ),
    NeedGroup(
        name="others", heading="Proposals that wait for somebody else", none="No proposal waits for somebody else.",
        find=requests.proposals_of_others, for_clients=True, is_of_others=True,
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class GatheredNeeds:
    """One group as it is now: the first of them, and how many there are."""

    group: NeedGroup
    page: FoundPage[OpenNeed]

    @property
    def count(self) -> Count:
        return Count(len(self.page.items), is_more=self.page.after is not None)


def gather(asked: NeedsAsked) -> list[GatheredNeeds]:
    """Look into every group that this viewer may see; each look is bounded."""
    groups = (group for group in GROUPS if group.for_clients or asked.projects is None)
    return [GatheredNeeds(group, group.find(asked)) for group in groups]


def count_needs(gathered: list[GatheredNeeds]) -> Count:
    """Return the number for the navigation; beyond a hundred nobody counts."""
    counts = [each.count for each in gathered if not each.group.is_of_others]
    number = sum(each.number for each in counts)
    return Count(min(number, COUNTED), is_more=number > COUNTED or any(each.is_more for each in counts))


def find_group(name: str) -> NeedGroup | None:
    return next((group for group in GROUPS if group.name == name), None)
