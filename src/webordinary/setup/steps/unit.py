"""The service file: the program starts with the machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.errors import Refused
from webordinary.findings import ok, warn
from webordinary.setup.plan import OwnCommand, StepPlan
from webordinary.setup.question import NO, YES, Inquiry, yes_or_no
from webordinary.setup.step import SetupStep
from webordinary.setup.ways import goes_to_aws

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from webordinary.findings import Check
    from webordinary.setup.desk import Desk
    from webordinary.setup.question import Given

# The name by which `init` knows a configuration.
_NAME = "webordinary.toml"


class UnitStep(SetupStep):
    """The unit for systemd."""

    name = "service"
    title = "Service file"
    why = "As a service it starts with the machine and comes back when it has ended; root installs the file."

    def not_needed(self, desk: Desk) -> str | None:
        return "on AWS workers are containers (docs/howto/deploy-aws.md)" if goes_to_aws(desk) else None

    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]:  # noqa: ARG002 - always the same
        return (Inquiry("systemd", "Write a unit for systemd?", "no: you start it yourself", yes_or_no, YES),)

    def plan(self, desk: Desk, given: Given) -> StepPlan:
        desk.config()
        if given["systemd"] == NO:
            return StepPlan(tells=("Start it with `webordinary serve`.",))
        if desk.path.name != _NAME:
            raise Refused(f"A unit is written only for a file called {_NAME}; answer no, or give the file that name.")
        return StepPlan(deeds=(WriteUnit(("init", str(desk.folder), "--systemd")),))

    def check(self, desk: Desk, given: Given) -> Iterator[Check]:
        unit = _unit(desk)
        if given["systemd"] == NO:
            yield warn("service", "there is none: start it with `webordinary serve`")
        elif unit.is_file():
            yield ok("service", f"{unit} is written; root installs it")
        else:
            yield warn("service", f"{unit} is not there any more")


@dataclass(frozen=True, slots=True)
class WriteUnit(OwnCommand):
    """Writes the unit; its command knows its configuration by the folder."""

    def carry_out(self, desk: Desk) -> str:
        return self.told(desk.runner(self.words, is_talk=False))


def _unit(desk: Desk) -> Path:
    return desk.folder / "systemd" / "webordinary.service"
