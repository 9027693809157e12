"""Signs requests to services of AWS that are asked without their own client, such as a model behind the relay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import boto3
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.exceptions import BotoCoreError

from webordinary.errors import Misconfigured

if TYPE_CHECKING:
    from collections.abc import Mapping

    from botocore.credentials import Credentials

_BEDROCK = "bedrock"


@dataclass(frozen=True, slots=True)
class Signer:
    """The credentials of this machine for one region; fresh ones are taken as the old ones end."""

    region: str
    credentials: Credentials

    def sign(self, method: str, address: str, headers: Mapping[str, str], body: bytes) -> Mapping[str, str]:
        """Return the headers with a signature over all of the request."""
        request = AWSRequest(method=method, url=address, headers=dict(headers), data=body)
        try:
            SigV4Auth(self.credentials.get_frozen_credentials(), _BEDROCK, self.region).add_auth(request)
        except BotoCoreError as problem:
            raise Misconfigured(f"AWS's credentials cannot be used ({problem}): renew them") from problem
        return dict(request.headers.items())


def open_signer(region: str | None) -> Signer:
    """Find the credentials and the region of this machine."""
    session = boto3.Session(region_name=region)
    credentials = session.get_credentials()
    if credentials is None or session.region_name is None:
        raise Misconfigured("Bedrock needs AWS credentials and a region: set them for this machine, or `aws.region`")
    return Signer(session.region_name, credentials)
