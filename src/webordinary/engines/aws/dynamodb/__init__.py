"""The tables: rows, items, transactions and the dispatch store over them."""

from __future__ import annotations
