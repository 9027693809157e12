"""Patches of SES: an identity has the records that prove it, and an account says whether it may write to everybody."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from moto.ses.models import EmailIdentity
from moto.sesv2 import urls
from moto.sesv2.responses import SESV2Response

from webordinary_local_aws.moto_patches.patch import patch_method

_TOKENS = 3
_TOKEN_LENGTH = 32


def proven_identities() -> None:
    """Fix 16: an identity had no DKIM tokens and could never be verified.

    Here, where no name server is asked, one that was made with signing attributes counts as proven; others wait.
    """

    @patch_method(EmailIdentity, "__init__")
    def _(original: Any, self: Any, email_identity: str, *more: Any, **named: Any) -> None:
        original(self, email_identity, *more, **named)
        proven = self.dkim_attributes["Status"] == "SUCCESS"
        self.verified_for_sending_status = proven
        self.verification_status = "SUCCESS" if proven else "PENDING"
        if self.identity_type == "DOMAIN":
            hashes = (hashlib.sha256(f"{email_identity} {number}".encode()).hexdigest() for number in range(_TOKENS))
            signing = {"SigningEnabled": True, "Tokens": [each[:_TOKEN_LENGTH] for each in hashes]}
            self.dkim_attributes |= {**signing, "Status": "SUCCESS" if proven else "PENDING"}


def accounts_in_the_sandbox() -> None:
    """Fix 17: GetAccount and PutAccountDetails were not there; asked for production access, it is given at once."""
    known: dict[tuple[str, str], dict[str, Any]] = {}

    def account_of(response: Any) -> dict[str, Any]:
        return known.setdefault(
            (response.current_account, response.region),
            {"ProductionAccessEnabled": False, "SendingEnabled": True, "EnforcementStatus": "HEALTHY"},
        )

    def tell(self: Any) -> str:
        return json.dumps(account_of(self))

    def change(self: Any) -> str:
        account_of(self)["ProductionAccessEnabled"] = bool(json.loads(self.body).get("ProductionAccessEnabled"))
        return "{}"

    SESV2Response.get_account = tell
    SESV2Response.put_account_details = change
    for path in ("account", "account/details"):
        urls.url_paths[f"{{0}}/v2/email/{path}$"] = SESV2Response.dispatch
