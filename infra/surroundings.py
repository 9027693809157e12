"""What a function and a worker are told by their variables about the installation that they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import Aws

if TYPE_CHECKING:
    from infra.settings import Settings


def surroundings(settings: Settings) -> dict[str, str]:
    """Return what is the same for all; the region is told by AWS itself, the projects stand in a table."""
    known = {
        "WEBORDINARY_ENGINE": "aws",
        "WEBORDINARY_DOMAIN": settings.domain,
        "WEBORDINARY_AWS_PREFIX": settings.prefix,
        "AWS_ACCOUNT_ID": Aws.ACCOUNT_ID,
    }
    if settings.restored:
        known["WEBORDINARY_AWS_RESTORED"] = settings.restored
    return {**known, **({"WEBORDINARY_AGENCY_ADDRESS": settings.agency} if settings.agency else {})}
