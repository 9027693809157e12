"""Wishes about the items of a list, and about what the site says and should say."""

# ruff: noqa: RUF001 - people write curly marks, and so do the patterns

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webordinary.agent.scripted.instruction import AddItem, Instruction, RemoveItem, Replace
from webordinary.agent.scripted.sentences import QUOTE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.agent.scripted.sentences import QuotedSentence

_THE = r"(?:(?:the|our|my|a|an)\s)?"
_PRICE = r"[€$£]?\s?(?P<amount>\d{1,5}(?:[.,]\d{1,2})?)\s?(?:€|\$|£|eur|euros?|pounds?|dollars?|chf)?"
_ON = r"(?:from|off|on|to|in|at|of|under|below)"
_LIST = r"(?P<list>[\w'’&-]+(?:\s[\w'’&-]+){0,3}?)"
_PLACE = rf"(?:\s{_ON}\s(?:the\s|our\s)?{_LIST})?(?:\s{_ON}\s(?P<page>[^\ue000,]{{1,60}}?))"
_ITEM = rf"(?P<item>{QUOTE}|[^\ue000,:;]{{2,60}}?)"


def _whole(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern + r"\Z", re.IGNORECASE)


_REMOVALS = (
    _whole(rf"take\s{_THE}{_ITEM}\soff\s(?P<page>[^\ue000,]{{1,60}}?)"),
    _whole(
        rf"we\s(?:no\slonger|don['’]?t|do\snot)\s(?:have|sell|serve|offer|bake|make|do)\s(?:any\s)?{_THE}{_ITEM}"
        r"(?:\sany\s?more|\sany\slonger)?(?P<page>)"
    ),
    _whole(
        rf"{_THE}{_ITEM}\s(?:is|are)\s(?:sold\sout|cancelled|canceled|gone|discontinued|no\slonger\savailable)[,;.]?"
        r"\s(?:so\s|and\s)?(?:please\s)?(?:take|remove|delete|drop)\s(?:it|them)"
        r"(?:\s(?:off|out|from|down)(?:\s(?:of\s)?(?P<page>(?:the|our)\s[^\ue000,]{1,60}?))?)?"
    ),
    _whole(rf"(?:remove|delete|drop|strike)\s{_THE}{_ITEM}(?:\s(?:from|off|on)\s(?P<page>[^\ue000,]{{1,60}}?))?"),
)
_ADDITIONS = (
    _whole(rf"(?:add|put)\s{_THE}(?:new\s)?{_ITEM}\s(?:for|at|,)\s?{_PRICE}{_PLACE}?"),
    _whole(rf"(?:add|put)\s{_THE}(?:new\s)?{_ITEM}{_PLACE}\s(?:for|at)\s{_PRICE}"),
    _whole(rf"new\son\s(?P<page>[^\ue000,:]{{1,40}}?):\s{_THE}{_ITEM}(?P<list>)(?:,|\sfor)\s{_PRICE}"),
)
_SAYS = (
    r"(?:(?:on|in)\s(?P<page>[^\ue000,]{1,60}?),?\s(?:it|there)|(?P<where>the\s[^\ue000,]{1,40}?\spage|it|the\s(?:web)?site|there))"
    r"\s(?:still\s|currently\s)?(?:says?|reads?|stands)\s(?:that\s)?"
)
_SHOULD = (
    r"[,;]?\s(?:but\s|and\s)?(?:it\s|that\s|this\s)?(?:should|must|needs\sto|has\sto)\s(?:now\s|really\s)?"
    r"(?:be|say|read)\s"
)
_SAYS_QUOTED = _whole(rf"{_SAYS}(?P<old>{QUOTE}){_SHOULD}(?P<new>{QUOTE})")
_SAYS_OPEN = _whole(rf"{_SAYS}(?P<old>[^\ue000]{{3,200}}?){_SHOULD}(?P<new>[^\ue000]{{1,200}})")
# What these name is a part of the page and no item of it.
_PARTS = re.compile(
    r".*\b(?:page|site|website|text|words?|line|paragraph|sentence|heading|title|footer|header|menu|list|photo|picture|image"
    r"|logo|link|everything|all|it|this|that|them|section|price|prices|number|hours)",
    re.IGNORECASE,
)


_RENAMED = _whole(
    rf"{_THE}(?P<old>[^\ue000,:]{{3,60}}?)\s(?:is|are)\s(?:now\s)?(?:called|named)\s(?P<new>[^\ue000,:]{{2,60}})"
)


def renamed_item(sentence: QuotedSentence, text: str) -> tuple[Instruction, ...]:
    match = _RENAMED.match(text)
    if match is None or _PARTS.fullmatch(match["old"]):
        return ()
    return (Replace(((sentence.plain(match["old"]), sentence.plain(match["new"])),), quoted=False),)


def item_removal(sentence: QuotedSentence, text: str) -> tuple[Instruction, ...]:
    match, item = _first(_REMOVALS, sentence, text)
    return (RemoveItem(item, match["page"] or None),) if match else ()


def item_addition(sentence: QuotedSentence, text: str) -> tuple[Instruction, ...]:
    match, item = _first(_ADDITIONS, sentence, text)
    return (AddItem(item, match["amount"], match["list"] or "", match["page"]),) if match else ()


def _first(
    patterns: Sequence[re.Pattern[str]], sentence: QuotedSentence, text: str
) -> tuple[re.Match[str] | None, str]:
    matches = (match for pattern in patterns if (match := pattern.match(text)))
    read = ((match, sentence.plain(match["item"])) for match in matches)
    return next(((match, item) for match, item in read if not _PARTS.fullmatch(item)), (None, ""))


def said_and_meant(sentence: QuotedSentence, text: str) -> tuple[Instruction, ...]:
    quoted = _SAYS_QUOTED.match(text)
    match = quoted or _SAYS_OPEN.match(text)
    if match is None:
        return ()
    where = match["page"] or (match["where"] if "page" in (match["where"] or "").lower() else None)
    old, new = sentence.plain(match["old"]), sentence.plain(match["new"])
    return (Replace(((old, new),), where, quoted=quoted is not None),)
