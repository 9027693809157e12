"""The domain at SES: whether it is proven, whether the account may write to everybody, and where its mail goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from webordinary.engines.aws.faults import translated
from webordinary.engines.aws.s3.buckets import buckets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mypy_boto3_ses import SESClient
    from mypy_boto3_ses.type_defs import ReceiptRuleOutputTypeDef

    from webordinary.engines.aws.clients import Clients
    from webordinary.engines.aws.names import Names

_SIGNING_ZONE = "dkim.amazonses.com"


@dataclass(frozen=True, slots=True)
class Identity:
    """What SES says about a domain; `tokens` are the names of its DKIM records in the zone of Amazon's keys."""

    domain: str
    exists: bool = False
    is_verified: bool = False
    tokens: tuple[str, ...] = ()
    zone: str = _SIGNING_ZONE
    mail_from: str | None = None


@dataclass(frozen=True, slots=True)
class MailDomain:
    """Looks, never changes anything."""

    clients: Clients
    names: Names
    domain: str

    def identity(self) -> Identity:
        """Return the domain's own identity, or that of a domain above it, which is good for all below."""
        own = self._identity(self.domain)
        labels = self.domain.split(".")
        above = (".".join(labels[first:]) for first in range(1, len(labels) - 1))
        if own.exists:
            return own
        return next((found for found in map(self._identity, above) if found.exists), own)

    def _identity(self, domain: str) -> Identity:
        try:
            with translated(f"the identity {domain}", let_through=frozenset({"NotFoundException"})):
                found = self.clients.ses.get_email_identity(EmailIdentity=domain)
        except ClientError:
            return Identity(domain)
        keys = found.get("DkimAttributes", {})
        return Identity(
            domain,
            exists=True,
            is_verified=found.get("VerifiedForSendingStatus", False),
            tokens=tuple(keys.get("Tokens", ())),
            zone=str(keys.get("SigningHostedZone") or _SIGNING_ZONE),
            mail_from=found.get("MailFromAttributes", {}).get("MailFromDomain") or None,
        )

    def is_in_sandbox(self) -> bool:
        """Say whether SES delivers only to addresses that were proven too."""
        with translated("the account at SES"):
            return not self.clients.ses.get_account().get("ProductionAccessEnabled", False)

    def is_received(self) -> bool:
        """Say whether the rules in force put mail to the domain into our bucket."""
        client: SESClient = self.clients.more("ses")
        with translated("the receipt rules of SES"):
            rules = client.describe_active_receipt_rule_set().get("Rules", ())
        return any(self._is_ours(rule) for rule in rules)

    def rule_sets(self) -> Sequence[str]:
        """Return the sets of rules that have one of ours, in force or not."""
        client: SESClient = self.clients.more("ses")
        with translated("the receipt rules of SES"):
            sets = [each.get("Name", "") for each in client.list_receipt_rule_sets().get("RuleSets", ())]
            found = {name: client.describe_receipt_rule_set(RuleSetName=name).get("Rules", ()) for name in sets}
        return [name for name, rules in found.items() if any(self._is_ours(rule) for rule in rules)]

    def _is_ours(self, rule: ReceiptRuleOutputTypeDef) -> bool:
        bucket = buckets(self.clients.s3, self.names.prefix, self.clients.account).mails.name
        places = [action.get("S3Action", {}).get("BucketName") for action in rule.get("Actions", ())]
        # A rule without recipients is for every domain that is proven.
        recipients = rule.get("Recipients") or [self.domain]
        return rule.get("Enabled", False) and bucket in places and self.domain in recipients
