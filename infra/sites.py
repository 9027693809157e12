"""Sites: one bucket of releases, and one distribution that leads each host to the release that is shown there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aws_cdk import Aws, CfnOutput, Duration, Fn
from aws_cdk import aws_certificatemanager as certificates
from aws_cdk import aws_cloudfront as cloudfront
from aws_cdk import aws_cloudfront_origins as origins
from aws_cdk import aws_s3 as s3
from constructs import Construct

from infra.buckets import bucket
from webordinary.engines.aws.flow.functions import site_delivery
from webordinary.engines.aws.s3.buckets import SITES_KEPT
from webordinary.engines.aws.s3.site_policy import SHOWN
from webordinary.engines.aws.sites import NOT_FOUND

if TYPE_CHECKING:
    from infra.arns import Arns
    from infra.settings import Settings


class Sites(Construct):
    """Nobody reads the bucket but CloudFront; without a certificate only CloudFront's own name leads here."""

    def __init__(self, scope: Construct, settings: Settings, arns: Arns) -> None:
        super().__init__(scope, "sites")
        names = arns.names
        self._store = cloudfront.CfnKeyValueStore(
            self, "store", name=names.routes, comment="From a host to the release that is shown there."
        )
        self.store = self._store.attr_arn
        self.distribution = self._distribution(settings, names.sites_bucket(Aws.ACCOUNT_ID))
        kept = bucket(
            self,
            "releases",
            names.sites_bucket(Aws.ACCOUNT_ID),
            kept=SITES_KEPT,
            more=[_may_read(arns, self.distribution.distribution_id)],
        )
        self.distribution.node.add_dependency(kept)
        CfnOutput(
            self,
            "address",
            value=self.distribution.distribution_domain_name,
            description="Where *.DOMAIN has to lead: a CNAME record.",
        )

    def _distribution(self, settings: Settings, name: str) -> cloudfront.Distribution:
        led = self._function(settings)
        events = (cloudfront.FunctionEventType.VIEWER_REQUEST, cloudfront.FunctionEventType.VIEWER_RESPONSE)
        aliases: dict[str, Any] = {}
        if settings.certificate:
            found = certificates.Certificate.from_certificate_arn(self, "certificate", settings.certificate)
            aliases = {"certificate": found, "domain_names": [f"*.{settings.domain}"]}
        releases = s3.Bucket.from_bucket_attributes(self, "origin", bucket_name=name, region=settings.region)
        return cloudfront.Distribution(
            self,
            "distribution",
            comment=f"Sites of {settings.prefix}",
            default_behavior=cloudfront.BehaviorOptions(
                origin=origins.S3BucketOrigin.with_origin_access_control(releases),
                viewer_protocol_policy=cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
                allowed_methods=cloudfront.AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
                compress=True,
                cache_policy=self._cached(settings),
                function_associations=[
                    cloudfront.FunctionAssociation(event_type=event, function=led) for event in events
                ],
            ),
            # What is missing looks forbidden to those who may not list.
            error_responses=[
                cloudfront.ErrorResponse(
                    http_status=status,
                    response_http_status=404,
                    response_page_path=f"/{NOT_FOUND}",
                    ttl=Duration.seconds(10),
                )
                for status in (403, 404)
            ],
            minimum_protocol_version=cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
            price_class=cloudfront.PriceClass.PRICE_CLASS_100,
            http_version=cloudfront.HttpVersion.HTTP2_AND_3,
            **aliases,
        )

    def _function(self, settings: Settings) -> cloudfront.Function:
        store = cloudfront.KeyValueStore.from_key_value_store_arn(self, "known-store", self.store)
        return cloudfront.Function(
            self,
            "delivery",
            function_name=f"{settings.prefix}-site-delivery-{settings.region}",
            comment="From a host and a path to a file of one release.",
            code=cloudfront.FunctionCode.from_inline(site_delivery(settings.domain)),
            runtime=cloudfront.FunctionRuntime.JS_2_0,
            key_value_store=store,
        )

    def _cached(self, settings: Settings) -> cloudfront.CachePolicy:
        """A release never changes, and the cache knows files by their release: they may stay for long."""
        return cloudfront.CachePolicy(
            self,
            "cached",
            cache_policy_name=f"{settings.prefix}-releases-{settings.region}",
            min_ttl=Duration.seconds(1),
            default_ttl=Duration.days(1),
            max_ttl=Duration.days(30),
            enable_accept_encoding_brotli=True,
            enable_accept_encoding_gzip=True,
        )


def _may_read(arns: Arns, distribution: str) -> dict[str, Any]:
    """Let visitors read what is shown, and not the pointers beside it."""
    whose = Fn.join("", [f"arn:aws:cloudfront::{Aws.ACCOUNT_ID}:distribution/", distribution])
    return {
        "Sid": "Visitors",
        "Effect": "Allow",
        "Principal": {"Service": "cloudfront.amazonaws.com"},
        "Action": "s3:GetObject",
        "Resource": [f"{arns.sites}/{shown}" for shown in SHOWN],
        "Condition": {"StringEquals": {"aws:SourceArn": whose}},
    }
