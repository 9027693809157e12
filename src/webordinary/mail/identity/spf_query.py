"""One question to SPF: the library's evaluation over our own name servers."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from webordinary.errors import TryAgain

with warnings.catch_warnings():
    # Its text has escapes that Python warns of whenever it is compiled, which nobody here can mend.
    warnings.simplefilter("ignore")
    import spf

if TYPE_CHECKING:
    from webordinary.mail.identity.dns import Dns


class Query(spf.query):  # type: ignore[misc]  # the library has no types
    """The library's evaluation, with our own questions instead of its global resolver."""

    def __init__(self, dns: Dns, **asked: Any) -> None:  # noqa: ANN401 - the library's own arguments
        super().__init__(**asked)
        self._ask = dns
        self.postponed: TryAgain | None = None

    def dns(self, name: str, qtype: str, cnames: object = None, ignore_void: object = False) -> list[Any]:  # noqa: ARG002, FBT002 - the library's own signature
        try:
            found = self._ask.look_up(str(name).rstrip("."), qtype) if _is_name(str(name)) else []
        except TryAgain as later:
            self.postponed = later
            raise spf.TempError("DNS") from later
        if not found and not ignore_void:
            self.void_lookups += 1
            if self.void_lookups > spf.MAX_VOID_LOOKUPS:
                raise spf.PermError("too many lookups that find nothing")
        return [_as_the_library_expects(each, qtype) for each in found]


def _is_name(name: str) -> bool:
    return all(0 < len(label) <= 63 for label in name.rstrip(".").split("."))  # noqa: PLR2004 - the limit of DNS


def _as_the_library_expects(value: str, kind: str) -> object:
    if kind == "TXT":
        return [value.encode("latin-1")]
    if kind == "MX":
        preference, _, host = value.partition(" ")
        return int(preference), host
    return value
