"""Pictures of a request on a page: stored beside the site's own, in their order, with their words and sizes."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from webordinary.agent.scripted.edit_words import unknown_page
from webordinary.agent.scripted.formats import Format, format_of
from webordinary.agent.scripted.instruction import (
    Describe,
    InstructionOutcome,
    PlacePicture,
    RequestPicture,
    listed,
    shortened,
)
from webordinary.agent.scripted.landing import landing, markdown_text
from webordinary.agent.scripted.markup import Splice, attributes, tokenize, written
from webordinary.agent.scripted.pages import Site, SourcePage, read_plain_file, slug

if TYPE_CHECKING:
    from collections.abc import Sequence

_KINDS = (
    (b"\xff\xd8\xff", 0, "jpg"),
    (b"\x89PNG\r\n\x1a\n", 0, "png"),
    (b"GIF8", 0, "gif"),
    (b"WEBP", 8, "webp"),
    (b"ftypavif", 4, "avif"),
    (b"ftypavis", 4, "avif"),
)
_SVG = "image/svg+xml"
_LIGHT = ("avif", "webp")
# What a camera calls its pictures says nothing about them.
_CAMERA_NAME = re.compile(
    r"(?:img|dsc[fn]?|image|photo|picture|pxl|p|foto|bild|attachment|scan)?[-_ ]?[\d_ -]*", re.IGNORECASE
)
_LONGEST_NAME = 60
# Where generators keep what is put out as it is.
_STATIC = ("public", "static")


@dataclass(frozen=True, slots=True)
class _Stored:
    """One version of a picture in the site: its path, of which the root is not put out, its kind and its size."""

    root: str
    path: str
    kind: str
    width: int
    height: int


def place_pictures(
    site: Site, wish: PlacePicture, pictures: Sequence[RequestPicture], refused: Sequence[str] = ()
) -> InstructionOutcome:
    """Show the attached pictures on the page, one below the other, behind those that came before."""
    page = site.page_called(wish.page)
    if page is None:
        return unknown_page(site, wish.page or "home")
    if not pictures:
        question = "No picture came with this mail. Could you attach it and send it again?"
        if refused:
            question = f"I cannot use {listed(list(refused))}. Could you send it again as JPEG or PNG?"
        return InstructionOutcome(question, question=question, wants="picture")
    groups = _by_name(pictures)
    known = {name: _stored(site, page, _name_for(wish, name, groups), versions) for name, versions in groups.items()}
    stored = {name: files for name, files in known.items() if files}
    if not stored:
        question = "I cannot show this file as a picture. Could you send it as JPEG or PNG?"
        return InstructionOutcome(question, question=question, wants="picture")
    there = _sources(page)
    fresh = {name: files for name, files in stored.items() if not any(_address(page, each) in there for each in files)}
    if not fresh:
        return InstructionOutcome(f"{listed(list(stored))} already stands on {page.label}.")
    alts = {name: _alt(wish, name, groups) for name in fresh}
    lines = [line for name, files in fresh.items() for line in _figure(page, files, alts[name])]
    site.change(page, [landing(page, lines, behind_figures=True)])
    paths = [each.path for files in fresh.values() for each in files]
    unnamed = tuple(name for name, alt in alts.items() if not alt)
    return InstructionOutcome(f"Put {listed(list(fresh))} on {page.label}.", (page.path, *paths), undescribed=unnamed)


def describe_pictures(site: Site, wish: Describe) -> InstructionOutcome:
    """Put an alternative text to the pictures of a page that have none yet."""
    page = site.page_called(wish.page)
    empty = [] if page is None else _without_words(page)
    if page is None or not empty:
        return InstructionOutcome("", understood=False)
    if page.is_markdown:
        splices = [Splice(*span, markdown_text(wish.text)) for span in empty]
    else:
        splices = [Splice(*span, written(wish.text, '"')) for span in empty]
    site.change(page, splices)
    return InstructionOutcome(f"Described the picture on {page.label} as “{shortened(wish.text)}”.", (page.path,))


def _without_words(page: SourcePage) -> list[tuple[int, int]]:
    if page.is_markdown:
        return [(match.start() + 2, match.start() + 2) for match in re.finditer(r"!\[\]\(", page.shown)]
    found, inside = [], 0
    for token in tokenize(page.shown):
        if token.name == "figure":
            inside += -1 if token.closing else 1
        elif token.name == "img" and inside > 0:
            found += [
                (each.start, each.end)
                for each in attributes(page.shown, token)
                if each.name == "alt" and not each.value
            ]
    return found


def _by_name(pictures: Sequence[RequestPicture]) -> dict[str, list[RequestPicture]]:
    # The same photo comes as AVIF and as JPEG, and in two sizes: one picture in several versions.
    groups: dict[str, list[RequestPicture]] = {}
    for picture in pictures:
        stem = Path(picture.name).stem
        known = next((name for name in groups if Path(name).stem == stem), picture.name)
        groups.setdefault(known, []).append(picture)
    return groups


def _name_for(wish: PlacePicture, name: str, groups: dict[str, list[RequestPicture]]) -> str:
    about = wish.about or ("" if _says_nothing(name) else name) or groups[name][0].about or name
    return slug(Path(about).stem if about == name else about)[:_LONGEST_NAME].strip("-") or "picture"


def _alt(wish: PlacePicture, name: str, groups: dict[str, list[RequestPicture]]) -> str:
    about = groups[name][0].about
    several = len({versions[0].about for versions in groups.values() if versions[0].about}) > 1
    return (about if several else "") or wish.about or about or _words_of(name)


def _says_nothing(name: str) -> bool:
    return bool(_CAMERA_NAME.fullmatch(Path(name).stem))


def _words_of(name: str) -> str:
    return "" if _says_nothing(name) else " ".join(re.sub(r"[-_]+", " ", Path(name).stem).split())


def _stored(site: Site, page: SourcePage, name: str, versions: list[RequestPicture]) -> list[_Stored]:
    found: list[_Stored] = []
    widest = max(version.width for version in versions)
    # Another size is worth its room only where the page makes use of it.
    used = [each for each in versions if each.width == widest or _neighbours(page)]
    for version in used:
        data = _picture_data(version)
        kind = _kind_of(data) or ("svg" if data and version.content_type == _SVG else None)
        called = name if version.width == widest else f"{name}-{version.width}"
        kept = _kept(site, page, f"{called}.{kind}", data) if kind else None
        if kept and kind:
            found.append(_Stored(kept[0], kept[1], kind, version.width, version.height))
    return found


def _kept(site: Site, page: SourcePage, name: str, data: bytes) -> tuple[str, str] | None:
    """Store a file where the page's pictures lie, and return that root and its path."""
    root, folder = _home_of(site, page)
    for home, place in dict.fromkeys([(root, posixpath.join(root, folder)), ("", "images")]):
        if path := site.keep_file(place, name, data):
            return home, path
    return None


def _picture_data(picture: RequestPicture) -> bytes:
    try:
        return read_plain_file(Path(picture.path))
    except (OSError, ValueError):
        return b""


def _kind_of(data: bytes) -> str | None:
    return next((kind for sign, place, kind in _KINDS if data[place : place + len(sign)] == sign), None)


def _images(page: SourcePage) -> list[dict[str, str]]:
    return [
        {each.name: each.value for each in attributes(page.shown, token)}
        for token in tokenize(page.shown)
        if token.name == "img" and not token.closing
    ]


def _sources(page: SourcePage) -> list[str]:
    named = [image.get("src", "") for image in _images(page)]
    named += re.findall(r"!\[[^\]\n]*\]\(([^)\s]+)", page.shown) if page.is_markdown else []
    return [each for each in named if each and not re.match(r"[a-z][a-z0-9+.-]*:|//", each, re.IGNORECASE)]


def _neighbours(page: SourcePage) -> str | None:
    """Return how wide the page's own pictures are shown, if they come in several sizes."""
    offered = [image for image in _images(page) if re.search(r"\s\d+w\b", image.get("srcset", ""))]
    return (offered[-1].get("sizes") or "100vw") if offered else None


def _home_of(site: Site, page: SourcePage) -> tuple[str, str]:
    """Return the folder of the page's last picture, since the first is often the logo, and what is put out from where.

    The build leaves the first part away: what lies in public/pictures is found at /pictures.
    """
    for source in reversed(_sources(page)):
        if source.startswith("/"):
            at = posixpath.normpath(source).lstrip("/")
            root, folder = site.root_of(at), posixpath.dirname(at)
        else:
            root, folder = (
                "",
                posixpath.dirname(posixpath.normpath(posixpath.join(posixpath.dirname(page.path), source))),
            )
        if folder and not folder.startswith((".", "/")):
            return root, folder
    return next((root for root in _STATIC if site.has_folder(root)), ""), "images"


def _address(page: SourcePage, stored: _Stored) -> str:
    sources = _sources(page)
    if any(source.startswith("/") for source in sources) or (stored.root and not sources):
        return f"/{posixpath.relpath(stored.path, stored.root or '.')}"
    return posixpath.relpath(stored.path, posixpath.dirname(page.path) or ".")


def _figure(page: SourcePage, files: list[_Stored], alt: str) -> list[str]:
    widest = max(each.width for each in files)
    plain = next((each for each in files if each.kind not in _LIGHT and each.width == widest), files[0])
    if page.is_markdown:
        return _in_prose(page, _address(page, plain), alt)
    sources = [
        _source(page, files, kind) for kind in _LIGHT if kind != plain.kind and any(each.kind == kind for each in files)
    ]
    image = _image(page, [each for each in files if each.kind == plain.kind], plain, alt)
    if not sources:
        return ["<figure>", f"  {image}", "</figure>"]
    return ["<figure>", "  <picture>", *(f"    {each}" for each in [*sources, image]), "  </picture>", "</figure>"]


def _in_prose(page: SourcePage, address: str, alt: str) -> list[str]:
    if format_of(page.path) is Format.MARKDOWN:
        return [f"![{markdown_text(alt)}]({address})"]
    words = " ".join(alt.split())
    match PurePosixPath(page.path).suffix.lower():
        case ".rst":
            return [f".. image:: {address}", *([f"   :alt: {words}"] if words else [])]
        case ".adoc" | ".asciidoc":
            return [f"image::{address}[{words}]"]
        case ".org":
            return [f"[[file:{address}]]"]
        case _:
            return [f"!{address}({words})!"]


def _source(page: SourcePage, files: list[_Stored], kind: str) -> str:
    mine = [each for each in files if each.kind == kind]
    offered = _offered(page, mine)
    srcset = offered or _quoted(_address(page, mine[-1]))
    return f'<source srcset={srcset} type="image/{kind}"{_sizes(page) if offered else ""}>'


def _image(page: SourcePage, files: list[_Stored], plain: _Stored, alt: str) -> str:
    size = f' width="{plain.width}" height="{plain.height}"' if plain.width else ""
    offered = _offered(page, files)
    several = f" srcset={offered}{_sizes(page)}" if offered else ""
    return f"<img src={_quoted(_address(page, plain))}{several} alt={_quoted(alt)}{size}>"


def _offered(page: SourcePage, files: list[_Stored]) -> str:
    """Return all sizes of one kind as a page offers them; nothing when there is only one."""
    sized = sorted((each for each in files if each.width), key=lambda each: each.width)
    return _quoted(", ".join(f"{_address(page, each)} {each.width}w" for each in sized)) if len(sized) > 1 else ""


def _sizes(page: SourcePage) -> str:
    return f" sizes={_quoted(_neighbours(page) or '100vw')}"


def _quoted(value: str) -> str:
    return f'"{written(value, chr(34))}"'
