"""The site: how it is built, where its releases lie, and how browsers see them."""

from __future__ import annotations
