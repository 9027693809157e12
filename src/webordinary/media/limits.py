"""How much one mail's files may be, how large a picture gets, and what looking at a file may cost."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class MediaLimits:
    """Defaults that a configuration may change."""

    files: int = 20
    file_bytes: int = 20 * _MEGABYTE
    together_bytes: int = 25 * _MEGABYTE
    # The largest that phones write (48 and 50 megapixels) fits; decoded it takes a good quarter gigabyte.
    pixels: int = 64 * _MEGABYTE
    frames: int = 300
    # All frames of an animation as they will be kept, which is what encoding it holds in memory.
    animation_pixels: int = 60 * _MEGABYTE
    long_side: int = 1600
    # For phones; a page that offers its pictures in several sizes offers this one too.
    short_form: int = 800
    # Address space of the process. 49 megapixels were seen to take 470 to 510 MB; a Lambda has 1,024 for all of us.
    memory: int = 768 * 1024 * 1024
    deadline: timedelta = timedelta(seconds=30)
    # Below the time that a job may spend on its files (`workers.prepare_by`).
    deadline_together: timedelta = timedelta(minutes=3)
