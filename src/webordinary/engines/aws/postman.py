"""Hands a finished mail to SES, and says honestly when nobody knows whether it was taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from botocore import exceptions as boto

from webordinary.engines.aws.faults import translated
from webordinary.errors import JobFailed, TryAgain

if TYPE_CHECKING:
    from mypy_boto3_sesv2 import SESV2Client
    from mypy_boto3_sesv2.type_defs import SendEmailRequestTypeDef

# SES will never take this mail; everything else that it answers may pass.
_REFUSED = frozenset({"MessageRejected", "BadRequestException", "ValidationException"})
_UNVERIFIED = frozenset({"MailFromDomainNotVerifiedException", "NotFoundException"})


class SesPostman:
    """Sends each mail once: the client must not repeat a request by itself, because SES cannot tell a repetition.

    Without `sender` the mail's own From is used; its domain must be a verified identity.
    """

    def __init__(self, client: SESV2Client, sender: str | None = None) -> None:
        self._client = client
        self._sender = sender

    def deliver(self, raw: bytes, to: str) -> None:
        """Raise Unknown when the mail may have been sent, any other error when it was not."""
        request: SendEmailRequestTypeDef = {
            "Destination": {"ToAddresses": [to]},
            "Content": {"Raw": {"Data": raw}},
        }
        if self._sender is not None:
            request["FromEmailAddress"] = self._sender
        try:
            with translated("SES", let_through=_REFUSED | _UNVERIFIED):
                self._send(request)
        except boto.ClientError as error:
            reason = error.response.get("Error", {})
            raise JobFailed(
                f"SES refused the mail to {to} for good ({reason.get('Code')}: {reason.get('Message')}):"
                " verify the domain or the address there"
            ) from error

    def _send(self, request: SendEmailRequestTypeDef) -> None:
        try:
            self._client.send_email(**request)
        except boto.ConnectionError as error:
            # There was no connection, so nothing can have been sent.
            raise TryAgain(f"SES could not be reached ({error})") from error
