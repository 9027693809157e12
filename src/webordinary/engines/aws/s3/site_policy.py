"""Who may read the bucket of the sites: the distributions that show it, nobody without TLS; others' words stay."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from webordinary.engines.aws.faults import translated
from webordinary.engines.aws.s3.buckets import buckets
from webordinary.engines.aws.s3.places import OVERFLOW, PREVIEWS
from webordinary.engines.aws.sites import NOT_FOUND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.engines.aws.clients import Clients
    from webordinary.engines.aws.names import Names

VISITORS = "WebOrdinaryVisitors"
ONLY_TLS = "WebOrdinaryOnlyTls"
_CLOUDFRONT = "cloudfront.amazonaws.com"
# Releases, previews and the page for what they lack; not the pointers beside them, which only tell how they are named.
# `shown` is where earlier versions kept previews.
SHOWN = ("*/files/*", "*/shown/*", f"{PREVIEWS}*", f"{OVERFLOW}*", NOT_FOUND)


@dataclass(frozen=True, slots=True)
class Distribution:
    """A distribution of CloudFront that shows the sites: its ARN, its own host, and the names that it answers to."""

    arn: str
    host: str
    names: tuple[str, ...] = ()

    def answers_to(self, host: str) -> bool:
        """Say whether visitors of a host are let in; a wildcard stands for one label."""
        return host in self.names or f"*.{host.partition('.')[2]}" in self.names


@dataclass(frozen=True, slots=True)
class SitePolicy:
    """The policy of one bucket; asked twice it is changed once."""

    clients: Clients
    names: Names

    @property
    def bucket(self) -> str:
        return buckets(self.clients.s3, self.names.prefix, self.clients.account).sites.name

    def distributions(self) -> list[Distribution]:
        """Find what shows the bucket, by its origin."""
        client = self.clients.more("cloudfront")
        with translated("the distributions of CloudFront"):
            pages = client.get_paginator("list_distributions").paginate()
            found = [each for page in pages for each in page.get("DistributionList", {}).get("Items", ())]
        origin = f"{self.bucket}.s3."
        return [
            Distribution(each["ARN"], each["DomainName"], tuple(each.get("Aliases", {}).get("Items", ())))
            for each in found
            if any(one["DomainName"].startswith(origin) for one in each["Origins"]["Items"])
        ]

    def store(self) -> str | None:
        """Return the ARN of the key-value store that leads visitors, if the stack has made one."""
        client = self.clients.more("cloudfront")
        with translated("the key-value stores of CloudFront"):
            found = client.list_key_value_stores().get("KeyValueStoreList", {}).get("Items", ())
        return next((str(each["ARN"]) for each in found if each["Name"] == self.names.routes), None)

    def bring_up_to_date(self, distributions: Sequence[Distribution]) -> bool:
        """Say what is missing in the policy; return whether anything was."""
        before = self._read()
        theirs = [each for each in before.get("Statement", ()) if each.get("Sid") not in {VISITORS, ONLY_TLS}]
        ours = [] if any(map(_is_only_tls, theirs)) else [self._only_tls()]
        if unknown := [each.arn for each in distributions if not any(_lets_in(one, each.arn) for one in theirs)]:
            ours.append(self._visitors(unknown))
        after = {"Version": "2012-10-17", **before, "Statement": [*theirs, *ours]}
        if after == before:
            return False
        with translated(f"the bucket {self.bucket}"):
            self.clients.s3.put_bucket_policy(Bucket=self.bucket, Policy=json.dumps(after))
        return True

    def _read(self) -> dict[str, Any]:
        try:
            with translated(f"the bucket {self.bucket}", let_through=frozenset({"NoSuchBucketPolicy"})):
                read: dict[str, Any] = json.loads(self.clients.s3.get_bucket_policy(Bucket=self.bucket)["Policy"])
        except ClientError:
            return {}
        statement = read.get("Statement", [])
        return {**read, "Statement": [statement] if isinstance(statement, dict) else statement}

    @property
    def _arn(self) -> str:
        return f"arn:{self.clients.s3.meta.partition}:s3:::{self.bucket}"

    def _only_tls(self) -> dict[str, Any]:
        return {
            "Sid": ONLY_TLS,
            "Effect": "Deny",
            "Principal": "*",
            "Action": "s3:*",
            "Resource": [self._arn, f"{self._arn}/*"],
            "Condition": {"Bool": {"aws:SecureTransport": "false"}},
        }

    def _visitors(self, distributions: Sequence[str]) -> dict[str, Any]:
        return {
            "Sid": VISITORS,
            "Effect": "Allow",
            "Principal": {"Service": _CLOUDFRONT},
            "Action": "s3:GetObject",
            "Resource": [f"{self._arn}/{shown}" for shown in SHOWN],
            "Condition": {"StringEquals": {"AWS:SourceArn": sorted(distributions)}},
        }


def _is_only_tls(statement: dict[str, Any]) -> bool:
    asked = statement.get("Condition", {}).get("Bool", {})
    return statement.get("Effect") == "Deny" and str(asked.get("aws:SecureTransport")).lower() == "false"


def _lets_in(statement: dict[str, Any], distribution: str) -> bool:
    """Say whether somebody else, such as the stack, has let a distribution in already."""
    who = statement.get("Principal")
    served = who.get("Service") if isinstance(who, dict) else None
    named = json.dumps(statement.get("Condition", {}))
    return statement.get("Effect") == "Allow" and _CLOUDFRONT in _listed(served) and f'"{distribution}"' in named


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else [value]
