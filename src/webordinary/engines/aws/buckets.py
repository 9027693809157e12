"""The buckets of an installation, as onboarding and tests make them and as the infrastructure must declare them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.engines.aws.bucket import Bucket
from webordinary.engines.aws.faults import translated

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import CreateBucketRequestTypeDef

# Where a bucket need not and must not say in which region it is.
_FIRST_REGION = "us-east-1"
_KEPT_MAILS = {"Rules": [{"ID": "kept-for-30-days", "Status": "Enabled", "Filter": {}, "Expiration": {"Days": 30}}]}


@dataclass(frozen=True, slots=True)
class Buckets:
    """Mails, files that came with them, and sites."""

    mails: Bucket
    media: Bucket
    sites: Bucket


def buckets(client: S3Client, prefix: str, account: str) -> Buckets:
    """Return the buckets; the account is in their names, because names of buckets belong to all the world."""
    return Buckets(
        mails=Bucket(client, f"{prefix}-ses-emails-{account}"),
        media=Bucket(client, f"{prefix}-media-{account}"),
        sites=Bucket(client, f"{prefix}-sites-{account}"),
    )


def create_buckets(client: S3Client, wanted: Buckets) -> None:
    """Make the buckets that are not there yet; none of them is public, and mails do not stay."""
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
    with translated(f"the bucket {wanted.mails.name}"):
        client.put_bucket_lifecycle_configuration(
            Bucket=wanted.mails.name,
            LifecycleConfiguration=_KEPT_MAILS,  # type: ignore[arg-type]  # the driver's own dictionary type is closed
        )


def _create(client: S3Client, name: str) -> None:
    request: CreateBucketRequestTypeDef = {"Bucket": name}
    region = client.meta.region_name
    if region != _FIRST_REGION:
        request["CreateBucketConfiguration"] = {"LocationConstraint": region}  # type: ignore[typeddict-item]  # a region is any text here, and a closed list there
    try:
        client.create_bucket(**request)
    except client.exceptions.BucketAlreadyOwnedByYou:
        return
