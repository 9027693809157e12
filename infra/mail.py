"""Mail: SES writes it into a bucket and says so with its verdicts; what came back is said on a second topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aws_cdk import Aws, CfnOutput
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as functions
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_ses as ses
from aws_cdk import aws_sns as sns
from constructs import Construct

from infra.buckets import bucket
from infra.lanes import plain_refused
from infra.rights import trusted
from infra.settings import Identity
from webordinary.engines.aws.account.regions import mail_exchanger
from webordinary.engines.aws.inbox import REPLAYS
from webordinary.engines.aws.s3.buckets import MAILS_KEPT, MEDIA_KEPT

if TYPE_CHECKING:
    from infra.arns import Arns
    from infra.settings import Settings

_RULE = "into-the-bucket"
# What SES writes; the engine's own objects and replays lie beside it.
_ARRIVED = "arrived/"
_SES = "ses.amazonaws.com"


class Mail(Construct):
    """The way in and the news about the way out; both end at intake."""

    def __init__(self, scope: Construct, settings: Settings, arns: Arns, intake: functions.CfnFunction) -> None:
        super().__init__(scope, "mail")
        self._arns = arns
        self._names = arns.names
        self._intake = intake
        self.key = self._key()
        self.mails = self._mails()
        bucket(self, "media", self._names.media_bucket(Aws.ACCOUNT_ID), kept=MEDIA_KEPT)
        arrived, returned = self._topic("mail"), self._topic("answers")
        self._receive(settings.domain, arrived)
        self._send(settings, returned)
        CfnOutput(self, "mx", value=mail_exchanger(settings.region), description="The MX record of the domain.")
        CfnOutput(
            self,
            "rules",
            value=f"aws ses set-active-receipt-rule-set --rule-set-name {self._names.receipt_rules}",
            description="Mail comes in once this was run: only one set of rules of an account is active.",
        )

    def _key(self) -> kms.Key:
        """Make the topics' key: their messages carry subjects and addresses, and SES can use no key of Amazon's."""
        key = kms.Key(self, "key", alias=f"alias/{self._names.prefix}", enable_key_rotation=True)
        for kind in (_SES, "cloudwatch.amazonaws.com"):
            key.add_to_resource_policy(_use_of_key(kind))
        return key

    def _mails(self) -> s3.CfnBucket:
        name = self._names.mails_bucket(Aws.ACCOUNT_ID)
        may_call = functions.CfnPermission(
            self,
            "replays",
            action="lambda:InvokeFunction",
            function_name=self._intake.ref,
            principal="s3.amazonaws.com",
            source_account=Aws.ACCOUNT_ID,
            source_arn=self._arns.mails,
        )
        told = s3.CfnBucket.NotificationConfigurationProperty(
            lambda_configurations=[
                s3.CfnBucket.LambdaConfigurationProperty(
                    event="s3:ObjectCreated:*",
                    function=self._intake.attr_arn,
                    filter=s3.CfnBucket.NotificationFilterProperty(
                        s3_key=s3.CfnBucket.S3KeyFilterProperty(
                            rules=[s3.CfnBucket.FilterRuleProperty(name="prefix", value=REPLAYS)]
                        )
                    ),
                )
            ]
        )
        made = bucket(self, "mails", name, kept=MAILS_KEPT, told=told, more=[_may_write(self._arns)])
        made.node.add_dependency(may_call)
        return made

    def _topic(self, name: str) -> sns.CfnTopic:
        """Make a topic that SES may write to and that calls intake."""
        full = f"{self._names.prefix}-{name}"
        topic = sns.CfnTopic(
            self,
            name,
            topic_name=full,
            kms_master_key_id=self.key.key_id,
            subscription=[
                sns.CfnTopic.SubscriptionProperty(endpoint=self._intake.attr_arn, protocol="lambda"),
            ],
        )
        sns.CfnTopicPolicy(
            self,
            f"{name}-policy",
            topics=[topic.ref],
            policy_document={
                "Version": "2012-10-17",
                "Statement": [_of_ses("sns:Publish", topic.ref), plain_refused("sns:Publish", topic.ref)],
            },
        )
        functions.CfnPermission(
            self,
            f"{name}-calls",
            action="lambda:InvokeFunction",
            function_name=self._intake.ref,
            principal="sns.amazonaws.com",
            source_arn=topic.ref,
        )
        return topic

    def _receive(self, domain: str, topic: sns.CfnTopic) -> None:
        rules = ses.CfnReceiptRuleSet(self, "rule-set", rule_set_name=self._names.receipt_rules)
        rule = ses.CfnReceiptRule(
            self,
            "rule",
            rule_set_name=rules.ref,
            rule=ses.CfnReceiptRule.RuleProperty(
                name=_RULE,
                enabled=True,
                scan_enabled=True,
                # With the dot: every project's own name below the domain.
                recipients=[domain, f".{domain}"],
                actions=[
                    ses.CfnReceiptRule.ActionProperty(
                        s3_action=ses.CfnReceiptRule.S3ActionProperty(
                            bucket_name=self.mails.ref, object_key_prefix=_ARRIVED, topic_arn=topic.ref
                        )
                    )
                ],
            ),
        )
        rule.node.add_dependency(self.node.find_child("mails-policy"), self.node.find_child("mail-policy"))

    def _send(self, settings: Settings, topic: sns.CfnTopic) -> None:
        answers = ses.CfnConfigurationSet(
            self,
            "configuration-set",
            name=self._names.answers,
            delivery_options=ses.CfnConfigurationSet.DeliveryOptionsProperty(tls_policy="REQUIRE"),
            reputation_options=ses.CfnConfigurationSet.ReputationOptionsProperty(reputation_metrics_enabled=True),
        )
        told = ses.CfnConfigurationSetEventDestination(
            self,
            "returned",
            configuration_set_name=answers.ref,
            event_destination=ses.CfnConfigurationSetEventDestination.EventDestinationProperty(
                name="returned",
                enabled=True,
                matching_event_types=["bounce", "complaint"],
                sns_destination=ses.CfnConfigurationSetEventDestination.SnsDestinationProperty(topic_arn=topic.ref),
            ),
        )
        told.node.add_dependency(self.node.find_child("answers-policy"))
        if settings.identity is Identity.EXISTING:
            given = f"--email-identity {settings.domain} --configuration-set-name {self._names.answers}"
            CfnOutput(
                self,
                "returns",
                value=f"aws sesv2 put-email-identity-configuration-set-attributes {given}",
                description="Answers that come back are noted once this was run.",
            )
            return
        # Its DNS records are told by `webordinary aws doctor`.
        ses.CfnEmailIdentity(
            self,
            "identity",
            email_identity=settings.domain,
            configuration_set_attributes=ses.CfnEmailIdentity.ConfigurationSetAttributesProperty(
                configuration_set_name=answers.ref
            ),
        )


def _use_of_key(kind: str) -> iam.PolicyStatement:
    return iam.PolicyStatement(
        principals=[trusted(kind)], actions=["kms:Decrypt", "kms:GenerateDataKey*"], resources=["*"]
    )


def _may_write(arns: Arns) -> dict[str, Any]:
    """Let SES write what arrives; it must come from our own rule."""
    said = _of_ses("s3:PutObject", f"{arns.mails}/{_ARRIVED}*")
    said["Condition"]["ArnEquals"] = {"aws:SourceArn": arns.receipt_rule(_RULE)}
    return said


def _of_ses(action: str, resource: str) -> dict[str, Any]:
    return {
        "Sid": "FromSes",
        "Effect": "Allow",
        "Principal": {"Service": _SES},
        "Action": action,
        "Resource": resource,
        "Condition": {"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}},
    }
