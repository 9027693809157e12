"""`webordinary aws`: the commands that only an installation on AWS needs."""

from __future__ import annotations
