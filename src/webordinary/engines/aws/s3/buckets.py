"""The buckets of an installation, as onboarding and tests make them and as the infrastructure must declare them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webordinary.engines.aws.faults import translated
from webordinary.engines.aws.names import Names
from webordinary.engines.aws.s3.bucket import Bucket
from webordinary.engines.aws.s3.places import PREVIEWS, WAITING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import BucketLifecycleConfigurationTypeDef, CreateBucketRequestTypeDef

# Where a bucket need not and must not say in which region it is.
_FIRST_REGION = "us-east-1"
# As long as a raw mail is kept by the embedded engine.
MAILS_KEPT_DAYS = 30
# A file is in the site's repository once its job is done; until then jobs may wait, fail and be asked for again.
MEDIA_KEPT_DAYS = 90
# Housekeeping removes a preview after `retention.previews`, unless somebody still has to look at it; this is the end of
# what nobody tends any more. Whoever shows one again renews what is older than 30 days.
PREVIEWS_KEPT_DAYS = 180
_WISHES_KEPT_DAYS = 1


@dataclass(frozen=True, slots=True)
class KeptFor:
    """How long objects below a prefix stay; without one it is every object."""

    days: int
    prefix: str = ""

    @property
    def name(self) -> str:
        return f"{self.prefix.strip('/_') or 'all'}-for-{self.days}-days"


MAILS_KEPT = (KeptFor(MAILS_KEPT_DAYS),)
MEDIA_KEPT = (KeptFor(MEDIA_KEPT_DAYS),)
# Releases have no end by age, because one may be live for years: each publishing removes those that are too many.
SITES_KEPT = (KeptFor(PREVIEWS_KEPT_DAYS, PREVIEWS), KeptFor(_WISHES_KEPT_DAYS, WAITING))


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
    for bucket, kept in ((wanted.mails, MAILS_KEPT), (wanted.media, MEDIA_KEPT), (wanted.sites, SITES_KEPT)):
        with translated(f"the bucket {bucket.name}"):
            client.put_bucket_lifecycle_configuration(Bucket=bucket.name, LifecycleConfiguration=_rules(kept))


def _rules(kept: Iterable[KeptFor]) -> BucketLifecycleConfigurationTypeDef:
    rules = [
        {"ID": each.name, "Status": "Enabled", "Filter": {"Prefix": each.prefix}, "Expiration": {"Days": each.days}}
        for each in kept
    ]
    return {"Rules": rules}  # type: ignore[typeddict-item]  # the driver's own dictionary type is closed


def _create(client: S3Client, name: str) -> None:
    request: CreateBucketRequestTypeDef = {"Bucket": name}
    region = client.meta.region_name
    if region != _FIRST_REGION:
        request["CreateBucketConfiguration"] = {"LocationConstraint": region}  # type: ignore[typeddict-item]  # a region is any text here, and a closed list there
    try:
        client.create_bucket(**request)
    except client.exceptions.BucketAlreadyOwnedByYou:
        return
