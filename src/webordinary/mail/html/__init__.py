"""HTML mails: the words of a page as a person would see them."""

from __future__ import annotations
