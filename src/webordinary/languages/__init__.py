"""What the program knows of human languages: one module for each of them, and everything else reads it from there."""

from __future__ import annotations

from webordinary.languages.agent_words import AgentWords
from webordinary.languages.complete import lacking
from webordinary.languages.en import ENGLISH
from webordinary.languages.known import any_of, codes, find, known, listed, telling_words
from webordinary.languages.language import (
    NOTHING,
    Correspondence,
    Language,
    MailPrograms,
    Replies,
    SiteWords,
    When,
)

__all__ = [
    "ENGLISH",
    "NOTHING",
    "AgentWords",
    "Correspondence",
    "Language",
    "MailPrograms",
    "Replies",
    "SiteWords",
    "When",
    "any_of",
    "codes",
    "find",
    "known",
    "lacking",
    "listed",
    "telling_words",
]
