"""A template's secrets, mail, sites, roles and policies are really there on the local server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import boto3
import pytest

from tests.rigs.aws_ports import aws_clients, aws_server
from webordinary.engines.aws.account.mail_domain import MailDomain
from webordinary.engines.aws.names import Names
from webordinary.engines.aws.s3.site_policy import SitePolicy
from webordinary_local_aws.server import ACCOUNT, REGION

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = Names("stacked")
DOMAIN = "stacked.example.com"
MAILS, SITES = NAMES.mails_bucket(ACCOUNT), NAMES.sites_bucket(ACCOUNT)
ONLY_TLS = {
    "Effect": "Deny",
    "Principal": "*",
    "Action": "s3:*",
    "Resource": [f"arn:aws:s3:::{SITES}", f"arn:aws:s3:::{SITES}/*"],
    "Condition": {"Bool": {"aws:SecureTransport": "false"}},
}
RESOURCES: dict[str, Any] = {
    "Key": {"Type": "AWS::SecretsManager::Secret", "Properties": {"Name": "stacked/key", "GenerateSecretString": {}}},
    "Said": {"Type": "AWS::SecretsManager::Secret", "Properties": {"Name": "stacked/said", "SecretString": "words"}},
    "Identity": {"Type": "AWS::SES::EmailIdentity", "Properties": {"EmailIdentity": DOMAIN}},
    "Mails": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": MAILS}},
    "Rules": {"Type": "AWS::SES::ReceiptRuleSet", "Properties": {"RuleSetName": "stacked"}},
    "Rule": {
        "Type": "AWS::SES::ReceiptRule",
        "Properties": {
            "RuleSetName": {"Ref": "Rules"},
            "Rule": {
                "Name": "in",
                "Enabled": True,
                "Recipients": [DOMAIN],
                "Actions": [{"S3Action": {"BucketName": {"Ref": "Mails"}}}],
            },
        },
    },
    "Sites": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": SITES}},
    "Policy": {
        "Type": "AWS::S3::BucketPolicy",
        "Properties": {"Bucket": {"Ref": "Sites"}, "PolicyDocument": {"Statement": [ONLY_TLS]}},
    },
    "Store": {"Type": "AWS::CloudFront::KeyValueStore", "Properties": {"Name": "stacked-routes"}},
    "Shown": {
        "Type": "AWS::CloudFront::Distribution",
        "Properties": {
            "DistributionConfig": {
                "Enabled": True,
                "Origins": [{"Id": "sites", "DomainName": f"{SITES}.s3.{REGION}.amazonaws.com"}],
                "DefaultCacheBehavior": {"TargetOriginId": "sites", "ViewerProtocolPolicy": "redirect-to-https"},
            }
        },
    },
    "Task": {
        "Type": "AWS::ECS::TaskDefinition",
        "Properties": {
            "Family": "stacked",
            "Memory": "512",
            "TaskRoleArn": "arn:aws:iam::123456789012:role/task",
            "ExecutionRoleArn": "arn:aws:iam::123456789012:role/start",
            "ContainerDefinitions": [{"Name": "worker", "Image": "x", "Memory": 512}],
        },
    },
    "Alarm": {"Type": "AWS::CloudWatch::Alarm", "Properties": {"AlarmName": "stacked-alarm"}},
}
OUTPUTS = {
    "store": {"Value": {"Fn::GetAtt": ["Store", "Arn"]}},
    "host": {"Value": {"Fn::GetAtt": ["Shown", "DomainName"]}},
    "alarm": {"Value": {"Fn::GetAtt": ["Alarm", "Arn"]}},
}


@pytest.fixture(scope="module")
def outputs() -> Iterator[dict[str, str]]:
    client = boto3.client("cloudformation", **aws_server().connection())
    client.create_stack(StackName="stacked", TemplateBody=json.dumps({"Resources": RESOURCES, "Outputs": OUTPUTS}))
    (stack,) = client.describe_stacks(StackName="stacked")["Stacks"]
    yield {each["OutputKey"]: each["OutputValue"] for each in stack["Outputs"]}
    client.close()


def test_secrets_of_a_template_hold_what_it_says_or_what_was_made_up(outputs: dict[str, str]) -> None:
    kept = aws_clients().more("secretsmanager")
    assert outputs["alarm"].endswith("stacked-alarm")
    assert kept.get_secret_value(SecretId="stacked/said")["SecretString"] == "words"
    assert len(kept.get_secret_value(SecretId="stacked/key")["SecretString"]) == 32


def test_mail_of_a_template_is_received_once_its_rules_are_in_force(outputs: dict[str, str]) -> None:
    mail = MailDomain(aws_clients(), NAMES, DOMAIN)
    assert outputs
    assert (len(mail.identity().tokens), mail.is_received(), mail.rule_sets()) == (3, False, ["stacked"])
    aws_clients().more("ses").set_active_receipt_rule_set(RuleSetName="stacked")
    assert mail.is_received()


def test_sites_of_a_template_have_their_policy_and_are_shown(outputs: dict[str, str]) -> None:
    (found,) = SitePolicy(aws_clients(), NAMES).distributions()
    assert found.host == outputs["host"]
    policy = json.loads(aws_clients().s3.get_bucket_policy(Bucket=SITES)["Policy"])
    assert policy["Statement"] == [ONLY_TLS]
    known = aws_clients().more("cloudfront").describe_key_value_store(Name="stacked-routes")["KeyValueStore"]
    assert known["ARN"] == outputs["store"]


def test_a_task_of_a_template_has_its_roles(outputs: dict[str, str]) -> None:
    assert outputs
    task = aws_clients().more("ecs").describe_task_definition(taskDefinition="stacked")["taskDefinition"]
    assert [task[each].rpartition("/")[2] for each in ("taskRoleArn", "executionRoleArn")] == ["task", "start"]
