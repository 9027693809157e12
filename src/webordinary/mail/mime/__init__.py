"""The bytes of a mail: its parts, charsets and headers, read within limits."""

from __future__ import annotations
