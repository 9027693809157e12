"""Patches of CloudFormation: what a template says about flows, tables and buckets is done."""

from __future__ import annotations

import json
import re
from typing import Any

from moto.dynamodb.models.table import Table
from moto.s3.models import FakeBucket
from moto.stepfunctions import models
from moto.stepfunctions.models import StateMachine
from moto.stepfunctions.parser.models import stepfunctions_parser_backends

from webordinary_local_aws.moto_patches.patch import patch_method


def flows_of_templates() -> None:
    """Fix 12: a template's state machine was put where the interpreter does not look, its substitutions not made."""
    models.stepfunctions_backends = stepfunctions_parser_backends

    @patch_method(StateMachine, "create_from_cloudformation_json")
    def _(original: Any, resource_name: str, cloudformation_json: Any, *more: Any, **named: Any) -> Any:
        said = cloudformation_json["Properties"]
        definition = said.get("DefinitionString") or json.dumps(said.get("Definition"))
        known = said.get("DefinitionSubstitutions") or {}
        said["DefinitionString"] = re.sub(r"\$\{(\w+)\}", lambda found: str(known.get(found[1], found[0])), definition)
        return original(resource_name, cloudformation_json, *more, **named)


def lifetimes_of_templates() -> None:
    """Fix 13: a template's TimeToLiveSpecification was ignored."""

    @patch_method(Table, "create_from_cloudformation_json")
    def _(original: Any, resource_name: str, cloudformation_json: Any, *more: Any, **named: Any) -> Any:
        table = original(resource_name, cloudformation_json, *more, **named)
        wanted = cloudformation_json["Properties"].get("TimeToLiveSpecification")
        if wanted:
            table.ttl = {"TimeToLiveStatus": "ENABLED", "AttributeName": wanted["AttributeName"]}
        return table


def notices_of_templates() -> None:
    """Fix 14: a template's bucket told nobody of new objects."""

    @patch_method(FakeBucket, "create_from_cloudformation_json")
    def _(original: Any, resource_name: str, cloudformation_json: Any, *more: Any, **named: Any) -> Any:
        bucket = original(resource_name, cloudformation_json, *more, **named)
        wanted = cloudformation_json["Properties"].get("NotificationConfiguration")
        if wanted:
            bucket.set_notification_configuration(_as_the_interface_says_it(wanted))
        return bucket


_RECEIVERS = (
    ("LambdaConfigurations", "Function", "CloudFunction"),
    ("QueueConfigurations", "Queue", "Queue"),
    ("TopicConfigurations", "Topic", "Topic"),
)


def _as_the_interface_says_it(wanted: Any) -> dict[str, Any]:
    """Translate from the words of templates into those of PutBucketNotificationConfiguration."""
    return {
        f"{theirs}Configuration": [
            {theirs: one[ours], "Event": [one["Event"]], "Filter": _filter(one.get("Filter"))} for one in wanted[kind]
        ]
        for kind, ours, theirs in _RECEIVERS
        if wanted.get(kind)
    }


def _filter(wanted: Any) -> dict[str, Any] | None:
    if not wanted:
        return None
    rules = [{"Name": rule["Name"], "Value": rule["Value"]} for rule in wanted["S3Key"]["Rules"]]
    return {"S3Key": {"FilterRule": rules}}
