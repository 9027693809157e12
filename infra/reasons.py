"""Looks at every template when it is written: what the checks find needs a reason, or nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Acknowledgment, Aws, Stack, Validations
from cdk_nag import AwsSolutionsChecks

from infra.exceptions import EXCEPTIONS
from webordinary.engines.aws.flow.functions import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import aws_cdk as cdk
    from constructs import IConstruct

    from infra.arns import Arns

_RULE = "AwsSolutions::AwsSolutions-{}"
_LANES = "The queues of a lane are made at its onboarding, so a role can know only how their names begin."
_OBJECTS = "Every object of this one bucket; their keys are hashes and names that nobody knows before."


def check(app: cdk.App, arns: Arns) -> None:
    """Let every template be looked at when it is written: a finding without a reason ends the synthesis."""
    Validations.of(app).add_plugins(AwsSolutionsChecks())
    for resource, why in wildcards(arns):
        named = resource.replace(Aws.ACCOUNT_ID, "<AWS::AccountId>")
        _accept(app, f"IAM5[Resource::{named}]", why)
    for stack in app.node.children:
        if isinstance(stack, Stack):
            _explain(stack)


def wildcards(arns: Arns) -> Iterator[tuple[str, str]]:
    """Return every right that names more than one thing, with why it has to."""
    for kind in ("input", "interrupts", "output", "dlq"):
        yield arns.lane_queues(kind), _LANES
    for bucket in (arns.mails, arns.media, arns.sites):
        yield f"{bucket}/*", _OBJECTS
    for function in FUNCTIONS:
        yield f"{arns.log_of(function.name)}:*", "The streams of a function's own log; Lambda names them."
    yield arns.keys, "AWS makes up what a key is called; the condition names the one by its alias."
    yield arns.git_secrets, "Each project has its own, made at its onboarding."
    yield (
        arns.identity("*"),
        "In SES's sandbox sending needs the right on the recipient; a condition fixes the sender.",
    )
    yield arns.tasks, "ECS names tasks when they start, and a task has to protect itself."
    for models in (arns.models, arns.profiles):
        yield models, "Which of its maker's models an agent may use stands in the configuration."


def _explain(stack: Stack) -> None:
    for path, rule, why in EXCEPTIONS:
        found = _below(stack, path.split("/"))
        if found is not None:
            _accept(found, rule, why)


def _below(place: IConstruct, names: Sequence[str]) -> IConstruct | None:
    found: IConstruct | None = place
    for name in names:
        found = found.node.try_find_child(name) if found is not None else None
    return found


def _accept(where: IConstruct, rule: str, why: str) -> None:
    Validations.of(where).acknowledge(Acknowledgment(id=_RULE.format(rule), reason=why))
