"""How far the agent and the build can reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.config import SandboxMode
from webordinary.config.tables import TablesText
from webordinary.errors import WebOrdinaryError
from webordinary.findings import fail, ok, warn
from webordinary.setup.plan import StepPlan
from webordinary.setup.question import Choice, Inquiry
from webordinary.setup.step import SetupStep
from webordinary.setup.ways import goes_to_aws

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.findings import Check
    from webordinary.setup.desk import Desk
    from webordinary.setup.question import Given

_MODES = (
    Choice("auto", "the best that works on this machine"),
    Choice("bubblewrap", "namespaces of their own; needs the package bubblewrap"),
    Choice("landlock", "what the kernel itself can keep from programs"),
    Choice("uid", "a user of their own; not enough for an agent with a model"),
    Choice("none", "nothing keeps them; for trials only"),
)


class SandboxStep(SetupStep):
    """The sandbox."""

    name = "sandbox"
    title = "Sandbox"
    why = "Agents and builds run programs that others wrote; a sandbox keeps them from everything else here."

    def not_needed(self, desk: Desk) -> str | None:
        return "on AWS workers are containers, which bring theirs" if goes_to_aws(desk) else None

    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]:  # noqa: ARG002 - always the same
        return (Inquiry("mode", "Which sandbox?", choices=_MODES, default="auto"),)

    def plan(self, desk: Desk, given: Given) -> StepPlan:
        text = TablesText(desk.text()).with_table(("sandbox",), {"mode": given["mode"]}).text
        desk.check(text)
        return StepPlan(text)

    def check(self, desk: Desk, given: Given) -> Iterator[Check]:  # noqa: ARG002 - the file says it all
        from webordinary.workspace.sandbox import choose_sandbox  # noqa: PLC0415 - heavy, and --list should be quick

        mode = desk.config().sandbox.mode
        if mode is SandboxMode.NONE:
            yield warn("sandbox", "none: builds and agents reach everything; for trials only")
            return
        try:
            yield ok("sandbox", f"{choose_sandbox(mode).name} works here")
        except WebOrdinaryError as problem:
            yield fail("sandbox", str(problem))
