"""When a change holds: from the dates of a mail, in four languages, to moments in the project's time zone."""

from __future__ import annotations

from webordinary.mail.when.read import Misread, Span, Trouble, judge_span, read_span

__all__ = ["Misread", "Span", "Trouble", "judge_span", "read_span"]
