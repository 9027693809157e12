"""Pictures of a site before and after a change, taken by a browser that can reach nothing but the two builds."""

from __future__ import annotations
