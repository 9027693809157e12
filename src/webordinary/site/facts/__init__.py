"""Facts in texts as typed values: prices, times, dates, phone numbers, accounts, addresses and links."""

from __future__ import annotations
