"""`webordinary demo`: a sample site, one mail, and everything that happens then."""

from __future__ import annotations
