"""The demo as a page: the owner's phone, the site, and what happens inside, side by side."""

from __future__ import annotations
