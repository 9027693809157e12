"""The stacks of an installation: what takes mail in and hands it on comes first, whoever works it off comes later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aws_cdk as cdk

from infra.arns import Arns
from infra.flow import Flow
from infra.functions import Functions
from infra.lanes import Lanes
from infra.mail import Mail
from infra.own_secrets import OwnSecrets

if TYPE_CHECKING:
    from constructs import Construct

    from infra.settings import Settings


class Dispatch(cdk.Stack):
    """From a mail to a lane: mail, lanes, functions and the flow."""

    def __init__(self, scope: Construct, settings: Settings) -> None:
        names = settings.names
        super().__init__(
            scope,
            names.prefix,
            env=cdk.Environment(region=settings.region),
            description="webordinary: mail in, lanes, functions and the flow",
            synthesizer=synthesizer(),
        )
        arns = Arns.of(settings)
        OwnSecrets(self, names)
        lanes = Lanes(self, arns)
        functions = Functions(self, settings, arns)
        functions.node.add_dependency(lanes)
        Flow(self, arns)
        Mail(self, settings, arns, functions.intake)


def synthesizer() -> cdk.DefaultStackSynthesizer:
    """Return what writes templates that anybody can deploy; doctor looks whether the account is bootstrapped."""
    return cdk.DefaultStackSynthesizer(generate_bootstrap_version_rule=False)


def build(app: cdk.App, settings: Settings) -> None:
    """Put every stack of the installation into the app."""
    Dispatch(app, settings)
