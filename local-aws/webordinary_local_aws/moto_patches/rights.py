"""Patches of rights: policies of buckets and roles are obeyed, with their resources and conditions."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote

from moto.core.authorization import ActionAuthenticatorMixin
from moto.core.exceptions import AccessDeniedError, JsonRESTError
from moto.iam.access_control import PermissionResult
from moto.iam.models import iam_backends
from moto.s3.exceptions import S3AccessDeniedError
from moto.s3.models import FakeBucket
from moto.sts.models import sts_backends

from webordinary_local_aws.moto_patches.patch import patch_method
from webordinary_local_aws.requests import requests_of
from webordinary_local_aws.rights import Request, Statement, Verdict, statements_of, verdict

# The server stands in for one with TLS.
_FACTS = {"aws:SecureTransport": "true"}
_SPEAK_XML = ("iam:", "sts:", "sns:", "cloudformation:", "ec2:")
_RESULTS = {
    Verdict.DENIED: PermissionResult.DENIED,
    Verdict.ALLOWED: PermissionResult.PERMITTED,
    Verdict.SILENT: PermissionResult.NEUTRAL,
}


def policies_of_buckets() -> None:
    """Fix 18: a bucket's policy was for everybody, and its conditions were ignored: only-by-TLS locked all out."""

    @patch_method(FakeBucket, "get_permission")
    def _(_: Any, self: Any, action: str, resource: str) -> PermissionResult:
        if self.policy is None:
            return PermissionResult.NEUTRAL
        request = Request(action, resource, _FACTS)
        return _RESULTS[verdict(statements_of(json.loads(self.policy)), request)]


def rights_of_roles() -> None:
    """Fix 19: rights were not looked at, or without their resources.

    Whoever has taken a role has its rights and no others; calls with any other key are the account's own.
    """

    @patch_method(ActionAuthenticatorMixin, "_authenticate_and_authorize_action")
    def _(_: Any, self: Any, _kind: type, resource: str = "*") -> None:
        role = _role_of(self.current_account, self.get_access_key())
        if role is None:
            return
        statements = _statements_of(self.current_account, role)
        for request in requests_of(self, resource, _FACTS):
            if verdict(statements, request) is not Verdict.ALLOWED:
                raise _refusal(request, role)


def may(account: str, key: str, action: str, resource: str) -> bool:
    """Say the same to whoever answers beside moto."""
    role = _role_of(account, key)
    return role is None or verdict(_statements_of(account, role), Request(action, resource, _FACTS)) is Verdict.ALLOWED


def _role_of(account: str, key: str) -> str | None:
    """Return the name of the role that the caller with a key has taken."""
    taken = sts_backends[account]["aws"].assumed_roles
    found = next((each for each in taken if each.access_key_id == key), None)
    return None if found is None else str(found.role_arn.rpartition("/")[2])


def _statements_of(account: str, role: str) -> list[Statement]:
    iam = iam_backends[account]["aws"]
    known = iam.get_role(role)
    attached = (policy.default_version.document for policy in known.managed_policies.values())
    documents = [*known.policies.values(), *attached]
    read = (json.loads(unquote(each)) if isinstance(each, str) else each for each in documents)
    return [statement for document in read for statement in statements_of(document)]


def _refusal(request: Request, role: str) -> Any:
    if request.action.startswith("s3:"):
        return S3AccessDeniedError()
    if request.action.startswith(_SPEAK_XML):
        return AccessDeniedError(user_arn=f"assumed-role/{role}", action=request.action)
    words = f"User: assumed-role/{role} is not authorized to perform: {request.action} on resource: {request.resource}"
    return JsonRESTError("AccessDeniedException", words)
