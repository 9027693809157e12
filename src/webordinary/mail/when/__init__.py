"""When a change holds: from the dates of a mail, in every language, to moments in the project's time zone."""

from __future__ import annotations

from webordinary.mail.when.read import read_move, read_span
from webordinary.mail.when.span import Misread, Span, Trouble, judge_span

__all__ = ["Misread", "Span", "Trouble", "judge_span", "read_move", "read_span"]
