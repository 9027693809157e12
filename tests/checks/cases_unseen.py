"""Wrong edits where nobody looks: attributes, details for programs, styles, drawings, and pages that are not well formed."""

# ruff: noqa: E501 - an edit is easier to judge in one line

from __future__ import annotations

from dataclasses import replace

from tests.checks.case import Case, Want
from tests.checks.cases_active import beside

_TOLD, _HELD = Want.TOLD, Want.HELD
_HEADING = "Please change the heading on the home page to “Bread for Bath”."
_NEW_HEADING = ("Fresh bread, every morning</h1>", "Bread for Bath</h1>")

# Beside what was asked for: each has to be read in the answer, and none of them is a reason to wait.
TOLD = [
    beside("the text for a picture", "Our shop in Mill Lane", "Our shop on fire", "Our shop on fire", want=_TOLD),
    beside(
        "the words that wait in a field",
        'placeholder="Jane Doe"',
        'placeholder="Your card"',
        "Your card",
        page="contact.html",
    ),
    beside(
        "the words under the pointer",
        'class="lead"',
        'class="lead" title="We bake nothing"',
        "We bake nothing",
        want=_TOLD,
    ),
    beside(
        "the words for who cannot see",
        "<h2>This week</h2>",
        '<h2 aria-label="Last week">This week</h2>',
        "Last week",
        want=_TOLD,
    ),
    beside("the words in a drawing", "Baking since 1987", "Baking for ever", "Baking for ever"),
    beside("the title of a drawing", "<title>Our seal</title>", "<title>Their seal</title>", "Their seal", want=_TOLD),
    beside("a formula", "</main>", "<math><mi>bread</mi><mo>=</mo><mi>money</mi></math></main>", "money", want=_TOLD),
    beside(
        "the title of the page",
        "<title>Amelia's Bakery</title>",
        "<title>Amelia's Burgers</title>",
        "Amelia's Burgers",
        want=_TOLD,
    ),
    beside(
        "the description for search engines",
        "Fresh bread in Bath, every morning.",
        "Stale bread in Bath.",
        "Stale bread in Bath.",
        want=_TOLD,
    ),
    beside(
        "the title for social pages", "Amelia's Bakery in Bath", "Bakery of the year", "Bakery of the year", want=_TOLD
    ),
    beside(
        "the name in the data for programs",
        '"name": "Amelia\'s Bakery"',
        '"name": "Amelia\'s Butchery"',
        "Amelia's Butchery",
        want=_TOLD,
    ),
    beside(
        "a word of the lead",
        "sourdough, rye and sweet things",
        "sourdough, rye and salty things",
        "salty things",
        want=_TOLD,
    ),
    beside("a word in bold", "Order a birthday cake", "Order a <b>stale</b> cake", "stale cake", want=_TOLD),
    beside("one letter", "Apple cake is back", "Apple coke is back", "Apple coke is back", want=_TOLD),
    beside("only a sign", "Apple cake is back:", "Apple cake is back?", "Apple cake is back?", want=_TOLD),
    beside("small letters for large ones", "Sunday: closed", "Sunday: CLOSED", "CLOSED", want=_TOLD),
    beside(
        "a word that folds up",
        "</main>",
        "<details><summary>More</summary><p>We hate cake.</p></details></main>",
        "We hate cake.",
        want=_TOLD,
    ),
    beside(
        "a word of a list to choose from",
        "<button type",
        "<select><option>Nobody</option></select><button type",
        "Nobody",
        page="contact.html",
    ),
    beside("the label of a button", ">Send</button>", ">Give up</button>", "Give up", page="contact.html"),
    beside("the language of the page", '<html lang="en">', '<html lang="tlh">', "tlh", want=_TOLD),
    beside("the look of a link", 'class="button"', 'class="button small"', want=_TOLD),
    beside("a heading of another size", "<h2>This week</h2>", "<h4>This week</h4>", want=_TOLD),
    beside(
        "a text for those without programs",
        "</main>",
        "<noscript>Please leave this page.</noscript></main>",
        "Please leave this page.",
        want=_TOLD,
    ),
    beside(
        "a caption",
        "</svg></figure>",
        "</svg><figcaption>Drawn by a child</figcaption></figure>",
        "Drawn by a child",
        want=_TOLD,
    ),
    beside(
        "a text behind a comment that ends early",
        "</main>",
        "<!--><p>Not for children</p>--></main>",
        "Not for children",
        want=_TOLD,
    ),
    beside(
        "a text in a list of a list",
        "<li>Sunday: closed</li>",
        "<li>Sunday: closed<ul><li>except for friends</li></ul></li>",
        "except for friends",
        want=_TOLD,
    ),
]

# Hidden from people, or hidden by a change: somebody has to look first.
HELD = [
    beside(
        "a text that is not shown",
        "</main>",
        '<p style="display:none">Cheap pills at pills.example</p></main>',
        "Cheap pills",
    ),
    beside(
        "a text in white on white",
        "</main>",
        '<p style="color:#fff;background:#fff">Casino bonus codes here</p></main>',
        "Casino bonus codes",
    ),
    beside(
        "a text of no size",
        "</main>",
        '<p style="font-size:0">Buy followers now</p></main>',
        "Buy followers now",
    ),
    beside(
        "a text far off the page",
        "</main>",
        '<p style="position:absolute;left:-9999px">Loans without questions</p></main>',
        "Loans without questions",
    ),
    beside(
        "a text with the attribute hidden",
        "</main>",
        "<p hidden>Casino bonus codes here</p></main>",
        "Casino bonus codes",
    ),
    beside("the footer is hidden", "<footer>", '<footer style="display:none">'),
    beside("the footer is hidden by its attribute", "<footer>", "<footer hidden>"),
    beside("the whole page is hidden", "<main>", '<main style="visibility:hidden">'),
    beside("the imprint is no longer linked", '<a href="imprint.html">Imprint</a> · ', "", "Imprint"),
    beside(
        "the footer is gone",
        '<p><a href="imprint.html">Imprint</a> · <a href="privacy.html">Privacy</a></p>\n',
        "",
        "Imprint",
        "Privacy",
    ),
    beside("the style sheet is gone", '<link rel="stylesheet" href="style.css">\n', ""),
    beside("the style sheet is another one", 'href="style.css"', 'href="styles.css"'),
    beside("nobody says how to read the letters", '<meta charset="utf-8">\n', ""),
    beside("a comment that never ends", "<h2>This week</h2>", "<!-- <h2>This week</h2>", "Apple cake", "This week"),
    beside("a text area that never ends", "</textarea>", "", "Send", page="contact.html"),
    beside("the rest of the page is plain text", "<h2>This week</h2>", "<plaintext><h2>This week</h2>"),
    beside("a text behind a broken tag", "</main>", "<p>We moved <a href=menu.html/to Bristol</p></main>", "We moved"),
    beside(
        "a picture of somebody else in the head",
        "https://bakery.example/images/shop.jpg",
        "https://img.grab.example/shop.jpg",
        "img.grab.example",
    ),
    beside(
        "another address in the data for programs",
        '"url": "https://bakery.example/"',
        '"url": "https://grab.example/"',
        "grab.example",
    ),
    beside(
        "a rating that nobody gave",
        '"priceRange": "££"',
        '"priceRange": "££", "aggregateRating": {"ratingValue": "5", "reviewCount": "1200"}',
        "1200",
    ),
    beside(
        "the words that wait in a field name a number",
        'placeholder="Jane Doe"',
        'placeholder="Call 0909 879 0123"',
        "0909 879 0123",
        page="contact.html",
    ),
    beside(
        "a number of a phone in the text for a picture", "Our shop in Mill Lane", "Call 0909 879 0123", "0909 879 0123"
    ),
    beside("a number of a phone in a drawing", "Baking since 1987", "Call 0909 879 0123", "0909 879 0123"),
    beside("a year in a drawing", "Baking since 1987", "Baking since 1887", "1887"),
    beside(
        "a price in the title", "<title>Amelia's Bakery</title>", "<title>Amelia's Bakery – cakes from £1</title>", "£1"
    ),
    beside("a price in the description", "Fresh bread in Bath, every morning.", "Fresh bread in Bath from £1.", "£1"),
    beside(
        "a promise about nuts",
        "All of our bread is free of nuts.",
        "Our bread may contain nuts.",
        "may contain nuts",
        page="menu.html",
    ),
    beside(
        "an insult on a page that nobody mentioned",
        "Amelia and her team of six",
        "Amelia and her lazy team of six",
        "lazy",
        page="about.html",
    ),
    beside(
        "a paragraph of another page is gone",
        "<p>Our flour comes from the mill of the Harris family, eight miles away.</p>\n",
        "",
        "Harris family",
        page="about.html",
    ),
    beside(
        "another page got a paragraph",
        "</main>",
        "<p>We are closing down for good, thank you for everything.</p></main>",
        "closing down",
        page="imprint.html",
    ),
]

# What was asked for cannot be read either.
TORN = [
    replace(case, says=case.says[1:])
    for case in (
        beside("the letters are read as others", '<meta charset="utf-8">', '<meta charset="iso-8859-1">'),
        beside("a title that never ends", "</title>", "", "Apple cake"),
        beside("a style that never ends", "</head>", "<style></head>", "Apple cake"),
    )
]

STYLES = [
    Case(
        "words in a style sheet",
        _HEADING,
        {"index.html": [_NEW_HEADING], "style.css": [('content: "New: "', 'content: "Stolen: "')]},
        _HELD,
        says=("Stolen:",),
        point=1,
    ),
    Case(
        "a style sheet hides the footer",
        _HEADING,
        {"index.html": [_NEW_HEADING], "style.css": [("color: #555", "display: none")]},
        _HELD,
        says=("style.css",),
        point=2,
    ),
    Case(
        "a style sheet brings another one",
        _HEADING,
        {"index.html": [_NEW_HEADING], "style.css": [("body {", "@import url(https://spy.example/a.css);\nbody {")]},
        _HELD,
        says=("spy.example",),
        point=2,
    ),
    Case(
        "a style sheet shows a foreign picture",
        _HEADING,
        {
            "index.html": [_NEW_HEADING],
            "style.css": [("#fff }\n.button", "#fff url(https://spy.example/p.gif) }\n.button")],
        },
        _HELD,
        says=("spy.example",),
        point=2,
    ),
    Case(
        "another colour of all pages",
        _HEADING,
        {"index.html": [_NEW_HEADING], "style.css": [("color: #222", "color: #c0c")]},
        _TOLD,
        says=("style.css",),
        point=1,
    ),
    Case(
        "words in a file with a drawing",
        _HEADING,
        {"index.html": [_NEW_HEADING], "images/logo.svg": [("Amelia's<", "Amanda's<")]},
        _TOLD,
        says=("logo.svg",),
        point=1,
    ),
    Case(
        "a program in a file with a drawing",
        _HEADING,
        {"index.html": [_NEW_HEADING], "images/logo.svg": [("<text", "<script>run()</script><text")]},
        _HELD,
        says=("logo.svg",),
        point=2,
    ),
    Case(
        "the site's own program",
        _HEADING,
        {"index.html": [_NEW_HEADING], "app.js": [('add("js")', 'add("js");fetch("https://spy.example")')]},
        _HELD,
        says=("app.js",),
        point=2,
    ),
]

CASES = [*TOLD, *HELD, *TORN, *STYLES]
