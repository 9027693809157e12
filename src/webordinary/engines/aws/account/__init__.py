"""The account: what is made in it, checked before a deployment, and left for a person to do."""

from __future__ import annotations
