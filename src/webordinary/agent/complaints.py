"""What a model's server complains about, sorted by who can do something: the agency, or only time."""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

_OK, _BROKEN = 200, 500
_NOT_LET_IN, _UNPAID, _UNKNOWN = frozenset({401, 403}), 402, 404
_BUSY = frozenset({429, 503, 529})
# Said with many a status; the words are what they have in common.
_ABOUT_MONEY = re.compile(
    r"credit balance|billing|payment|insufficient.{0,3}(quota|funds|credit)|out of credits?", re.IGNORECASE
)
# Unless it is one of minutes or hours, which passes.
_ABOUT_LIMITS = re.compile(r"(usage|spend\w*) limits?", re.IGNORECASE)
_ABOUT_RIGHTS = re.compile(
    r"organi[sz]ation has been disabled|(access to|authori[sz]ed|permission|subscri\w+).{0,40}model|model.{0,80}"
    r"(access is denied|not authori[sz]ed|end of its life)|not have access|permission_error|authentication_error",
    re.IGNORECASE,
)
_ABOUT_MODEL = re.compile(
    r"model identifier is invalid|on-demand throughput|not_found_error|"
    r"model.{0,80}(not found|does not exist|not supported)",
    re.IGNORECASE,
)
_ABOUT_LOAD = re.compile(
    r"overloaded|rate.?limit|throttl|too many (requests|tokens)|at capacity|unavailable", re.IGNORECASE
)
_LONGEST_QUOTE = 200


class Complaints:
    """Remembers, over one run, what stands in the way of it."""

    def __init__(self) -> None:
        # The last word of a server that does not want us; the agent would ask it again for a minute.
        self.locked_out = threading.Event()
        self._for_agency = ""
        self._unknown = ""
        self._busy = ""
        self._was_answered = False

    @property
    def for_agency(self) -> str:
        """What the agency has to put in order, as a sentence; empty when there is nothing."""
        # A smaller model that a server does not have is no trouble as long as another one answers.
        return self._for_agency or ("" if self._was_answered else self._unknown)

    @property
    def is_busy(self) -> bool:
        """Whether the last word was that there is too much to do."""
        return bool(self._busy)

    @property
    def busy(self) -> str:
        return f"the agent did not come to an end: the model has too much to do ({self._busy})"

    def hear(self, status: int, trouble: Sequence[dict[str, Any]], model: str) -> None:
        """Take in how a question was answered."""
        if status == _OK and not trouble:
            self._was_answered, self._busy = True, ""
            return
        said = " ".join(str(each.get(name, "")) for each in trouble for name in ("type", "message")).strip()
        quote = re.sub(r"\s+", " ", said)[:_LONGEST_QUOTE]
        self._busy = ""
        if status == _UNPAID or _ABOUT_MONEY.search(said) or (status not in _BUSY and _ABOUT_LIMITS.search(said)):
            self._lock_out(f"The model's account does not pay for it: add credit or raise its limit ({quote}).")
        elif status in _NOT_LET_IN:
            self._lock_out("The model does not let us in: correct `agent.key` or the login.")
        elif status not in _BUSY and status != _UNKNOWN and _ABOUT_RIGHTS.search(said):
            self._lock_out(
                f"The model's account may not use {model}: give it that right, or correct `agent.model` ({quote})."
            )
        elif status == _UNKNOWN or _ABOUT_MODEL.search(said):
            self._unknown = f"The model's server does not know {model}: correct `agent.model` ({quote})."
        elif status in _BUSY or ((status == _OK or status >= _BROKEN) and _ABOUT_LOAD.search(said)):
            self._busy = quote or str(status)

    def _lock_out(self, sentence: str) -> None:
        self._for_agency = self._for_agency or sentence
        self.locked_out.set()
