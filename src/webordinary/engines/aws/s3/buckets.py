"""The buckets of an installation, as onboarding and tests make them and as the infrastructure must declare them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.engines.aws.faults import translated
from webordinary.engines.aws.names import Names
from webordinary.engines.aws.s3.bucket import Bucket

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import BucketLifecycleConfigurationTypeDef, CreateBucketRequestTypeDef

# Where a bucket need not and must not say in which region it is.
_FIRST_REGION = "us-east-1"
# As long as a raw mail is kept by the embedded engine.
MAILS_KEPT_DAYS = 30
# A file is in the site's repository once its job is done; until then jobs may wait, fail and be asked for again.
MEDIA_KEPT_DAYS = 90


@dataclass(frozen=True, slots=True)
class Buckets:
    """Mails, files that came with them, and sites."""

    mails: Bucket
    media: Bucket
    sites: Bucket


def buckets(client: S3Client, prefix: str, account: str) -> Buckets:
    """Return the buckets of an installation."""
    names = Names(prefix)
    return Buckets(
        mails=Bucket(client, names.mails_bucket(account)),
        media=Bucket(client, names.media_bucket(account)),
        sites=Bucket(client, names.sites_bucket(account)),
    )


def create_buckets(client: S3Client, wanted: Buckets) -> None:
    """Make the buckets that are not there yet; none of them is public, and mails and files do not stay."""
    for bucket in (wanted.mails, wanted.media, wanted.sites):
        with translated(f"the bucket {bucket.name}"):
            _create(client, bucket.name)
            client.put_public_access_block(
                Bucket=bucket.name,
                PublicAccessBlockConfiguration={
                    "BlockPublicAcls": True,
                    "IgnorePublicAcls": True,
                    "BlockPublicPolicy": True,
                    "RestrictPublicBuckets": True,
                },
            )
    for bucket, days in ((wanted.mails, MAILS_KEPT_DAYS), (wanted.media, MEDIA_KEPT_DAYS)):
        with translated(f"the bucket {bucket.name}"):
            client.put_bucket_lifecycle_configuration(Bucket=bucket.name, LifecycleConfiguration=_gone_after(days))


def _gone_after(days: int) -> BucketLifecycleConfigurationTypeDef:
    rule = {"ID": f"kept-for-{days}-days", "Status": "Enabled", "Filter": {}, "Expiration": {"Days": days}}
    return {"Rules": [rule]}  # type: ignore[list-item]  # the driver's own dictionary type is closed


def _create(client: S3Client, name: str) -> None:
    request: CreateBucketRequestTypeDef = {"Bucket": name}
    region = client.meta.region_name
    if region != _FIRST_REGION:
        request["CreateBucketConfiguration"] = {"LocationConstraint": region}  # type: ignore[typeddict-item]  # a region is any text here, and a closed list there
    try:
        client.create_bucket(**request)
    except client.exceptions.BucketAlreadyOwnedByYou:
        return
