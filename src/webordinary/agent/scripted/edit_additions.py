"""New paragraphs and pictures at the end of a page's own content."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from webordinary.agent.scripted.edit_words import unknown_page
from webordinary.agent.scripted.instruction import AddText, Outcome, Picture, PlacePicture, listed, shortened
from webordinary.agent.scripted.markup import Splice, Token, attributes, newline_of, tokenize, written
from webordinary.agent.scripted.pages import Page, Site, read_plain_file, slug
from webordinary.agent.scripted.passages import passages

if TYPE_CHECKING:
    from collections.abc import Sequence

_ELSEWHERE = frozenset({"header", "footer", "nav", "aside", "form", "table", "ul", "ol", "dl", "figure", "blockquote"})
_MARKDOWN_SIGN = re.compile(r"[\\`*_\[\]]|^(?:[#>+-]|\d+(?=[.)]))")
_KINDS = (
    (b"\xff\xd8\xff", 0, "jpg"),
    (b"\x89PNG\r\n\x1a\n", 0, "png"),
    (b"GIF8", 0, "gif"),
    (b"WEBP", 8, "webp"),
    (b"ftypavif", 4, "avif"),
    (b"ftypavis", 4, "avif"),
)
_SVG = "image/svg+xml"
# What a camera calls its pictures says nothing about them.
_CAMERA_NAME = re.compile(
    r"(?:img|dsc[fn]?|image|photo|picture|pxl|p|foto|bild|attachment|scan)?[-_ ]?[\d_ -]*", re.IGNORECASE
)
_LONGEST_NAME = 60


def add_text(site: Site, wish: AddText) -> Outcome:
    """Add a paragraph after the last one of the page."""
    page = site.page_called(wish.page)
    if page is None:
        return unknown_page(site, wish.page or "home")
    if any(_same(passage.text, wish.text) for passage in passages(page)):
        return Outcome(f"“{shortened(wish.text)}” already stands on {page.label}.")
    markup = _markdown_text(wish.text) if page.is_markdown else f"<p>{written(wish.text)}</p>"
    site.change(page, [_landing(page, [markup])])
    return Outcome(f"Added “{shortened(wish.text)}” to {page.label}.", (page.path,))


def place_pictures(site: Site, wish: PlacePicture, pictures: Sequence[Picture]) -> Outcome:
    """Store the attached pictures beside the site's own and show them on the page."""
    page = site.page_called(wish.page)
    if page is None:
        return unknown_page(site, wish.page or "home")
    if not pictures:
        question = "No picture came with this mail. Could you attach it and send it again?"
        return Outcome(question, question=question)
    known = {versions[0].name: _stored(site, page, wish, versions) for versions in _by_stem(pictures)}
    stored = {name: paths for name, paths in known.items() if paths}
    if not stored:
        question = "I cannot show this file as a picture. Could you send it as JPEG or PNG?"
        return Outcome(question, question=question)
    about = {picture.name: picture.about or _words_of(picture.name) for picture in pictures}
    shown = [name for name, paths in stored.items() if _show(site, page, paths, wish.about or about[name])]
    if not shown:
        return Outcome(f"{listed(list(stored))} already stands on {page.label}.")
    files = [path for name in shown for path in stored[name]]
    return Outcome(f"Put {listed(shown)} on {page.label}.", (page.path, *files))


def _show(site: Site, page: Page, paths: list[str], alt: str) -> bool:
    fresh = _current(site, page)
    if any(_address(fresh, path) in _picture_sources(fresh) for path in paths):
        return False
    return site.change(fresh, [_landing(fresh, _figure(fresh, paths, alt))])


def _same(one: str, other: str) -> bool:
    return one.split() == other.split()


def _stored(site: Site, page: Page, wish: PlacePicture, versions: list[Picture]) -> list[str]:
    name = slug(wish.about)[:_LONGEST_NAME].strip("-") or slug(Path(versions[0].name).stem)[:_LONGEST_NAME] or "picture"
    paths: list[str] = []
    for version in versions:
        data = _picture_data(version)
        kind = _kind_of(data) or ("svg" if data and version.content_type == _SVG else None)
        if kind is None:
            continue
        for folder in dict.fromkeys((_folder_of(page), "images")):
            if path := site.keep_file(folder, f"{name}.{kind}", data):
                paths.append(path)
                break
    return paths


def _picture_data(picture: Picture) -> bytes:
    try:
        return read_plain_file(Path(picture.path))
    except (OSError, ValueError):
        return b""


def _kind_of(data: bytes) -> str | None:
    return next((kind for sign, place, kind in _KINDS if data[place : place + len(sign)] == sign), None)


def _by_stem(pictures: Sequence[Picture]) -> list[list[Picture]]:
    # The same photo may come as AVIF and as JPEG: one picture in two versions.
    groups: dict[str, list[Picture]] = {}
    for picture in pictures:
        groups.setdefault(Path(picture.name).stem, []).append(picture)
    return list(groups.values())


def _words_of(name: str) -> str:
    stem = Path(name).stem
    return "" if _CAMERA_NAME.fullmatch(stem) else " ".join(re.sub(r"[-_]+", " ", stem).split())


def _current(site: Site, page: Page) -> Page:
    return next(each for each in site.pages if each.path == page.path)


def _picture_sources(page: Page) -> list[str]:
    return [
        each.value
        for token in tokenize(page.shown)
        if token.name == "img" and not token.closing
        for each in attributes(page.shown, token)
        if each.name == "src" and not re.match(r"[a-z][a-z0-9+.-]*:|//", each.value, re.IGNORECASE)
    ]


def _folder_of(page: Page) -> str:
    """Return the folder of the page's last picture, since the first is often the logo."""
    for source in reversed(_picture_sources(page)):
        at = source.lstrip("/") if source.startswith("/") else posixpath.join(posixpath.dirname(page.path), source)
        folder = posixpath.dirname(posixpath.normpath(at))
        if folder and not folder.startswith((".", "/")):
            return folder
    return "images"


def _address(page: Page, path: str) -> str:
    if any(source.startswith("/") for source in _picture_sources(page)):
        return f"/{path}"
    return posixpath.relpath(path, posixpath.dirname(page.path) or ".")


def _figure(page: Page, paths: list[str], alt: str) -> list[str]:
    light = [path for path in paths if path.endswith((".avif", ".webp"))]
    plain = next((path for path in paths if path not in light), paths[0])
    if page.is_markdown:
        return [f"![{_markdown_text(alt)}]({_address(page, plain)})"]
    image = f"<img src={_quoted(_address(page, plain))} alt={_quoted(alt)}>"
    sources = [
        f'<source srcset={_quoted(_address(page, path))} type="image/{PurePosixPath(path).suffix[1:]}">'
        for path in light
        if path != plain
    ]
    if not sources:
        return ["<figure>", f"  {image}", "</figure>"]
    inner = [f"    {each}" for each in [*sources, image]]
    return ["<figure>", "  <picture>", *inner, "  </picture>", "</figure>"]


def _quoted(value: str) -> str:
    return f'"{written(value, chr(34))}"'


def _markdown_text(text: str) -> str:
    return _MARKDOWN_SIGN.sub(lambda match: "\\" + match[0], written(text))


def _landing(page: Page, lines: list[str]) -> Splice:
    raw, newline = page.shown, newline_of(page.text)
    if page.is_markdown:
        end = len(page.text.rstrip())
        return Splice(end, len(raw), (newline * 2 if end else "") + newline.join(lines) + newline)
    tokens = _own_content(tokenize(raw))
    last = _last_paragraph(tokens)
    if last is not None:
        opener, closer_of_it = last
        indent = _indent_at(raw, opener.start)
        return Splice(closer_of_it.end, closer_of_it.end, "".join(f"{newline}{indent}{line}" for line in lines))
    closer = tokens[-1].start if tokens and tokens[-1].closing else len(raw)
    place = len(raw[:closer].rstrip())
    indent = _indent_at(raw, closer) + "  " if closer < len(raw) else ""
    tail = newline if not raw[place:closer] else ""
    return Splice(place, place, "".join(f"{newline}{indent}{line}" for line in lines) + tail)


def _own_content(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return the tokens of <main> with its closing tag, else those of <body>, else all."""
    for name in ("main", "body"):
        marks = [number for number, token in enumerate(tokens) if token.name == name]
        opened = next((number for number in marks if not tokens[number].closing), None)
        closed = next((number for number in reversed(marks) if tokens[number].closing), None)
        if opened is not None and closed is not None and opened < closed:
            return tokens[opened + 1 : closed + 1]
    return tokens


def _last_paragraph(tokens: tuple[Token, ...]) -> tuple[Token, Token] | None:
    depth, opener, last = 0, None, None
    for token in tokens:
        if token.name in _ELSEWHERE:
            depth = max(0, depth - 1) if token.closing else depth + 1
        elif token.name == "p" and not token.closing:
            opener = token
        elif token.name == "p" and opener and not depth:
            last = (opener, token)
    return last


def _indent_at(raw: str, position: int) -> str:
    line = raw[raw.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip())]
