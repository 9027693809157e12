"""The steps of the walk, in their order; what is not in the list does not exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.setup.steps.agent import AgentStep
from webordinary.setup.steps.budget import BudgetStep
from webordinary.setup.steps.dns import DnsStep
from webordinary.setup.steps.editor import EditorStep
from webordinary.setup.steps.first_mail import FirstMailStep
from webordinary.setup.steps.mail import MailStep
from webordinary.setup.steps.outgoing import OutgoingStep
from webordinary.setup.steps.project import ProjectStep
from webordinary.setup.steps.sandbox import SandboxStep
from webordinary.setup.steps.site import SiteStep
from webordinary.setup.steps.unit import UnitStep

if TYPE_CHECKING:
    from webordinary.setup.step import SetupStep

STEPS: tuple[SetupStep, ...] = (
    MailStep(),
    DnsStep(),
    OutgoingStep(),
    SiteStep(),
    ProjectStep(),
    AgentStep(),
    SandboxStep(),
    BudgetStep(),
    EditorStep(),
    UnitStep(),
    FirstMailStep(),
)
