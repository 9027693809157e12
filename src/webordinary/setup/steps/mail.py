"""The first step: which domain people write to, and by which way its mail comes in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.config import example_config, example_config_on_aws
from webordinary.config.tables import TablesText
from webordinary.errors import Refused
from webordinary.setup.plan import StepPlan
from webordinary.setup.question import Choice, Inquiry, as_in_the_file
from webordinary.setup.step import SetupStep
from webordinary.setup.ways import WAYS, find_way
from webordinary.values import Address, Domain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.findings import Check
    from webordinary.setup.desk import Desk
    from webordinary.setup.question import Given
    from webordinary.setup.ways.way import MailWay


class MailStep(SetupStep):
    """Mail in."""

    name = "mail"
    title = "Domain or mailbox"
    why = "People write to amelia@DOMAIN; their mails come in by a mailbox, a mail server, a hook or SES."

    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]:
        config = desk.find_config()
        domain, agency = (config.domain, config.agency.address or "") if config else (None, None)
        way = find_way(given.get("way", ""))
        return (
            Inquiry("way", "How does mail come in?", choices=tuple(Choice(each.name, each.says) for each in WAYS)),
            Inquiry(
                "domain",
                "Which mail domain do people write to?",
                "a name of its own is best, such as edit.example.com",
                as_in_the_file(Domain),
                domain,
            ),
            Inquiry(
                "agency",
                "What is your own mail address?",
                "for reports, and for questions that only you may answer",
                as_in_the_file(Address),
                agency or None,
            ),
            *(way.questions(desk, given) if way else ()),
        )

    def plan(self, desk: Desk, given: Given) -> StepPlan:
        way = _way(given)
        file = desk.file()
        text = TablesText(file.plain if file else _first_text(way, given))
        _require_engine(desk, way)
        text = text.with_table((), {"domain": given["domain"].lower()})
        text = text.with_table(("agency",), {"address": given["agency"]})
        made = way.applied(text, desk, given).text
        desk.check(made)
        return StepPlan(made, way.secrets(desk, given), way.deeds(desk, given), way.tells(desk, given))

    def check(self, desk: Desk, given: Given) -> Iterator[Check]:
        yield from _way(given).check(desk, given)


def _way(given: Given) -> MailWay:
    found = find_way(given.get("way", ""))
    if found is None:
        raise Refused("It is not said how mail comes in; answer `way`.")
    return found


def _first_text(way: MailWay, given: Given) -> str:
    domain, agency = given["domain"].lower(), given["agency"]
    write = example_config_on_aws if way.is_on_aws else example_config
    return write(domain=domain, agency=agency)


def _require_engine(desk: Desk, way: MailWay) -> None:
    config = desk.find_config()
    if config is not None and config.traits.is_one_machine == way.is_on_aws:
        where = "one machine" if config.traits.is_one_machine else "AWS"
        raise Refused(f"{desk.path} is for {where}; begin with another folder for `{way.name}`.")
