"""Routes of visitors: a key-value store at CloudFront that leads from a host to a place in the bucket of sites.

CloudFront cannot follow the pointer objects, so that the same is written there once more, always after them. It only
moves forward without a clock or a counter: each writer has read the pointer after the version of the store over
which alone the write succeeds, so no later write can carry an older pointer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from webordinary.engines.aws.faults import translated
from webordinary.errors import TryAgain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mypy_boto3_cloudfront_keyvaluestore import CloudFrontKeyValueStoreClient
    from mypy_boto3_cloudfront_keyvaluestore.type_defs import PutKeyRequestListItemTypeDef

_OVERTAKEN = frozenset({"ConflictException"})
# Every publishing of the installation writes to one store, so that more of them can meet than at one pointer.
_TRIES = 16


class VisitorRoutes:
    """One key-value store; a write that fails now is made up for by the next publish or settling."""

    def __init__(self, client: CloudFrontKeyValueStoreClient, store: str) -> None:
        self._client = client
        self._store = store
        self._what = f"the key-value store {store.rpartition('/')[2]}"
        # What the last write left behind is still older than whatever is read after it: no need to ask again.
        self._tag: str | None = None

    def lead(self, hosts: Iterable[str], to: Callable[[], str | None]) -> None:
        """Let visitors of these hosts find what the pointer leads to; `to` reads it, and may be asked repeatedly."""
        wanted = tuple(hosts)
        for _ in range(_TRIES):
            # The order is the whole point: first the version, then the pointer.
            tag, self._tag = self._tag or self.version(), None
            place = to()
            if place is None or not wanted or self._write(tag, wanted, place):
                return
        raise TryAgain(f"{self._what} is being changed by others all the time")

    def version(self) -> str:
        """Return which version of the store is the newest; Misconfigured when there is none or it is not ours."""
        with translated(self._what):
            return self._client.describe_key_value_store(KvsARN=self._store)["ETag"]

    def _write(self, tag: str, hosts: tuple[str, ...], place: str) -> bool:
        puts: list[PutKeyRequestListItemTypeDef] = [{"Key": host, "Value": place} for host in hosts]
        try:
            with translated(self._what, let_through=_OVERTAKEN):
                self._tag = self._client.update_keys(KvsARN=self._store, IfMatch=tag, Puts=puts)["ETag"]
        except ClientError:
            return False
        return True
