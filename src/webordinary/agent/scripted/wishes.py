"""The kinds of wishes that a sentence can carry, each with the wordings that are understood."""

# ruff: noqa: RUF001 - people and pages write curly marks and long dashes, and so do the patterns

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webordinary.agent.scripted.instruction import (
    AddItem,
    AddText,
    Heading,
    HouseNumber,
    Instruction,
    MailAddress,
    NewPrice,
    NewTitle,
    OtherDay,
    Phone,
    PlacePicture,
    RemoveItem,
    RemoveText,
    Replace,
    WaitFor,
)
from webordinary.agent.scripted.sentences import QUOTE
from webordinary.languages import NOTHING, any_of, known

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webordinary.agent.scripted.sentences import QuotedSentence


_THE = r"(?:(?:the|our|my|a|an)\s)?"
_PRICE = r"[€$£]?\s?(?P<amount>\d{1,5}(?:[.,]\d{1,2})?)\s?(?:€|\$|£|eur|euros?|pounds?|dollars?|chf)?"
_ON = r"(?:from|off|on|to|in|at|of|under|below)"
_LIST = r"(?P<list>[\w'’&-]+(?:\s[\w'’&-]+){0,3}?)"
_PLACE = rf"(?:\s{_ON}\s(?:the\s|our\s)?{_LIST})?(?:\s{_ON}\s(?P<page>[^\ue000,]{{1,60}}?))"
_ITEM = rf"(?P<item>{QUOTE}|[^\ue000,:;]{{2,60}}?)"


# An amount that can be nothing else than a price.
_PRICED = r"(?=[€$£]\s?\d|\d+[.,]\d\d\b|\d+\s?(?:€|\$|£|eur|chf|pound|dollar))"
_NO_PLACE = r"(?!.*\s(?:to|on|in|under|below)\s(?:the|our)\s.*\s(?:for|at)\s)"


def _whole(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern + r"\Z", re.IGNORECASE)


_REMOVALS = (
    _whole(rf"take\s{_THE}{_ITEM}\soff\s(?P<page>[^\ue000,]{{1,60}}?)"),
    _whole(rf"take\s{_THE}{_ITEM}\s(?:off|out|down|away)(?P<page>)"),
    _whole(rf"{_THE}{_ITEM}\s(?:is|are)\s(?:now\s)?off\s(?P<page>(?:the|our)\s(?:menu|list|card))(?:\snow)?"),
    _whole(rf"no\smore\s{_ITEM}(?P<page>)"),
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
    _whole(rf"(?:add|put)\s{_NO_PLACE}{_THE}(?:new\s)?{_ITEM}\s(?:for|at|,)\s?{_PRICE}{_PLACE}?"),
    _whole(rf"(?:add|put)\s{_THE}(?:new\s)?{_ITEM}{_PLACE}\s(?:for|at)\s{_PRICE}"),
    # "Add a new cake: lemon tart, €3.50", "add cappuccino 3.20".
    _whole(
        rf"(?:add|put)\s{_THE}(?:new\s)?(?:(?P<kind>[^\W\d_]{{3,20}})\s?:\s)?{_ITEM},?\s(?:for\s|at\s)?{_PRICED}{_PRICE}(?:,?{_PLACE})?"
    ),
    _whole(
        rf"new\son\s(?P<page>[^\ue000,:]{{1,40}}?):\s{_THE}{_ITEM}(?P<list>)(?:,\s|\sfor\s|\sat\s|\s(?={_PRICED})){_PRICE}"
    ),
    _whole(
        r"we\s(?:now\s|also\s)*(?:have|sell|serve|offer|bake)\s(?:now\s|also\s)*"
        rf"{_THE}(?:new\s)?{_ITEM}\s(?:for|at)\s{_PRICED}{_PRICE}{_PLACE}?(?:\snow)?"
    ),
)
_SAYS = (
    r"(?:(?:on|in)\s(?P<page>[^\ue000,]{1,60}?),?\s(?:it|there)|(?P<where>the\s[^\ue000,]{1,40}?\spage|it|(?:the|our)\s[^\W\d_]{3,20}|there))"
    r"\s(?:still\s|currently\s)?(?:says?|reads?|stands)\s(?:that\s)?"
)
_SHOULD = (
    r"[,;]?\s(?:but\s|and\s)?(?:it\s|that\s|this\s)?(?:should|must|needs\sto|has\sto)\s(?:now\s|really\s)?"
    r"(?:be|say|read)\s"
)
_ANYWHERE = re.compile(r"it|there|(?:the|our)\s(?:web)?site", re.IGNORECASE)
_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
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
    if match is None:
        return ()
    # What is named may be a list on a page: "to the drinks".
    named = " ".join(filter(None, (match.groupdict().get("kind"), match["list"], match["page"])))
    return (AddItem(item, match["amount"], named, match["page"]),)


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
    where = match["page"] or (None if _ANYWHERE.fullmatch(match["where"] or "it") else match["where"])
    old, new = sentence.plain(match["old"]), sentence.plain(match["new"])
    if quoted is None and not re.search(r"[^\W\d_]", old):
        # The same figure may be another thing's too.
        return ()
    if quoted is None and len(new.split()) == 1 < len(old.split()):
        # "It says that we began in 1950, it should be 1952": the one word means one word of the sentence.
        numbers = _FIGURE.findall(old)
        if len(numbers) != 1 or not _FIGURE.fullmatch(new):
            return ()
        new = old.replace(numbers[0], new)
    return (Replace(((old, new),), where, quoted=quoted is not None),)


_CORRECTED = _whole(
    r"(?:(?:there(?:['’]s|\sis)\s)?(?:a\s)?(?:mistake|typo|error|misprint)\s(?:on|in)\s(?P<page>[^\ue000,:;]{1,40}?)[:,;]?\s)?"
    r"(?:it|that|this)(?:['’]s|\sis|\s(?:should|must)\s(?:be|say|read))\s(?:called\s|spelled\s)?"
    r"(?P<new>[^\ue000,:;\d]{3,60}?),?\s(?:and\s)?not\s(?P<old>[^\ue000,:;\d]{4,60})"
)
_NTH = r"(?:st|nd|rd|th|\.)?"
_OTHER_DAY = _whole(
    rf"{_THE}(?P<item>[^\ue000,:;\d]{{3,60}}?)\s(?:is|takes\splace|will\sbe)\s(?:now\s)?on\s(?:the\s)?"
    rf"(?P<day>\d{{1,2}}){_NTH}\s(?:of\s)?(?P<month>[^\W\d_]{{3,12}})"
    rf",?\s(?:and\s)?not\s(?:on\s)?(?:the\s)?(?P<old>\d{{1,2}}){_NTH}(?:\s(?:of\s)?(?P=month))?"
)
_MOVED_HOUSE = _whole(
    r"(?:we(?:['’]ve|\shave)?\s(?:just\s)?moved[^\ue000,:;]{0,40}[,:;]\s)?(?:our|the)\s(?:new\s)?address\sis\s(?:now\s)?"
    r"(?P<street>[^\W\d_][^\ue000,:;\d]{2,60}?)\s(?P<number>\d{1,4}\s?[a-z]?)(?:\snow)?"
)


def corrected(sentence: QuotedSentence, text: str) -> tuple[Instruction, ...]:
    """Read "it is caraway seed, not caraway"; of figures nobody could say which of them are meant."""
    match = _CORRECTED.match(text)
    if match is None:
        return ()
    old, new = (sentence.plain(match[name]) for name in ("old", "new"))
    return (Replace(((old, new),), _page(match["page"]), quoted=False),) if _names_words(old) else ()


def other_day(sentence: QuotedSentence, text: str) -> tuple[Instruction, ...]:
    match = _OTHER_DAY.match(text)
    if match is None:
        return ()
    return (OtherDay(sentence.plain(match["item"]), match["month"], match["old"], match["day"]),)


def address_wish(sentence: QuotedSentence, text: str) -> tuple[Instruction, ...]:
    match = _MOVED_HOUSE.match(text)
    return (HouseNumber(sentence.plain(match["street"]), match["number"].strip()),) if match else ()


_CHANGE = rf"(?:{any_of(lambda each: each.agent.change)})"
_INTO = rf"(?:{any_of(lambda each: each.agent.into)}|→|->|=>)"
_ON_A_PAGE = (
    rf"(?:\s(?:{any_of(lambda each: each.agent.on_page)})\s(?P<page>[^\ue000]{{1,80}}?))?"
    rf"(?:\s(?P<everywhere>{any_of(lambda each: each.replies.everywhere)}))?"
)
_EVERYWHERE = re.compile(
    r"(?:all|every|each|any|both)\s.*|(?:the\s|our\s|my\s)?(?:whole\s|entire\s)?(?:web\s?)?site|everywhere",
    re.IGNORECASE,
)
_POINTERS = """
it this that these those them they everything something things page site website web colour color
colours colors background font logo picture photo image design style layout text heading title header
footer
"""
# Without quotation marks these words point at something; they are not themselves what should change.
_NO_TEXT = frozenset(_POINTERS.split())
_ARTICLE = re.compile(r"(?:the|a|an|our|my)\s", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\(([^()]{3,60})\)\Z")
_MOST_READINGS = 8
_SHORTEST_UNQUOTED = 3
_LONGEST_ITEM = 6
_PICTURE_WORD = r"(?:photo(?:graph)?|picture|image|pic|snap(?:shot)?|foto|bild)s?"
_AMOUNT = (
    r"(?P<amount>[€$£]?\s?\d{1,6}(?:[.,]\d{1,2})?)"
    r"(?:\s?(?:€|\$|£|eur|usd|gbp|chf|euros?|pounds?|dollars?|francs?))?"
)


_QUOTED_CHANGE = _whole(
    rf"{_CHANGE}\s(?:(?!page\b)[^\W\d_]+\s){{0,8}}?(?P<old>{QUOTE})\s?{_INTO}\s(?:[^\W\d_]+\s){{0,2}}?(?P<new>{QUOTE}){_ON_A_PAGE}"
)
_QUOTED_STATEMENT = _whole(
    r"(?:there(?:['’]s|\sis)\sa\s(?:small\s)?(?:typo|mistake|error|misprint)[^\ue000:,.]{0,40}[:,.]\s)?"
    rf"(?:[^\W\d_]+\s){{0,4}}?(?P<old>{QUOTE})\s(?:should|must|needs\sto|has\sto)\s(?:now\s)?"
    rf"(?:be|read|say|become)\s(?P<new>{QUOTE}){_ON_A_PAGE}"
)
_INSTEAD_OF = _whole(
    rf"(?:[^\W\d_]+\s){{0,6}}?(?P<new>{QUOTE})\sinstead\sof\s(?:[^\W\d_]+\s){{0,2}}?(?P<old>{QUOTE}){_ON_A_PAGE}"
)
_QUOTED_PAIR = re.compile(
    rf",?\s(?:(?!page\b)[^\W\d_]+\s){{0,4}}?(?P<old>{QUOTE})\s?{_INTO}\s(?P<new>{QUOTE})", re.IGNORECASE
)
_OPEN_CHANGE = _whole(r"(?:change|replace|rename|update|correct)\s(?P<rest>.{3,})")
_AT_LAST = re.compile(
    rf",?\s(?:{any_of(lambda each: each.replies.everywhere)}|on\s(?:all|every)\s(?:of\s)?(?:the\s|our\s)?pages?)\Z",
    re.IGNORECASE,
)
_FROM = re.compile(r"\bfrom\s(?P<old>.{1,200}?)\sto\s(?P<new>.{1,200})\Z", re.IGNORECASE)
_SPLIT = re.compile(r"\s(?:to|with|by|into)\s", re.IGNORECASE)
_NAMED = _whole(
    r"(?:(?:set|change|update|make|rename|edit)\s)?(?:the\s|our\s|my\s)?"
    r"(?:(?P<before>(?!\S+\sof\b)[\w'’-]+(?:\s[\w'’-]+){0,2}?)\s)??(?P<what>title|heading|headline)"
    r"(?:\s(?:of|on|for|in)\s(?P<page>[^\ue000]{1,60}?))?"
    r"\s(?:(?:should|must|shall)\s(?:now\s)?(?:be|read|say)|is\snow|to(?:\s(?:be|read|say))?|as|into)\b:?\s?(?P<value>.+)"
)
_PHONE_WORD = re.compile(rf"\b(?:{any_of(lambda each: each.agent.phone)})\b", re.IGNORECASE)
# "… and our mail to …": the rest of such a sentence must not be lost, so it is taken apart first.
_NEW_MAIL = _whole(
    r"(?:(?:set|change|update)\s)?(?:our|the|my)\s(?:new\s)?(?:e-?\s?mail|mail)(?:\saddress)?\s"
    r"(?:is\snow|has\schanged\sto|is|to|should\sbe)\s(?:now\s)?(?P<address>[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5})"
)
_MORE_THAN_A_NUMBER = re.compile(rf"@|\d\W*\b(?:{any_of(lambda each: each.letters.and_)}|but)\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w+])(?:\+|\(\+?)?\d(?:[\d\s()/.–-]{3,24})\d(?!\w)")
_MOVES = r"(?:(?:goes|go|went|comes?)\s(?:up|down)|rises?|falls?|changes?)(?:\sfrom\s\S{1,12})?\sto"
_PRICES = (
    _whole(
        rf"(?:(?:the\s|our\s)?(?:new\s)?price\s(?:of|for)\s)?(?P<item>[^\ue000:]{{1,80}}?)\s{_MOVES}\s{_PRICED}{_AMOUNT}"
    ),
    _whole(
        rf"(?:set|change|update|raise|lower|increase|reduce|put|make|correct)\s(?P<item>(?!.*\bprice\b)[^\ue000]{{1,80}}?)"
        rf"\s(?:from\s\S{{1,12}}\s)?to\s{_PRICED}{_AMOUNT}"
    ),
    _whole(rf"(?P<item>[^\ue000]{{1,80}}?)\s(?:is|are)\s{_PRICED}{_AMOUNT}(?:\seach)?\s(?:now|from\snow\son)"),
    _whole(
        r"(?:(?:set|change|update|raise|lower|increase|reduce|make)\s)?(?:the\s|our\s)?(?:new\s)?price\s(?:of|for)\s"
        rf"(?P<item>.{{1,80}}?)\s(?:(?:from\s\S{{1,12}}\s)?to|is|is\snow|should\sbe|will\sbe|:)\s?{_AMOUNT}"
    ),
    _whole(
        rf"(?P<item>.{{1,80}}?)\s(?:will\s|should\s|must\s)?(?:now\s)?costs?(?:\snow)?\s(?:only\s)?{_AMOUNT}"
        r"(?:\s(?:each|now|from\snow\son))?(?:,?\s(?:instead\sof|and\snot|not)\s\S{1,12})?"
    ),
    _whole(
        rf"(?P<item>.{{1,80}}?)\s(?:is|are)\snow\s(?=[€$£]|\d+[.,]\d\d\b|\S+\s?(?:€|\$|£|eur|chf|pound|dollar)){_AMOUNT}(?:\seach)?"
    ),
    # "Der Pflaumenkuchen kostet jetzt 3,90 €", in all languages.
    _whole(
        rf"(?P<item>[^\ue000:]{{1,80}}?)\s(?:{any_of(lambda each: each.when.costs)})"
        rf"(?:\s(?:{any_of(lambda each: each.when.always)}))?\s{_PRICED}{_AMOUNT}"
    ),
    # "Seeded rye €5.00", as a line of a list.
    _whole(
        r"(?P<item>(?!.*\b(?:costs?|prices?|is|are|was|were|to|from|of|for|now|at|than|under|over|about|around|only|and|but|with)\b)"
        rf"[^\W\d_][^\ue000:]{{1,60}}?):?\s{_PRICED}{_AMOUNT}(?:\seach|\snow)?"
    ),
)
_NOT_AN_ITEM = re.compile(
    r"\b(?:not|never|if|whether|what|how|why|it|this|that|which|we|you|i|open|close)\b|n['’]t\b",
    re.IGNORECASE,
)
_KIND = r"(?:paragraphs?|sentences?|text|lines?|notes?|words?|notice|following)"
_ADDS = (
    _whole(rf"add\s(?:[^\W\d_]+\s){{0,4}}?{_KIND}?\s?:?\s?(?P<value>{QUOTE}){_ON_A_PAGE}"),
    _whole(
        rf"add\s(?:[^\W\d_]+\s){{0,4}}?(?:{_KIND}\s)?(?:to|on|at\sthe\s(?:end|bottom)\sof)\s(?P<page>[^\ue000:]{{1,60}}?)"
        rf"(?:\s(?:saying|that\ssays|which\ssays|with\sthe\stext|reading))?\s?:?\s?(?P<value>{QUOTE})"
    ),
)
_REMOVE = _whole(
    rf"(?:remove|delete|take\s(?:out|down|away)|drop|cut)\s(?:[^\W\d_]+\s){{0,4}}?:?\s?(?P<value>{QUOTE}){_ON_A_PAGE}"
)
_OF = r"(?:\s(?:of|showing)\s(?:the\s|our\s|my\s|a\s|an\s)?(?P<about>[^\ue000]{1,80}?))?"
_PICTURES = (
    *(_whole(each.agent.place_picture) for each in known() if each.agent.place_picture != NOTHING),
    _whole(
        r"(?:put|place|add|use|show|insert|upload|include|publish|post)\s"
        rf"(?:(?:this|these|the|that|those|my|our|a|an|some|attached|new|following|in|up|two|three|four)\s)*"
        rf"{_PICTURE_WORD}(?:\sattached|\sbelow)?{_OF}"
        r"(?:\s(?:on(?:to)?|to|in(?:to)?|at)\s(?P<page>[^\ue000]{1,60}?))?"
    ),
    _whole(
        r"(?:here(?:['’]?s|\sis|\sare|\scomes?)|attached(?:\s(?:is|are|you(?:['’]ll|\swill)\sfind))?|(?:please\s)?find\sattached"
        r"|(?:i|we)(?:['’]ve|\shave)?\s(?:also\s)?(?:attach|attached|send|sent|add|added)(?:\syou)?|see|with|und)\s"
        rf"(?:(?:this|these|the|that|my|our|a|an|some|attached|new|recent|nice|another|also|two|three)\s)*{_PICTURE_WORD}"
        rf"(?:\sattached|\sbelow)?{_OF}(?:\s(?:for|on|to)\s(?P<page>[^\ue000]{{1,60}}?))?"
    ),
    _whole(
        rf"(?:(?:the|a|new|also)\s)*{_PICTURE_WORD}{_OF}\s(?:is\s|are\s)?(?:attached|enclosed|anbei|im\sanhang|below)"
        r"(?:\s(?:for|on)\s(?P<page>[^\ue000]{1,60}?))?"
    ),
)
_WAIT = _whole(r"wait\sfor\sthe\sfile\s(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,80})")


def wait_wish(_sentence: QuotedSentence, text: str) -> tuple[Instruction, ...]:
    match = _WAIT.match(text)
    return (WaitFor(match["name"]),) if match else ()


def quoted_change(sentence: QuotedSentence, text: str) -> tuple[Instruction, ...]:
    match = _QUOTED_CHANGE.match(text) or _QUOTED_STATEMENT.match(text) or _INSTEAD_OF.match(text)
    if match:
        old, new = sentence.plain(match["old"]), sentence.plain(match["new"])
        return (Replace(((old, new),), _page(match["page"])),) if old else ()
    return _several_changes(sentence, text)


def _several_changes(sentence: QuotedSentence, text: str) -> tuple[Instruction, ...]:
    start = re.match(rf"{_CHANGE}(?=\s)", text, re.IGNORECASE)
    position = start.end() if start else len(text)
    found: list[Instruction] = []
    while match := _QUOTED_PAIR.match(text, position):
        found.append(Replace(((sentence.plain(match["old"]), sentence.plain(match["new"])),)))
        position = match.end()
    return tuple(found) if found and position == len(text) else ()


def open_change(sentence: QuotedSentence, text: str) -> tuple[Instruction, ...]:
    """Read a change without quotation marks; which of its readings is meant, the site's own words decide."""
    match = _OPEN_CHANGE.match(text)
    if not match:
        return ()
    # "… everywhere" says where, and is no part of the words.
    rest = _AT_LAST.sub("", match["rest"])
    cuts = [(rest[: cut.start()], rest[cut.end() :]) for cut in _SPLIT.finditer(rest)][:_MOST_READINGS]
    moved = _FROM.search(rest)
    pairs = ([(moved["old"], moved["new"])] if moved else []) + cuts
    readings = [(sentence.plain(old), sentence.plain(new)) for old, new in pairs]
    readings += [(_ARTICLE.sub("", old, count=1), _ARTICLE.sub("", new, count=1)) for old, new in readings]
    sensible = tuple(dict.fromkeys(each for each in readings if _names_words(each[0]) and each[1]))
    return (Replace(sensible, None, quoted=False),) if sensible else ()


def named_part(sentence: QuotedSentence, text: str) -> tuple[Instruction, ...]:
    match = _NAMED.match(text)
    if not match:
        return ()
    before = (match["before"] or "").lower()
    page = match["page"] or (None if before in {"", "main", "page", "the", "site", "website"} else before)
    value = sentence.plain(match["value"])
    if not value:
        return ()
    return (NewTitle(value, _page(page)) if match["what"].lower() == "title" else Heading(value, _page(page)),)


def phone_wish(sentence: QuotedSentence, text: str) -> tuple[Instruction, ...]:
    plain = sentence.plain(text)
    if not _PHONE_WORD.search(text) or _NOT_AN_ITEM.search(text) or _MORE_THAN_A_NUMBER.search(plain):
        return ()
    numbers = [" ".join(match[0].split()) for match in _NUMBER.finditer(plain)]
    if len(numbers) == 1:
        return (Phone(numbers[0]),)
    two = 2
    return (Phone(numbers[1], numbers[0]),) if len(numbers) == two else ()


def mail_wish(sentence: QuotedSentence, text: str) -> tuple[Instruction, ...]:
    match = _NEW_MAIL.match(sentence.plain(text))
    return (MailAddress(match["address"]),) if match else ()


def price_wish(sentence: QuotedSentence, text: str) -> tuple[Instruction, ...]:
    match = next((match for pattern in _PRICES if (match := pattern.match(text))), None)
    if not match or _NOT_AN_ITEM.search(match["item"]):
        return ()
    item = _ARTICLE.sub("", sentence.plain(match["item"]), count=1)
    # "Der Pflaumenkuchen (plum cake)": the site's own word stands in brackets.
    aside = _IN_BRACKETS.search(item)
    item = aside[1] if aside else item
    return (NewPrice(item, match["amount"].strip("€$£ ")),) if len(item.split()) <= _LONGEST_ITEM else ()


def added_text(sentence: QuotedSentence, text: str) -> tuple[Instruction, ...]:
    match = next((match for pattern in _ADDS if (match := pattern.match(text))), None)
    value = sentence.plain(match["value"]) if match else ""
    return (AddText(value, _page(match["page"])),) if match and value else ()


def removed_text(sentence: QuotedSentence, text: str) -> tuple[Instruction, ...]:
    match = _REMOVE.match(text)
    value = sentence.plain(match["value"]) if match else ""
    return (RemoveText(value, _page(match["page"])),) if match and value else ()


def picture_wish(sentence: QuotedSentence, text: str) -> tuple[Instruction, ...]:
    match = next((match for pattern in _PICTURES if (match := pattern.match(text))), None)
    if not match:
        return ()
    return (PlacePicture(sentence.plain(match["about"] or ""), _page(match["page"] and sentence.plain(match["page"]))),)


def _page(phrase: str | None) -> str | None:
    return None if phrase is None or _EVERYWHERE.fullmatch(phrase.strip()) else phrase.strip()


def _names_words(text: str) -> bool:
    words = [word for word in text.lower().split() if word not in {"the", "a", "an", "our", "my"}]
    return len(" ".join(words)) >= _SHORTEST_UNQUOTED and not all(word in _NO_TEXT for word in words)
