"""A small client of the API for Python programs: typed answers, plain errors, keys against doing things twice."""

from __future__ import annotations

from webordinary.client.calls import ApiClient, ApiRefused

__all__ = ["ApiClient", "ApiRefused"]
