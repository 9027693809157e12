"""Where SES takes mail in: it sends mail from more regions than it receives mail in."""

from __future__ import annotations

from webordinary.errors import Misconfigured

# Each seen to take mail in; AWS adds regions now and then, so an operator who knows better may say so.
RECEIVING = frozenset(
    {
        "ap-northeast-1",
        "ap-south-1",
        "ap-southeast-1",
        "ap-southeast-2",
        "ap-southeast-3",
        "ca-central-1",
        "eu-central-1",
        "eu-north-1",
        "eu-west-1",
        "eu-west-2",
        "us-east-1",
        "us-east-2",
        "us-west-2",
    }
)


def check_receives(region: str) -> str:
    """Refuse a region in which mail would never arrive."""
    if region not in RECEIVING:
        raise Misconfigured(
            f"SES is not known to receive mail in {region[:60]!r}: take one of {', '.join(sorted(RECEIVING))}"
        )
    return region


def mail_exchanger(region: str) -> str:
    """Return what the MX record of the domain must say."""
    return f"10 inbound-smtp.{region}.amazonaws.com"
