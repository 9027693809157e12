"""Whether our mails reach a person, in the words of the list and of its filter."""

from __future__ import annotations

REACHED, BOUNCED, CUT_OFF = "reached", "came back", "not written to"
STANDINGS = (REACHED, BOUNCED, CUT_OFF)
