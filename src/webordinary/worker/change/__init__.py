"""One change of a site: from the edit over the checks to the publish."""

from __future__ import annotations
