"""What names an installation on AWS, and what that engine chooses where the file says nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from webordinary.values import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

# What AWS takes in every name that begins with it: a stack begins with a letter, a repository of images has at least
# two characters and no two hyphens in a row, roles and queues end at 64 and 80 characters, some buckets are Amazon's.
_PREFIX = re.compile(r"(?=.{2,28}\Z)(?!sthree-|amzn-s3-demo-)[a-z][a-z0-9]*(?:-[a-z0-9]+)*", re.ASCII)
PREFIX_RULE = (
    "2 to 28 lower-case letters, digits and single inner hyphens that begin with a letter, and not with "
    "sthree- or amzn-s3-demo-, which Amazon keeps for itself"
)
_REGION = re.compile(r"[a-z]{2,4}(?:-[a-z]{2,12}){1,2}-\d{1,2}", re.ASCII)
_TABLE = re.compile(r"[A-Za-z0-9_.-]{3,255}", re.ASCII)
_ENDING = re.compile(r"-[A-Za-z0-9_.-]{1,60}", re.ASCII)
_STORE = re.compile(r"arn:aws:cloudfront::\d{12}:key-value-store/[A-Za-z0-9-]{1,64}", re.ASCII)
_ACCOUNT = re.compile(r"\d{12}", re.ASCII)

# A beat there costs a request, and several machines share no boot clock: everything is slower by design.
AWS_WORKERS: dict[str, str | int] = {
    # A container is a worker: more of them are started by the service that runs it.
    "count": 1,
    "lease": "60 s",
    "beat": "20 s",
    "idle_lease": "5 min",
    "idle_beat": "100 s",
    "look": "5 min",
    "sweep": "60 s",
    "drain": "20 s",
    "drain_committing": "90 s",
}
_FROM_ENVIRONMENT = {
    "region": ("AWS_REGION", "AWS_DEFAULT_REGION"),
    "account": ("AWS_ACCOUNT_ID",),
    "unclaimed_queue": ("UNCLAIMED_QUEUE_URL",),
    "ownership_table": ("OWNERSHIP_TABLE_NAME",),
    "jobs_table": ("ACTIVE_JOBS_TABLE",),
}


class Prefix(str):
    """What the name of everything on AWS begins with."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Prefix:
        text = text_of(value)
        if not is_prefix(text):
            raise ValueError(f"must be {PREFIX_RULE}, not {text[:60]!r}")
        return cls(text)


class Region(str):
    """The name of a region of AWS."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> Region:
        text = text_of(value)
        if not _REGION.fullmatch(text):
            raise ValueError(f'must be the name of a region such as "eu-central-1", not {text[:60]!r}')
        return cls(text)


class AccountNumber(str):
    """The number of an account at AWS."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> AccountNumber:
        text = text_of(value)
        if not _ACCOUNT.fullmatch(text):
            raise ValueError('must be the twelve digits of an account in quotation marks, such as "123456789012"')
        return cls(text)


class StoreArn(str):
    """The full name of a key-value store of CloudFront."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> StoreArn:
        text = text_of(value)
        if not _STORE.fullmatch(text):
            raise ValueError(f'must be such as "arn:aws:cloudfront::123456789012:key-value-store/…", not {text[:60]!r}')
        return cls(text)


class TableEnding(str):
    """What the names of restored tables end with."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> TableEnding:
        text = text_of(value)
        if not _ENDING.fullmatch(text):
            raise ValueError(f'must be an ending with a hyphen in front, such as "-2026-11-18", not {text[:60]!r}')
        return cls(text)


class TableName(str):
    """The name of a table of DynamoDB."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object) -> TableName:
        text = text_of(value)
        if not _TABLE.fullmatch(text):
            raise ValueError(f"must be the name of a table, not {text[:60]!r}")
        return cls(text)


def is_prefix(text: str) -> bool:
    return _PREFIX.fullmatch(text) is not None


def with_engine_defaults(data: dict[str, Any], environ: Mapping[str, str]) -> dict[str, Any]:
    """Put below the file what `engine = "aws"` chooses where the file says nothing."""
    if data.get("engine") != "aws":
        return data
    if environ.get("WORKSPACE_PATH"):
        data.setdefault("data", environ["WORKSPACE_PATH"])
    _put_below(data, "workers", AWS_WORKERS)
    _put_below(data, "outgoing", {"url": "ses:"})
    _put_below(data, "logs", {"format": "json"})
    _put_below(data, "aws", _surroundings(environ))
    if isinstance(data.get("domain"), str):
        # One label: a certificate for `*.DOMAIN` covers no names below that.
        _put_below(data, "preview", {"url": f"https://{{thread}}--{{project}}.{data['domain']}/"})
    return data


def _put_below(data: dict[str, Any], table: str, values: Mapping[str, str | int]) -> None:
    known = data.setdefault(table, {})
    if isinstance(known, dict):
        data[table] = {**values, **known}


def _surroundings(environ: Mapping[str, str]) -> dict[str, str]:
    """Return what a task or a function of AWS is told about where it runs."""
    found = {
        key: next((environ[name] for name in names if environ.get(name)), "")
        for key, names in _FROM_ENVIRONMENT.items()
    }
    return {key: value for key, value in found.items() if value}
