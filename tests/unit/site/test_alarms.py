"""What must wait for an ok, whoever asked for it."""

from __future__ import annotations

import pytest

from webordinary.site.checks.alarms import find_alarms
from webordinary.site.checks.hosts import host_of
from webordinary.site.checks.run import Finding, Problem
from webordinary.site.read.index import SiteIndex
from webordinary.site.read.page_reader import read_page
from webordinary.site.receipt.changes import take_receipt

HEAD = (
    "<!doctype html><head><title>Bakery</title><link rel=canonical href=https://amelia.example/>"
    "<meta name=robots content=index><script src=/app.js></script><script>start(1)</script>"
    "<script src=https://maps.example/embed.js></script></head><p>We bake <a href=https://maps.example/here>here</a></p>"
)
PAGE = (
    HEAD + "<form action=/send></form><iframe src=https://maps.example/a></iframe><img src=https://cdn.example/a.jpg>"
)


def site(**pages: str) -> SiteIndex:
    files = {f"{name}.html": html for name, html in pages.items()}
    return SiteIndex(
        {name: read_page(html) for name, html in files.items()},
        files | {"app.js": "1"},
    )


def alarms(before: SiteIndex, after: SiteIndex, request: str = "Please make the page nicer.") -> list[Problem]:
    found = find_alarms(request, before, after, take_receipt(before, after))
    assert all(finding.needs_ok for finding in found)
    return [finding.problem for finding in found]


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("</head>", "<script src=https://evil.example/x.js></script></head>", Problem.NEW_PROGRAM),
        ("</head>", "<script src=//evil.example/x.js></script></head>", Problem.NEW_PROGRAM),
        ("</head>", "<script>track()</script></head>", Problem.NEW_PROGRAM),
        ("</head>", "<script>navigator.serviceWorker.register('/sw.js')</script></head>", Problem.NEW_PROGRAM),
        ("start(1)", "steal(1)", Problem.NEW_PROGRAM),
        ("maps.example/embed.js", "evil.example/embed.js", Problem.NEW_PROGRAM),
        ("<p>We", "<p onclick=go()>We", Problem.NEW_PROGRAM),
        ("<p>We", "<p><svg onload=go()></svg>We", Problem.NEW_PROGRAM),
        ("https://maps.example/here", "javascript:go()", Problem.NEW_PROGRAM),
        ("https://maps.example/here", "data:text/html,hello", Problem.NEW_PROGRAM),
        ("<form", "<iframe src=https://evil.example></iframe><form", Problem.NEW_FRAME),
        ("maps.example/a", "maps.example/b", Problem.NEW_FRAME),
        ("<form", "<iframe srcdoc='<p>Hello'></iframe><form", Problem.NEW_FRAME),
        ("<form", "<object data=thing.swf></object><form", Problem.NEW_FRAME),
        ("action=/send", "action=https://evil.example/send", Problem.NEW_FORM),
        ("action=/send", "action=/other", Problem.NEW_FORM),
        ("<form action=/send>", "<form action=/send><button formaction=//evil.example>", Problem.NEW_FORM),
        ("</head>", "<base href=https://evil.example/></head>", Problem.NEW_ORDER),
        ("</head>", "<meta http-equiv=refresh content='0; url=/x'></head>", Problem.NEW_ORDER),
        ("content=index", "content=noindex", Problem.NEW_ORDER),
        ("<meta name=robots content=index>", "", Problem.NEW_ORDER),
        ("</head>", "<meta name=googlebot content=noindex></head>", Problem.NEW_ORDER),
        ("https://amelia.example/", "https://evil.example/", Problem.NEW_ORDER),
        ("<link rel=canonical href=https://amelia.example/>", "", Problem.NEW_ORDER),
        ("</head>", "<link rel=manifest href=/app.webmanifest></head>", Problem.NEW_ORDER),
        ("</head>", "<link rel=stylesheet href=https://evil.example/x.css></head>", Problem.NEW_HOST),
        ("https://maps.example/here", "https://evil.example/here", Problem.NEW_HOST),
        ("https://maps.example/here", "//evil.example/here", Problem.NEW_HOST),
        ("https://maps.example/here", "/\\\\evil.example/here", Problem.NEW_HOST),
        ("https://maps.example/here", "https://maps.example@evil.example/", Problem.NEW_HOST),
        ("https://maps.example/here", "bitcoin:1abc", Problem.NEW_HOST),
        ("https://cdn.example/a.jpg", "https://evil.example/a.jpg", Problem.NEW_HOST),
        ("<img", "<img srcset='https://evil.example/a.jpg 2x'", Problem.NEW_HOST),
        ("<p>We", "<p style='background: url(https://evil.example/a.png)'>We", Problem.NEW_HOST),
        ("<form", "<img src=https://evil.example/pixel.gif width=1 height=1><form", Problem.NEW_HOST),
    ],
)
def test_what_nobody_sees_on_the_page_waits_for_an_ok(before: str, after: str, problem: Problem) -> None:
    assert before in PAGE
    # Also beside words that were asked for.
    changed = PAGE.replace(before, after, 1)
    assert problem in alarms(site(index=PAGE), site(index=changed))
    assert problem in alarms(site(index=PAGE), site(index=changed.replace("We bake", "We always bake")))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("We bake", "We always bake"),
        ("<p>We", "<p>New bread</p><p>We"),
        ("<p>We", "<p class=big>We"),
        ("https://maps.example/here", "https://maps.example/there"),
        ("https://maps.example/here", "/contact.html"),
        ("https://maps.example/here", "tel:+4930123456"),
        ("<form", "<img src=/cake.jpg><form"),
        ("<form", "<script src=/app.js></script><form"),
        ("</head>", "<link rel=stylesheet href=/more.css></head>"),
        ("<iframe src=https://maps.example/a></iframe>", ""),
        ("<script>start(1)</script>", "<script>start(2)</script>"),
    ],
)
def test_what_a_site_does_every_day_waits_for_nobody(before: str, after: str) -> None:
    assert before in PAGE
    assert alarms(site(index=PAGE), site(index=PAGE.replace(before, after, 1))) == []


def test_the_texts_of_a_page_inside_of_its_own_program_are_no_other_program() -> None:
    was, is_now = (f'<script>self.data.push([1,"{text}"])</script><p>{text}</p>' for text in ("Old", "New"))
    assert alarms(site(index=was), site(index=is_now)) == []
    leads_out = is_now.replace('"New"', '"https://evil.example/x"')
    assert alarms(site(index=was), site(index=leads_out)) == [Problem.NEW_PROGRAM]


@pytest.mark.parametrize(
    ("request_", "is_named"),
    [
        ("Please link to https://shop.example/cakes", True),
        ("Our shop is at www.shop.example.", True),
        ("shop.example is our new partner", True),
        ("Link to our shop", False),
        ("Link to myshop.example", False),
        ("Link to shop.example.org", False),
        ("Write to amelia@shop.example", False),
        ("Link to shop.example-bakery.org", False),
    ],
)
def test_only_the_very_host_that_the_owner_wrote_may_be_linked_at_once(request_: str, *, is_named: bool) -> None:
    before, after = site(index="<p>x</p>"), site(index="<p>x</p><a href=https://www.shop.example/cakes>Cakes</a>")
    assert (alarms(before, after, request_) == []) == is_named


def test_a_new_page_may_do_what_the_others_do_and_nothing_else() -> None:
    new = HEAD.replace("amelia.example/", "amelia.example/new").replace("We bake", "New")
    assert alarms(site(index=PAGE), site(index=PAGE, new=new)) == []
    noindex = new.replace("content=index", "content=noindex")
    assert alarms(site(index=PAGE), site(index=PAGE, new=noindex)) == [Problem.NEW_ORDER]
    tracked = new.replace("</head>", "<script src=https://evil.example></script></head>")
    assert alarms(site(index=PAGE), site(index=PAGE, new=tracked)) == [Problem.NEW_PROGRAM]


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("https://www.Amelia.example/x", "amelia.example"),
        ("//amelia.example:8443/x", "amelia.example"),
        ("HTTPS:/amelia.example", "amelia.example"),
        ("https:\\\\amelia.example\\x", "amelia.example"),
        ("/menu.html", ""),
        ("menu:2026.html", ""),
        ("mailto:a@amelia.example", ""),
        ("https://[broken", "//[broken"),
    ],
)
def test_hosts_are_read_as_browsers_read_them(address: str, host: str) -> None:
    assert host_of(address) == host


def test_the_finding_names_what_it_is_about() -> None:
    after = site(index=PAGE.replace("</head>", "<script src=https://evil.example/x.js></script></head>"))
    found = find_alarms("Nicer!", site(index=PAGE), after, take_receipt(site(index=PAGE), after))
    assert found == (Finding(Problem.NEW_PROGRAM, "script https://evil.example/x.js"),)
