"""CloudFront's key-value stores on the local server, which moto makes and describes and cannot fill.

As at Amazon, a store has one version for all its keys, a write names the version that it has seen, and several keys
are written all or none. How long an edge of the network takes to hear of it is not shown.
"""

from __future__ import annotations

import json
import re
import secrets
import threading
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from moto.cloudfront.models import cloudfront_backends

from webordinary_local_aws.moto_patches.rights import may

_PATH = re.compile(r"/key-value-stores/(?P<arn>arn:[^/]+/[^/]+)(?P<keys>/keys(?:/(?P<key>.+))?)?")
_CALLER = re.compile(r"Credential=([^/]+)/")
_RIGHTS = {
    ("GET", False, False): "DescribeKeyValueStore",
    ("GET", True, False): "ListKeys",
    ("GET", True, True): "GetKey",
    ("POST", True, False): "UpdateKeys",
    ("PUT", True, True): "PutKey",
    ("DELETE", True, True): "DeleteKey",
}
_LONGEST_KEY, _LONGEST_VALUE, _LARGEST_STORE, _MOST_KEYS = 512, 1024, 5_000_000, 50


class Complaint(Exception):
    """What the service answers instead."""

    def __init__(self, status: HTTPStatus, kind: str, message: str) -> None:
        super().__init__(message)
        self.status, self.kind = status, kind


@dataclass(slots=True)
class _Store:
    tag: str = field(default_factory=lambda: f"KV{secrets.token_hex(8).upper()}")
    values: dict[str, str] = field(default_factory=dict)


class KeyValueStores:
    """Answers in front of the server to whatever begins with `/key-value-stores/`."""

    def __init__(self, application: Any) -> None:  # noqa: ANN401 - WSGI has no types
        self._application = application
        self._stores: dict[str, _Store] = {}
        self._changing = threading.Lock()

    def __call__(self, environ: Any, start_response: Any) -> Any:  # noqa: ANN401 - the same
        asked = _PATH.fullmatch(environ.get("PATH_INFO", ""))
        if asked is None:
            return self._application(environ, start_response)
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        try:
            _check_right(environ, asked)
            with self._changing:
                tag, told = self._answer(environ["REQUEST_METHOD"], asked, environ.get("HTTP_IF_MATCH"), body)
            status, headers = HTTPStatus.OK, [("ETag", tag)]
        except Complaint as complaint:
            told, status = {"Message": str(complaint)}, complaint.status
            headers = [("x-amzn-ErrorType", complaint.kind)]
        start_response(f"{status.value} {status.phrase}", [("Content-Type", "application/json"), *headers])
        return [json.dumps(told).encode()]

    def _answer(self, method: str, asked: re.Match[str], seen: str | None, body: bytes) -> tuple[str, dict[str, Any]]:
        arn, key = asked["arn"], asked["key"]
        store = self._store(arn)
        match method, bool(asked["keys"]), key:
            case "GET", False, _:
                return store.tag, {"KvsARN": arn, "Created": 0, "Status": "READY", **_size(store)}
            case "GET", True, None:
                items = [{"Key": name, "Value": value} for name, value in sorted(store.values.items())]
                return store.tag, {"Items": items}
            case "GET", True, str():
                if key not in store.values:
                    raise Complaint(HTTPStatus.NOT_FOUND, "ResourceNotFoundException", f"Key {key} was not found")
                return store.tag, {"Key": key, "Value": store.values[key], **_size(store)}
            case "POST", True, None:
                wanted = json.loads(body)
                puts = {put["Key"]: put["Value"] for put in wanted.get("Puts") or ()}
                return _write(store, seen, puts, [gone["Key"] for gone in wanted.get("Deletes") or ()])
            case "PUT", True, str():
                return _write(store, seen, {key: json.loads(body)["Value"]}, [])
            case "DELETE", True, str():
                return _write(store, seen, {}, [key])
            case _:
                raise Complaint(HTTPStatus.BAD_REQUEST, "ValidationException", f"{method} is not known here")

    def _store(self, arn: str) -> _Store:
        offices = [office for regions in cloudfront_backends.values() for office in regions.values()]
        if not any(made.arn == arn for office in offices for made in office.key_value_stores.values()):
            raise Complaint(HTTPStatus.NOT_FOUND, "ResourceNotFoundException", "Key value store was not found")
        return self._stores.setdefault(arn, _Store())


def _check_right(environ: Any, asked: re.Match[str]) -> None:  # noqa: ANN401 - WSGI has no types
    caller = _CALLER.search(environ.get("HTTP_AUTHORIZATION", ""))
    right = f"cloudfront-keyvaluestore:{_RIGHTS[environ['REQUEST_METHOD'], bool(asked['keys']), bool(asked['key'])]}"
    if caller is not None and not may(asked["arn"].split(":")[4], caller[1], right, asked["arn"]):
        raise Complaint(HTTPStatus.FORBIDDEN, "AccessDeniedException", f"not authorized to perform: {right}")


def _write(store: _Store, seen: str | None, puts: dict[str, str], deletes: list[str]) -> tuple[str, dict[str, Any]]:
    if seen != store.tag:
        raise Complaint(HTTPStatus.CONFLICT, "ConflictException", "Pre-Condition failed")
    if len(puts) + len(deletes) > _MOST_KEYS:
        raise Complaint(HTTPStatus.BAD_REQUEST, "ValidationException", f"at most {_MOST_KEYS} keys are taken at once")
    if missing := [name for name in deletes if name not in store.values]:
        raise Complaint(HTTPStatus.NOT_FOUND, "ResourceNotFoundException", f"Key {missing[0]} was not found")
    values = {name: value for name, value in {**store.values, **puts}.items() if name not in deletes}
    for name, value in puts.items():
        if not 0 < len(name.encode()) <= _LONGEST_KEY or len(value.encode()) > _LONGEST_VALUE:
            raise Complaint(HTTPStatus.BAD_REQUEST, "ValidationException", f"{name[:60]} or its value is too long")
    if _bytes(values) > _LARGEST_STORE:
        raise Complaint(HTTPStatus.PAYMENT_REQUIRED, "ServiceQuotaExceededException", "The store is full")
    store.values, store.tag = values, _Store().tag
    return store.tag, _size(store)


def _bytes(values: dict[str, str]) -> int:
    return sum(len(name.encode()) + len(value.encode()) for name, value in values.items())


def _size(store: _Store) -> dict[str, int]:
    return {"ItemCount": len(store.values), "TotalSizeInBytes": _bytes(store.values)}
