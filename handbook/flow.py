"""What a page draws in the language of Mermaid, as a list of arrows: it needs no script, and reads well on a phone."""

from __future__ import annotations

import re
from html import escape, unescape

_STATE = re.compile(r"^\s*(?P<source>\S+) -->? ?(?P<target>\S+?)(?:\s*: (?P<words>.+))?$")
_FLOW = re.compile(r"^\s*(?P<source>[^-].*?) (?:-->|---) (?P<target>.+)$")
_BOX = re.compile(r"^(?P<name>\w+)(?:\(\[|\[\(|\[|\()?(?P<words>.*?)(?:\]\)|\)\]|\]|\))?$")
_EDGE_OF_ALL = "[*]"


def drawn(text: str) -> str:
    """Return the arrows of a drawing, those from one place together."""
    arrows = _arrows(unescape(text))
    places = list(dict.fromkeys(source for source, _, _ in arrows))
    rows = "".join(
        f"<li><b>{escape(place)}</b><ul>"
        + "".join(_shown(target, words) for source, target, words in arrows if source == place)
        + "</ul></li>"
        for place in places
    )
    return f'<ul class="flow">{rows}</ul>'


def _shown(target: str, words: str) -> str:
    return f"<li><b>{escape(target)}</b>{f' <span>{escape(words)}</span>' if words else ''}</li>"


def _arrows(text: str) -> list[tuple[str, str, str]]:
    head, *lines = [line for line in text.splitlines() if line.strip()]
    if head.startswith("stateDiagram"):
        found = [match for line in lines if (match := _STATE.match(line))]
        return [(_end(m["source"], "begin"), _end(m["target"], "end"), m["words"] or "") for m in found]
    names: dict[str, str] = {}
    flows = [match for line in lines if (match := _FLOW.match(line))]
    for flow in flows:
        for box in (flow["source"], flow["target"]):
            _name(box, names)
    return [(names[_key(flow["source"])], names[_key(flow["target"])], "") for flow in flows]


def _key(box: str) -> str:
    return box.strip().partition("[")[0].partition("(")[0]


def _name(box: str, names: dict[str, str]) -> None:
    match = _BOX.match(box.strip())
    words = match["words"] if match else ""
    if words or _key(box) not in names:
        names[_key(box)] = words or _key(box)


def _end(state: str, otherwise: str) -> str:
    return otherwise if state == _EDGE_OF_ALL else state
