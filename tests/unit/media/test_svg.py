from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pictures import photo
from webordinary.jobs.job import FileKind, FileProblem
from webordinary.media.limits import MediaLimits
from webordinary.media.svg import find_problem, root_of
from webordinary.media.treat import treat

INSIDE = f"data:image/png;base64,{base64.b64encode(photo('PNG')).decode()}"


def drawing(inside: str, *, before: str = "", attributes: str = "") -> bytes:
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f"{before}<svg {spaces} {attributes}>{inside}</svg>".encode()


HARMLESS = {
    "a circle": drawing('<circle r="4" fill="red"/>'),
    "a declaration": drawing("<g/>", before='<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by hand -->'),
    "the old doctype": drawing(
        "<g/>",
        before='<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">',
    ),
    "a style of its own": drawing("<style>.a { fill: #123; clip-path: url(#c) }</style><g class='a'/>"),
    "a gradient": drawing('<linearGradient id="a"/><rect fill="url(#a)" transform="rotate(3)"/>'),
    "a copy of its own part": drawing('<g id="a"/><use xlink:href="#a"/><use href="#a"/>'),
    "a picture inside": drawing(f'<image href="{INSIDE}"/>'),
    "a font inside": drawing("<style>@font-face { src: url(data:font/woff2;base64,d09GMgAB) }</style>"),
    "notes of a drawing program": drawing(
        '<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>'
        '<k:view xmlns:k="http://www.inkscape.org/namespaces/inkscape" k:export-filename="C:\\logo.png"/>'
    ),
    "a movement": drawing('<rect><animate attributeName="x" values="0;10;0" dur="2s"/></rect>'),
    "words": drawing("<text>javascript: is a word here</text>"),
}
ACTIVE = {
    "a script": drawing("<script>alert(1)</script>"),
    "a script with a prefix": drawing('<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>'),
    "an event": drawing('<rect onclick="alert(1)"/>'),
    "an event at the root": drawing("", attributes='onload="alert(1)"'),
    "an event in capitals": drawing('<rect ONCLICK="alert(1)"/>'),
    "a page inside": drawing('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">hi</p></foreignObject>'),
    "an element of a page": drawing('<p xmlns="http://www.w3.org/1999/xhtml">hi</p>'),
    "a link that runs": drawing('<a href="javascript:alert(1)"><g/></a>'),
    "a link that runs, hidden": drawing('<a xlink:href="java&#x09;script:alert(1)"><g/></a>'),
    "a picture from elsewhere": drawing('<image href="https://elsewhere.example/x.png"/>'),
    "a picture without a protocol": drawing('<image href="//elsewhere.example/x.png"/>'),
    "a copy from elsewhere": drawing('<use href="other.svg#a"/>'),
    "a drawing inside a picture": drawing('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>'),
    "a page as a link": drawing('<a href="data:text/html,hi"><g/></a>'),
    "a filter from elsewhere": drawing('<feImage href="http://elsewhere.example/x"/>'),
    "a style from elsewhere": drawing("<style>@import 'https://elsewhere.example/x.css';</style>"),
    "an address in a style": drawing("<style>rect { fill: url(https://elsewhere.example/#a) }</style>"),
    "an address in an attribute": drawing('<rect fill="url(https://elsewhere.example/#a)"/>'),
    "an address that never ends": drawing("<style>rect { fill: url(https://elsewhere.example</style>"),
    "a spelled address": drawing("<rect style='fill: u\\72l(https://elsewhere.example/#a)'/>"),
    "a spelled address in an attribute": drawing("<rect fill='u\\72l(https://elsewhere.example/#a)'/>"),
    "a set of pictures": drawing("<style>g { mask: image-set('https://elsewhere.example/x' 1x) }</style>"),
    "a style sheet": drawing("<g/>", before='<?xml-stylesheet href="https://elsewhere.example/x.css"?>'),
    "an entity": drawing("<text>&a;</text>", before='<!DOCTYPE svg [<!ENTITY a "b">]>'),
    "a file": drawing("<text>&a;</text>", before='<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>'),
    "a change of a link": drawing('<a href="#a"><set attributeName="href" to="x"/></a>'),
    "a change of a link by prefix": drawing('<a><animate attributeName="xlink:href" values="x"/></a>'),
    "another beginning of addresses": drawing(
        '<image href="x.png"/>', attributes='xml:base="https://elsewhere.example/"'
    ),
    "a frame": drawing('<iframe src="https://elsewhere.example/"/>'),
    "a thousand levels": drawing("<g>" * 1000 + "</g>" * 1000),
    "a page": b'<html xmlns="http://www.w3.org/1999/xhtml"/>',
}


@pytest.mark.parametrize("what", HARMLESS)
def test_a_drawing_that_only_draws_is_kept_as_it_is(what: str) -> None:
    assert find_problem(HARMLESS[what]) == FileProblem.NONE
    treated = treat(HARMLESS[what], "logo.svg", "image/svg+xml", MediaLimits(), in_signature=False)
    assert (treated.fate, treated.content_type) == (FileKind.PHOTO, "image/svg+xml")
    assert [each.content for each in treated.photos] == [HARMLESS[what]]


@pytest.mark.parametrize("what", ACTIVE)
def test_a_drawing_that_could_do_more_is_refused(what: str) -> None:
    assert find_problem(ACTIVE[what]) == FileProblem.ACTIVE_SVG


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_script_is_found_in_every_encoding_that_a_browser_reads(encoding: str) -> None:
    content = drawing("<script>alert(1)</script>").decode().encode(encoding)
    treated = treat(content, "logo.svg", "image/svg+xml", MediaLimits(), in_signature=False)
    assert (treated.fate, treated.problem) == (FileKind.REFUSED, FileProblem.ACTIVE_SVG)


def test_a_billion_laughs_are_not_laughed() -> None:
    laughs = "".join(f'<!ENTITY l{number} "{f"&l{number - 1};" * 10}">' for number in range(1, 10))
    content = drawing("<text>&l9;</text>", before=f'<!DOCTYPE svg [<!ENTITY l0 "ha">{laughs}]>')
    treated = treat(content, "logo.svg", "image/svg+xml", MediaLimits(), in_signature=False)
    assert treated.problem == FileProblem.ACTIVE_SVG


def test_a_broken_drawing_is_not_kept_under_its_name() -> None:
    treated = treat(drawing("<g/>")[:-4], "logo.svg", "image/svg+xml", MediaLimits(), in_signature=False)
    assert (treated.fate, treated.problem) == (FileKind.REFUSED, FileProblem.UNREADABLE)


def test_an_enormous_drawing_is_refused() -> None:
    content = drawing(f"<text>{'a' * 2_000_000}</text>")
    treated = treat(content, "logo.svg", "image/svg+xml", MediaLimits(), in_signature=False)
    assert (treated.problem, treated.limit) == (FileProblem.TOO_LARGE, "2 MB")


@given(st.binary(max_size=300), st.integers(0, 300))
def test_whatever_stands_in_a_drawing_nothing_is_raised(noise: bytes, place: int) -> None:
    content = drawing('<g onclick="x"/>')
    mixed = content[:place] + noise + content[place:]
    assert isinstance(find_problem(mixed), FileProblem)
    root_of(mixed)
