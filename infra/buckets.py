"""Buckets: encrypted, never public, and with an end for everything that may be forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aws_cdk import RemovalPolicy
from aws_cdk import aws_s3 as s3

from infra.lanes import plain_refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from constructs import Construct

    from webordinary.engines.aws.s3.buckets import KeptFor

_ABANDONED_DAYS = 1
# As far back as DynamoDB's point-in-time recovery goes.
RESTORABLE_DAYS = 35


def bucket(
    scope: Construct,
    what: str,
    name: str,
    *,
    kept: Sequence[KeptFor],
    told: s3.CfnBucket.NotificationConfigurationProperty | None = None,
    more: Sequence[dict[str, Any]] = (),
) -> s3.CfnBucket:
    """Make a bucket that outlives its stack, with its policy; `told` is who hears of new objects."""
    encrypted = s3.CfnBucket.ServerSideEncryptionRuleProperty(
        server_side_encryption_by_default=s3.CfnBucket.ServerSideEncryptionByDefaultProperty(sse_algorithm="AES256")
    )
    made = s3.CfnBucket(
        scope,
        what,
        bucket_name=name,
        bucket_encryption=s3.CfnBucket.BucketEncryptionProperty(server_side_encryption_configuration=[encrypted]),
        public_access_block_configuration=s3.CfnBucket.PublicAccessBlockConfigurationProperty(
            block_public_acls=True, block_public_policy=True, ignore_public_acls=True, restrict_public_buckets=True
        ),
        ownership_controls=s3.CfnBucket.OwnershipControlsProperty(
            rules=[s3.CfnBucket.OwnershipControlsRuleProperty(object_ownership="BucketOwnerEnforced")]
        ),
        lifecycle_configuration=s3.CfnBucket.LifecycleConfigurationProperty(
            rules=[_unfinished(), _replaced(), *map(_gone_after, kept)]
        ),
        versioning_configuration=s3.CfnBucket.VersioningConfigurationProperty(status="Enabled"),
        notification_configuration=told,
    )
    made.apply_removal_policy(RemovalPolicy.RETAIN)
    arn = made.attr_arn
    statements = [plain_refused("s3:*", arn, f"{arn}/*"), *more]
    s3.CfnBucketPolicy(
        scope,
        f"{what}-policy",
        bucket=made.ref,
        policy_document={"Version": "2012-10-17", "Statement": statements},
    )
    return made


def _gone_after(kept: KeptFor) -> s3.CfnBucket.RuleProperty:
    return s3.CfnBucket.RuleProperty(
        id=kept.name, status="Enabled", prefix=kept.prefix or None, expiration_in_days=kept.days
    )


def _replaced() -> s3.CfnBucket.RuleProperty:
    """What was overwritten or deleted can be had back for as long as the tables can."""
    return s3.CfnBucket.RuleProperty(
        id="replaced",
        status="Enabled",
        noncurrent_version_expiration=s3.CfnBucket.NoncurrentVersionExpirationProperty(noncurrent_days=RESTORABLE_DAYS),
        expired_object_delete_marker=True,
    )


def _unfinished() -> s3.CfnBucket.RuleProperty:
    abandoned = s3.CfnBucket.AbortIncompleteMultipartUploadProperty(days_after_initiation=_ABANDONED_DAYS)
    return s3.CfnBucket.RuleProperty(
        id="unfinished-uploads", status="Enabled", abort_incomplete_multipart_upload=abandoned
    )
