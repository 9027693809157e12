"""What comes with a mail: photos made ready for the web, documents kept, the rest refused with a reason."""

from __future__ import annotations

from webordinary.media.limits import MediaLimits
from webordinary.media.prepare import Preparation

__all__ = ["MediaLimits", "Preparation"]
