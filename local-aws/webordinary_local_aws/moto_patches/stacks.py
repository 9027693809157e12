"""Patches of CloudFormation: kinds of resources that moto passes over although it has the thing itself."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from moto.cloudformation.parsing import get_model_list, get_model_map, get_name_type_map
from moto.cloudfront.models import cloudfront_backends
from moto.core.common_models import CloudFormationModel
from moto.ecs.models import TaskDefinition
from moto.s3.models import s3_backends
from moto.secretsmanager.models import secretsmanager_backends
from moto.sesv2.models import sesv2_backends

from webordinary_local_aws.moto_patches.patch import patch_method

Properties = dict[str, Any]
# What `Ref` and `Fn::GetAtt` say of a resource: its id, and its attributes by name.
Made = tuple[str, Mapping[str, str]]
Make = Callable[[Properties, str, str, str], Made]
_LENGTH = 32
# A class that nobody holds would be forgotten.
_models: list[type[CloudFormationModel]] = []


def resources_of_templates() -> None:
    """Fix 20: secrets, identities and rules of SES, and CloudFront's parts were passed over in templates.

    Where moto has nothing that could be made (alarms, caches, functions at the edge), only a name is kept, by which
    other resources can speak of it.
    """
    _models.extend(_model(kind, make) for kind, make in _KINDS.items())
    for known in (get_model_list, get_model_map, get_name_type_map):
        known.cache_clear()


def roles_of_tasks() -> None:
    """Fix 21: a template's task definition had no roles."""

    @patch_method(TaskDefinition, "create_from_cloudformation_json")
    def _(original: Any, resource_name: str, cloudformation_json: Any, *more: Any, **named: Any) -> Any:
        made = original(resource_name, cloudformation_json, *more, **named)
        said = cloudformation_json["Properties"]
        made.task_role_arn, made.execution_role_arn = said.get("TaskRoleArn"), said.get("ExecutionRoleArn")
        return made


def _model(kind: str, make: Make) -> type[CloudFormationModel]:
    class Resource(CloudFormationModel):  # type: ignore[misc]  # moto has no types
        def __init__(self, physical: str, attributes: Mapping[str, str]) -> None:
            self.physical_resource_id = physical
            self._attributes = attributes

        @staticmethod
        def cloudformation_name_type() -> str:
            return ""

        @staticmethod
        def cloudformation_type() -> str:
            return kind

        @classmethod
        def has_cfn_attr(cls, _attr: str) -> bool:
            return True

        def get_cfn_attribute(self, attribute_name: str) -> str:
            return self._attributes[attribute_name]

        @classmethod
        def create_from_cloudformation_json(
            cls, resource_name: str, cloudformation_json: Any, account_id: str, region_name: str, **_: Any
        ) -> Any:
            return cls(*make(cloudformation_json.get("Properties", {}), account_id, region_name, resource_name))

    return Resource


def _secret(said: Properties, account: str, region: str, _name: str) -> Made:
    wanted = said.get("GenerateSecretString", {})
    made_up = secrets.token_hex(int(wanted.get("PasswordLength", _LENGTH)) // 2)
    value = made_up if "GenerateSecretString" in said else said.get("SecretString")
    kept = secretsmanager_backends[account][region]
    kept.create_secret(said["Name"], value, None, said.get("Description"), None, None, None, [], force_overwrite=False)
    return kept.secrets[said["Name"]].arn, {"Id": kept.secrets[said["Name"]].arn}


def _bucket_policy(said: Properties, account: str, _region: str, _name: str) -> Made:
    s3_backends[account]["aws"].put_bucket_policy(said["Bucket"], json.dumps(said["PolicyDocument"]).encode())
    return str(said["Bucket"]), {}


def _identity(said: Properties, account: str, region: str, _name: str) -> Made:
    domain = said["EmailIdentity"]
    made = sesv2_backends[account][region].create_email_identity(domain, None, None, None)
    tokens = made.dkim_attributes.get("Tokens", [])
    named = {f"DkimDNSTokenName{number}": f"{each}._domainkey.{domain}" for number, each in enumerate(tokens, 1)}
    led = {f"DkimDNSTokenValue{number}": f"{each}.dkim.amazonses.com" for number, each in enumerate(tokens, 1)}
    return domain, {**named, **led}


def _rule_set(said: Properties, account: str, region: str, name: str) -> Made:
    wanted = said.get("RuleSetName", name)
    sesv2_backends[account][region].core_backend.create_receipt_rule_set(wanted)
    return wanted, {}


def _rule(said: Properties, account: str, region: str, name: str) -> Made:
    rule = {"Name": name, **said["Rule"]}
    sesv2_backends[account][region].core_backend.create_receipt_rule(said["RuleSetName"], rule, said.get("After"))
    return rule["Name"], {}


def _store(said: Properties, account: str, _region: str, _name: str) -> Made:
    made = cloudfront_backends[account]["aws"].create_key_value_store(said["Name"], said.get("Comment", ""), [])
    return said["Name"], {"Arn": made.arn, "Id": made.id}


def _distribution(said: Properties, account: str, _region: str, name: str) -> Made:
    config = said["DistributionConfig"]
    origins = [{"Id": each["Id"], "DomainName": each["DomainName"]} for each in config["Origins"]]
    behaviour = {key: config["DefaultCacheBehavior"][key] for key in ("TargetOriginId", "ViewerProtocolPolicy")}
    wanted = {
        "CallerReference": name,
        "Comment": config.get("Comment", ""),
        "Enabled": config["Enabled"],
        "Origins": {"Quantity": len(origins), "Items": origins},
        "DefaultCacheBehavior": behaviour,
    }
    made, _, _ = cloudfront_backends[account]["aws"].create_distribution(wanted, [])
    return made.distribution_id, {"DomainName": made.domain_name, "Id": made.distribution_id}


def _named(said: Properties, account: str, region: str, name: str) -> Made:
    """Keep a name only: nothing of it can be looked at here."""
    called = said.get("AlarmName") or said.get("Name") or name
    arn = f"arn:aws:local:{region}:{account}:{called}"
    return called, dict.fromkeys(("Arn", "Id", "FunctionARN", "Ref"), arn)


_KINDS: dict[str, Make] = {
    "AWS::SecretsManager::Secret": _secret,
    "AWS::S3::BucketPolicy": _bucket_policy,
    "AWS::SES::EmailIdentity": _identity,
    "AWS::SES::ReceiptRuleSet": _rule_set,
    "AWS::SES::ReceiptRule": _rule,
    "AWS::SES::ConfigurationSet": _named,
    "AWS::CloudFront::KeyValueStore": _store,
    "AWS::CloudFront::Distribution": _distribution,
    "AWS::CloudFront::Function": _named,
    "AWS::CloudFront::CachePolicy": _named,
    "AWS::CloudFront::OriginAccessControl": _named,
    "AWS::CloudWatch::Alarm": _named,
    "AWS::ApplicationAutoScaling::ScalableTarget": _named,
    "AWS::ApplicationAutoScaling::ScalingPolicy": _named,
}
