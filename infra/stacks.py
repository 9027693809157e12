"""The stacks of an installation: what takes mail in and hands it on comes first, whoever works it off comes later."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import aws_cdk as cdk

from infra.alarms import Alarms
from infra.arns import Arns
from infra.dashboard import Dashboard
from infra.face import Face
from infra.flow import Flow
from infra.functions import Functions
from infra.image import ImageRepository
from infra.lanes import Lanes
from infra.mail import Mail
from infra.own_secrets import OwnSecrets
from infra.reasons import check
from infra.sites import Sites
from infra.workers import Workers

if TYPE_CHECKING:
    from constructs import Construct

    from infra.settings import Settings


class _Part(cdk.Stack):
    """One stack, called by the prefix and by what it is for."""

    def __init__(self, scope: Construct, settings: Settings, what: str, description: str) -> None:
        super().__init__(
            scope,
            f"{settings.prefix}-{what}" if what else settings.prefix,
            env=cdk.Environment(region=settings.region),
            description=f"webordinary: {description}",
            # `aws doctor` and CDK's own command line say when an account was not prepared for CDK; a rule inside the
            # template would say it a third time and keep the template from servers that have no such thing.
            synthesizer=cdk.DefaultStackSynthesizer(generate_bootstrap_version_rule=False),
        )
        self.arns = Arns.of(settings)


class Image(_Part):
    """Deployed first, so that the image has a place."""

    def __init__(self, scope: Construct, settings: Settings) -> None:
        super().__init__(scope, settings, "image", "the repository of the image")
        ImageRepository(self, self.arns, settings.agent)


class Dispatch(_Part):
    """From a mail to a lane: mail, lanes, functions and the flow."""

    def __init__(self, scope: Construct, settings: Settings) -> None:
        super().__init__(scope, settings, "", "mail in, lanes, functions and the flow")
        OwnSecrets(self, self.arns.names)
        lanes = Lanes(self, self.arns)
        functions = Functions(self, settings, self.arns)
        functions.node.add_dependency(lanes)
        Flow(self, self.arns)
        Mail(self, settings, self.arns, functions.intake)


class Delivery(_Part):
    """Sites and the way of visitors to them."""

    def __init__(self, scope: Construct, settings: Settings) -> None:
        super().__init__(scope, settings, "sites", "releases and the way of visitors to them")
        self.sites = Sites(self, settings, self.arns)


class Work(_Part):
    """The workers and their network."""

    def __init__(self, scope: Construct, settings: Settings, store: str) -> None:
        super().__init__(scope, settings, "workers", "workers, as many as lanes need them")
        workers = Workers(self, settings, self.arns, store)
        if settings.dashboard:
            Face(self, settings, replace(self.arns, visitor_routes=store), workers)


class Watch(_Part):
    """What tells people."""

    def __init__(self, scope: Construct, settings: Settings) -> None:
        super().__init__(scope, settings, "watch", "alarms and the dashboard")
        alarms = Alarms(self, settings, self.arns)
        Dashboard(self, settings, alarms.all)


def build(app: cdk.App, settings: Settings) -> None:
    """Put every stack of the installation into the app, each after what it needs."""
    image, dispatch, delivery = Image(app, settings), Dispatch(app, settings), Delivery(app, settings)
    work, watch = Work(app, settings, delivery.sites.store), Watch(app, settings)
    dispatch.add_stack_dependency(image)
    for later in (work, watch):
        later.add_stack_dependency(dispatch)
    check(app, Arns.of(settings))
