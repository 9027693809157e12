"""The web server for live sites and previews."""

from __future__ import annotations
