"""A bucket of S3 as the ports use it: whole objects, written conditionally where two could meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from botocore.exceptions import ClientError

from webordinary.engines.aws.faults import translated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import CopySourceTypeDef, ObjectIdentifierTypeDef, PutObjectRequestTypeDef

_BYTES = "application/octet-stream"
_MISSING = frozenset({"NoSuchKey"})
# 412: somebody wrote meanwhile. 409: somebody is just writing. Both mean: read again, then decide again.
_OVERTAKEN = frozenset({"PreconditionFailed", "ConditionalRequestConflict"})
_MOST_DELETED = 1000
_NO_CACHE = "no-cache"


@dataclass(frozen=True, slots=True)
class ObjectVersion:
    """An object as it was read, and the tag by which a later write knows that nobody changed it."""

    content: bytes
    tag: str


@dataclass(frozen=True, slots=True)
class Stored:
    """An object in a listing."""

    key: str
    modified_at: datetime
    # As Amazon makes it for an object that was written in one piece: the MD5 of its bytes.
    tag: str = ""


class Bucket:
    """One bucket; what is missing in it is None, a bucket that is missing itself is Misconfigured."""

    def __init__(self, client: S3Client, name: str) -> None:
        self._client = client
        self._what = f"the bucket {name}"
        self.name = name

    def put(self, key: str, content: bytes | IO[bytes], content_type: str = _BYTES, *, lasting: bool = True) -> None:
        """Write an object; what is not lasting is kept by no cache between us and a visitor."""
        more = {} if lasting else {"CacheControl": _NO_CACHE}
        with translated(self._what):
            self._client.put_object(Bucket=self.name, Key=key, Body=content, ContentType=content_type, **more)  # type: ignore[arg-type]  # the driver's own dictionary type is closed

    def put_if(self, key: str, content: bytes, tag: str | None, content_type: str = _BYTES) -> bool:
        """Write only over the version of that tag, or only where nothing is; False when that is not so."""
        request: PutObjectRequestTypeDef = {
            "Bucket": self.name,
            "Key": key,
            "Body": content,
            "ContentType": content_type,
        }
        if tag is None:
            request["IfNoneMatch"] = "*"
        else:
            request["IfMatch"] = tag
        try:
            with translated(self._what, let_through=_OVERTAKEN | _MISSING):
                self._client.put_object(**request)
        except ClientError:
            return False
        return True

    def copy(self, source: str, key: str, content_type: str | None = None) -> bool:
        """Copy an object inside the bucket; with a type of its own it does not last. False when it is not there."""
        more = _anew(content_type) if content_type else {}
        place: CopySourceTypeDef = {"Bucket": self.name, "Key": source}
        try:
            with translated(self._what, let_through=_MISSING):
                self._client.copy_object(Bucket=self.name, Key=key, CopySource=place, **more)  # type: ignore[arg-type]  # the driver's own dictionary type is closed
        except ClientError:
            return False
        return True

    def read(self, key: str, *, at_most: int | None = None) -> ObjectVersion | None:
        """Return an object, or its first bytes if it has more than anybody wants."""
        try:
            with translated(self._what, let_through=_MISSING):
                found = self._client.get_object(Bucket=self.name, Key=key)
                with found["Body"] as body:
                    return ObjectVersion(body.read(at_most), found["ETag"])
        except ClientError:
            return None

    def stored(self, prefix: str) -> Iterator[Stored]:
        with translated(self._what):
            for page in self._client.get_paginator("list_objects_v2").paginate(Bucket=self.name, Prefix=prefix):
                for found in page.get("Contents", ()):
                    yield Stored(found["Key"], found["LastModified"], found["ETag"].strip('"'))

    def folders(self, prefix: str) -> Iterator[str]:
        """Return the prefixes one step below this one, each with its slash at the end."""
        with translated(self._what):
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=self.name, Prefix=prefix, Delimiter="/"
            )
            for page in pages:
                yield from (found["Prefix"] for found in page.get("CommonPrefixes", ()))

    def delete(self, keys: Iterable[str]) -> None:
        wanted = list(keys)
        with translated(self._what):
            for first in range(0, len(wanted), _MOST_DELETED):
                some: list[ObjectIdentifierTypeDef] = [{"Key": key} for key in wanted[first : first + _MOST_DELETED]]
                self._client.delete_objects(Bucket=self.name, Delete={"Objects": some, "Quiet": True})

    def delete_folder(self, prefix: str) -> None:
        self.delete(found.key for found in self.stored(prefix))


def _anew(content_type: str) -> dict[str, str]:
    return {"MetadataDirective": "REPLACE", "ContentType": content_type, "CacheControl": _NO_CACHE}
