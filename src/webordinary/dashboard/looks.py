"""What the checks of this machine said last: looked at again after a while, not for every page."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from webordinary.engines.kept_findings import last_findings
from webordinary.engines.local_checks import check_configuration, check_data, check_kept_logins

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from webordinary.engines.installation import Installation
    from webordinary.engines.kept_findings import KeptFindings
    from webordinary.findings import Check

_GOOD_FOR = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found, and when."""

    checks: Sequence[Check]
    at: datetime
    # What `webordinary doctor`, which looks at more and asks others, found when somebody last ran it.
    doctor: KeptFindings | None = None


@dataclass(slots=True)
class Looks:
    """The checks that are quick and ask nobody else."""

    here: Installation
    _last: Looked | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def now(self) -> Looked:
        """Return what the checks say, at most half a minute old."""
        at = self.here.clock.now().wall_at
        with self._lock:
            if self._last is None or not timedelta(0) <= at - self._last.at < _GOOD_FOR:
                self._last = Looked(self._look(), at, last_findings(self.here.config.data))
            return self._last

    def _look(self) -> list[Check]:
        config = self.here.config
        return [check_data(config), check_configuration(config, os.environ), *check_kept_logins(self.here)]
