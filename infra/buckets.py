"""Buckets: encrypted, never public, and with an end for everything that may be forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aws_cdk import RemovalPolicy
from aws_cdk import aws_s3 as s3

from infra.lanes import plain_refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from constructs import Construct


_ABANDONED_DAYS = 1


def bucket(
    scope: Construct,
    what: str,
    name: str,
    *,
    rules: Sequence[s3.CfnBucket.RuleProperty] = (),
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
        lifecycle_configuration=s3.CfnBucket.LifecycleConfigurationProperty(rules=[_unfinished(), *rules]),
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


def gone_after(days: int, prefix: str | None = None) -> s3.CfnBucket.RuleProperty:
    """Return the end of all objects, or of those below a prefix."""
    of = (prefix or "all").strip("/").replace("/", "-")
    return s3.CfnBucket.RuleProperty(
        id=f"{of}-for-{days}-days", status="Enabled", prefix=prefix, expiration_in_days=days
    )


def _unfinished() -> s3.CfnBucket.RuleProperty:
    abandoned = s3.CfnBucket.AbortIncompleteMultipartUploadProperty(days_after_initiation=_ABANDONED_DAYS)
    return s3.CfnBucket.RuleProperty(
        id="unfinished-uploads", status="Enabled", abort_incomplete_multipart_upload=abandoned
    )
