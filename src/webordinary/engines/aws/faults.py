"""AWS's errors, translated into what the caller should do."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from botocore import exceptions as boto

from webordinary.errors import LostOwnership, Misconfigured, Refused, TryAgain

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


class Stale(TryAgain):
    """Somebody else wrote between the look and the write."""


class Unknown(TryAgain):
    """Nobody said whether the write has happened: look again and compare."""


_OUTRUN = {"ConditionalCheckFailed", "TransactionConflict"}
# A single write that meets somebody's transaction is not among them: nobody has looked at its condition.
_STALE = {"ConditionalCheckFailedException"}
_MISSING = {
    "ResourceNotFoundException",
    "AWS.SimpleQueueService.NonExistentQueue",
    "QueueDoesNotExist",
    "NoSuchBucket",
    "StateMachineDoesNotExist",
    "StateMachineDeleting",
    "InvalidArn",
}
_REFUSED_KEYS = {
    "UnrecognizedClientException": "the access key is not known: check the credentials",
    "InvalidClientTokenId": "the access key is not known: check the credentials",
    "InvalidAccessKeyId": "the access key is not known: check the credentials",
    "InvalidSignatureException": "the secret key is wrong or this machine's clock is: check both",
    "SignatureDoesNotMatch": "the secret key is wrong or this machine's clock is: check both",
    "RequestTimeTooSkewed": "this machine's clock is wrong: set it",
    "ExpiredToken": "the session token has expired: get new credentials",
    "ExpiredTokenException": "the session token has expired: get new credentials",
    "MissingAuthenticationToken": "no credentials were sent: configure some",
    "MissingAuthenticationTokenException": "no credentials were sent: configure some",
    "AccessDenied": "the role may not do this: give it the rights that the documentation lists",
    "AccessDeniedException": "the role may not do this: give it the rights that the documentation lists",
}
# The flow has given up on a token, by time or because it was answered before.
_GIVEN_UP = {"TaskTimedOut", "TaskDoesNotExist", "InvalidToken"}
_TOO_LARGE = {"ItemCollectionSizeLimitExceededException", "RequestEntityTooLarge", "EntityTooLarge"}
_CONFIGURATION = (
    boto.NoCredentialsError,
    boto.PartialCredentialsError,
    boto.CredentialRetrievalError,
    boto.NoRegionError,
    boto.InvalidRegionError,
    boto.ProfileNotFound,
    boto.ParamValidationError,
    boto.UnknownServiceError,
)
_SERVER_FAULT = 500


@contextmanager
def translated(what: str, *, let_through: Collection[str] = ()) -> Iterator[None]:
    """Let no driver error out, except the codes that the caller decides on.

    `what` names the table, queue or bucket in the sentence that a person reads.
    """
    try:
        yield
    except boto.ClientError as error:
        if _code(error) in let_through:
            raise
        raise _meaning(error, what) from error
    except boto.MissingDependencyException as error:
        raise Misconfigured(
            f'{what} needs more of boto3 than is installed ({error}): pip install "webordinary[aws]"'
        ) from error
    except _CONFIGURATION as error:
        raise Misconfigured(f"AWS cannot be used for {what} ({error}): check credentials and region") from error
    except boto.EndpointConnectionError as error:
        raise _unreachable(error, what) from error
    except (boto.HTTPClientError, boto.ConnectionError) as error:
        # The request may have arrived and only its answer was lost.
        raise Unknown(f"AWS did not answer about {what} ({error})") from error
    except boto.BotoCoreError as error:
        raise TryAgain(f"AWS could not be used for {what} ({error})") from error


def _code(error: boto.ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", ""))


def _meaning(error: boto.ClientError, what: str) -> Exception:
    code = _code(error)
    if code == "TransactionCanceledException":
        return _why_cancelled(dict(error.response), what)
    if code in _STALE:
        return Stale(f"somebody else wrote to {what} first")
    if code in _GIVEN_UP:
        return LostOwnership("the flow has given up on this token")
    return _to_mend(code, what) or _to_try_again(error, code, what)


def _to_mend(code: str, what: str) -> Exception | None:
    if code in _MISSING:
        hint = "check prefix and region, or make it with `webordinary aws onboard`"
        return Misconfigured(f"{what} does not exist: {hint}")
    if code in _REFUSED_KEYS:
        return Misconfigured(f"AWS refused {what}: {_REFUSED_KEYS[code]}")
    return None


def _to_try_again(error: boto.ClientError, code: str, what: str) -> Exception:
    if code in _TOO_LARGE or "size has exceeded" in str(error):
        return Refused(f"this is too large for {what}: send less at once")
    if int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)) >= _SERVER_FAULT:
        return Unknown(f"AWS failed while it wrote {what} ({code})")
    return TryAgain(f"AWS did not take {what} right now ({error})")


def _why_cancelled(response: dict[str, Any], what: str) -> Exception:
    """A transaction that lost a race is decided anew; one that AWS was too busy for is tried later."""
    reasons = {str(reason.get("Code")) for reason in response.get("CancellationReasons", ())} - {"None"}
    if reasons & _OUTRUN or not reasons:
        return Stale(f"somebody else wrote to {what} first")
    if "ValidationError" in reasons or "ItemCollectionSizeLimitExceeded" in reasons:
        return Refused(f"this is too large for {what}: send less at once")
    return TryAgain(f"AWS is too busy for {what} ({', '.join(sorted(reasons))})")


def _unreachable(error: boto.EndpointConnectionError, what: str) -> Exception:
    url = str(error.kwargs.get("endpoint_url", ""))
    if "amazonaws.com" in url:
        return TryAgain(f"{url} cannot be reached for {what}: check the network and that the region's name is right")
    return TryAgain(f"{url} cannot be reached for {what}")
