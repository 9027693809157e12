"""The buckets: mails, files and sites."""

from __future__ import annotations
