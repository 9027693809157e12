"""What FTP servers say about the names in a folder: facts (RFC 3659), and lines like those of `ls -l`."""

from __future__ import annotations

import re

from webordinary.site.targets.host_files import EntryKind, HostEntry

_LINE = re.compile(
    r"(?P<kind>[-dlbcps])\S{9,10}\s+\d+\s+\S+\s+\S+\s+(?P<size>\d+)\s(?P<stamp>[A-Z][a-z]{2}\s+\d+\s+[\d:]+)\s(?P<name>.+)"
)
_LINE_KINDS = {"-": EntryKind.FILE, "d": EntryKind.FOLDER, "l": EntryKind.LINK}


def read_line(line: str) -> tuple[str, HostEntry] | None:
    """Read a line of a listing; None when it is none of a name."""
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    kind = _LINE_KINDS.get(found["kind"], EntryKind.OTHER)
    name = found["name"].partition(" -> ")[0] if kind is EntryKind.LINK else found["name"]
    return name, HostEntry(kind, int(found["size"]), " ".join(found["stamp"].split()))


def read_facts(line: str) -> tuple[str, HostEntry] | None:
    """Read the facts about one name; None when they are none."""
    words, space, name = line.partition(" ")
    facts = dict(fact.lower().split("=", 1) for fact in words.split(";") if "=" in fact)
    kind = {"file": EntryKind.FILE, "dir": EntryKind.FOLDER}.get(facts.get("type", ""))
    if "slink" in facts.get("type", "") or "symlink" in facts.get("type", ""):
        kind = EntryKind.LINK
    if not space or kind is None:
        return None
    size = facts.get("size", "0")
    return name, HostEntry(kind, int(size) if size.isdigit() and kind is EntryKind.FILE else 0, facts.get("modify", ""))
