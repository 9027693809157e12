"""Amazon's SES: the whole installation then runs in an account of AWS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.config.amazon import Prefix, Region
from webordinary.findings import ok
from webordinary.setup.question import Inquiry, as_in_the_file
from webordinary.setup.ways.way import MailWay, Records
from webordinary.values import Address

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webordinary.config.tables import TablesText
    from webordinary.findings import Check
    from webordinary.setup.desk import Desk
    from webordinary.setup.question import Given


class SesWay(MailWay):
    """SES receives and sends."""

    name = "ses"
    says = "Amazon SES, with everything on AWS"
    is_on_aws = True

    def questions(self, desk: Desk, given: Given) -> Sequence[Inquiry]:  # noqa: ARG002 - all of them always
        return (
            Inquiry("region", "Which region?", "one in which SES receives mail", as_in_the_file(Region), "eu-west-1"),
            Inquiry(
                "prefix", "What should the name of everything begin with?", "", as_in_the_file(Prefix), "webordinary"
            ),
            Inquiry(
                "mail_from",
                "Which verified address does SES send answers from?",
                "empty: each answer's own",
                as_in_the_file(Address),
                "",
            ),
        )

    def applied(self, text: TablesText, desk: Desk, given: Given) -> TablesText:  # noqa: ARG002 - the answers say it
        keys = {"prefix": given["prefix"], "region": given["region"], "mail_from": given.get("mail_from") or None}
        return text.with_table(("aws",), keys)

    def tells(self, desk: Desk, given: Given) -> tuple[str, ...]:  # noqa: ARG002 - the same for all
        return (
            "Make the tables, buckets, functions and SES's receipt rule of that prefix (docs/howto/deploy-aws.md).",
            "Verify the domain at SES, with the DKIM records that it names.",
        )

    def check(self, desk: Desk, given: Given) -> Iterator[Check]:  # noqa: ARG002 - nobody's account is asked here
        aws = desk.config().aws
        yield ok("mail in", f"SES in {aws.region}, prefix {aws.prefix}; `webordinary doctor` looks into the account")

    def records(self, given: Given) -> Records:
        return Records(
            f"inbound-smtp.{given.get('region', '')}.amazonaws.com", "include:amazonses.com", has_names_below=True
        )
