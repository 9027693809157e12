"""Hands a finished mail to SES, and says honestly when nobody knows whether it was taken."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from botocore import exceptions as boto

from webordinary.engines.aws.faults import translated
from webordinary.errors import JobFailed, TryAgain

if TYPE_CHECKING:
    from mypy_boto3_sesv2 import SESV2Client
    from mypy_boto3_sesv2.type_defs import SendEmailRequestTypeDef

# SES will never take this mail; everything else that it answers may pass.
_REFUSED = frozenset({"MessageRejected", "BadRequestException", "ValidationException"})
# The region whose name SES leaves out of its ids.
_FIRST_REGION = "us-east-1"
_OWN_ID = re.compile(rb"^message-id:[ \t]*(<[^>\r\n]+>)", re.IGNORECASE | re.MULTILINE)
_REFERENCES = re.compile(rb"^references:(?:[^\r\n]*\r?\n[ \t])*[^\r\n]*", re.IGNORECASE | re.MULTILINE)
_UNVERIFIED = frozenset({"MailFromDomainNotVerifiedException", "NotFoundException"})


class SesSender:
    """Sends each mail once: the client must not repeat a request by itself, because SES cannot tell a repetition.

    SES gives each mail a Message-ID of its own; ours stays in the References, which replies copy. Without `sender`
    the mail's own From is used; its domain must be a verified identity.
    """

    def __init__(self, client: SESV2Client, sender: str | None = None) -> None:
        self._client = client
        self._sender = sender

    def deliver(self, raw: bytes, to: str) -> str:
        """Return the id that SES gave the mail; Unknown when it may have been sent, other errors when it was not."""
        request: SendEmailRequestTypeDef = {
            "Destination": {"ToAddresses": [to]},
            "Content": {"Raw": {"Data": with_own_id_kept(raw)}},
        }
        if self._sender is not None:
            request["FromEmailAddress"] = self._sender
        try:
            with translated("SES", let_through=_REFUSED | _UNVERIFIED):
                return self._send(request)
        except boto.ClientError as error:
            reason = error.response.get("Error", {})
            raise JobFailed(
                f"SES refused the mail to {to} for good ({reason.get('Code')}: {reason.get('Message')}):"
                " verify the domain or the address there"
            ) from error

    def _send(self, request: SendEmailRequestTypeDef) -> str:
        try:
            name = self._client.send_email(**request)["MessageId"]
        except boto.ConnectionError as error:
            # There was no connection, so nothing can have been sent.
            raise TryAgain(f"SES could not be reached ({error})") from error
        region = self._client.meta.region_name
        return f"{name}@{'email' if region == _FIRST_REGION else region}.amazonses.com"


def with_own_id_kept(raw: bytes) -> bytes:
    """Return the mail with its own Message-ID at the end of its References."""
    end = raw.find(b"\r\n\r\n")
    headers, rest = raw[:end], raw[end:]
    own = _OWN_ID.search(headers) if end >= 0 else None
    if own is None:
        return raw
    known = _REFERENCES.search(headers)
    if known is None:
        return headers + b"\r\nReferences: " + own[1] + rest
    return headers[: known.end()] + b"\r\n " + own[1] + headers[known.end() :] + rest
