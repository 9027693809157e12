"""The installation's own secrets in Secrets Manager: which there are, and how a function learns one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import boto3

from webordinary.engines.aws.faults import translated

if TYPE_CHECKING:
    from collections.abc import Mapping

# What stands in a secret that nobody has set yet; long enough to be read as a key, so that nothing fails to start.
UNSET = "not-set-yet-put-the-real-one-here"
# Lambda has no way of its own to hand a secret over, so a function is told the name and asks.
REPLY_KEY_SECRET = "REPLY_KEY_SECRET"  # noqa: S105 - the name of a variable
_REPLY_KEY = "WEBORDINARY_MAIL_REPLY_KEY"


@dataclass(frozen=True, slots=True)
class OwnSecret:
    """One secret: its name behind the prefix, the worker's variable that holds it, and whether AWS can make it up."""

    name: str
    variable: str
    what: str
    is_made_up: bool = False


REPLY_KEY = OwnSecret("reply-key", _REPLY_KEY, "The key of the reply addresses.", is_made_up=True)
MODEL = OwnSecret("model", "WEBORDINARY_AGENT_KEY", "What opens the model's servers; unused with Bedrock.")
SECRETS = (REPLY_KEY, MODEL)


def with_secrets(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables with the secret that one of them names read in its place."""
    known = dict(environ)
    named = known.pop(REPLY_KEY_SECRET, "")
    if named:
        with translated(f"the secret {named}"):
            told = boto3.client("secretsmanager").get_secret_value(SecretId=named)
        known[_REPLY_KEY] = told["SecretString"]
    return known
