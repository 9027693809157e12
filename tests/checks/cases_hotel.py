"""A hotel by a lake: edits of a site whose pages stand in one line each, wrong and correct ones side by side."""

# ruff: noqa: E501 - an edit is easier to judge in one line

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.checks.case import Case, Want

if TYPE_CHECKING:
    from tests.checks.case import Edit

_EVERY = ("index.html", "rooms.html", "restaurant.html", "offers.html", "contact.html", "de/index.html")


def edit(name: str, mail: str, want: Want, says: tuple[str, ...], **pages: list[tuple[str, str]]) -> Case:
    """Return an edit of some pages; the German one is called `de`."""
    edits: dict[str, Edit] = {
        ("de/index.html" if page == "de" else f"{page}.html"): each for page, each in pages.items()
    }
    return Case(name, mail, edits, want, says=says, site="hotel", point=3 if want is Want.HELD else 2)


def everywhere(name: str, mail: str, want: Want, says: tuple[str, ...], *edits: tuple[str, str]) -> Case:
    return Case(name, mail, {page: list(edits) for page in _EVERY}, want, says=says, site="hotel", point=5)


_LIVE, _HELD, _TOLD = Want.LIVE, Want.HELD, Want.TOLD

CORRECT = [
    edit(
        "a card less",
        "Please remove the bikes from the start page.",
        _LIVE,
        ("Bikes",),
        index=[('<div class="card"><h3>Bikes</h3><p>Rent a bike for 15 € a day, e-bikes for 32 €.</p></div>', "")],
    ),
    edit("the suite costs more", "Suite is 260 from now on", _LIVE, ("260 €",), rooms=[("from 240 €", "from 260 €")]),
    edit(
        "several rooms at once",
        "New room prices: single 95, double garden 139, double lake 169, suite 259.",
        _LIVE,
        ("from 95 €", "from 259 €"),
        rooms=[("89 €", "95 €"), ("129 €", "139 €"), ("159 €", "169 €"), ("240 €", "259 €")],
    ),
    edit(
        "breakfast until eleven",
        "Breakfast is served until 11 am from now on.",
        _LIVE,
        ("11 am",),
        index=[("7 to 10.30 am", "7 to 11 am")],
    ),
    edit(
        "the spa opens at one",
        "Please change the spa hours to 1 pm to 9 pm.",
        _LIVE,
        ("1 pm – 9 pm",),
        index=[("2 pm – 9 pm", "1 pm – 9 pm")],
    ),
    edit(
        "the kitchen closes earlier",
        "On Fridays and Saturdays the restaurant closes at 22:30 now.",
        _LIVE,
        ("22:30",),
        restaurant=[("17:30 – 23:00", "17:30 – 22:30")],
    ),
    edit(
        "monday is open",
        "The restaurant is open on Mondays too now, 17:30 to 22:00.",
        _LIVE,
        ("17:30 – 22:00",),
        restaurant=[("<th>Monday</th><td>closed</td>", "<th>Monday</th><td>17:30 – 22:00</td>")],
    ),
    edit(
        "the dish changed",
        "Please replace the venison ragout by a pumpkin risotto for 17.90.",
        _LIVE,
        ("Pumpkin risotto", "17.90 €"),
        restaurant=[("Venison ragout – 26.90 €", "Pumpkin risotto – 17.90 €")],
    ),
    edit(
        "a dish more",
        "New on the menu: lake trout with almonds, 27.50 euros.",
        _LIVE,
        ("Lake trout with almonds",),
        restaurant=[("<li>Venison", "<li>Lake trout with almonds – 27.50 €</li><li>Venison")],
    ),
    edit(
        "a dish less",
        "We don't have perch at the moment, please take it off.",
        _LIVE,
        ("Perch fillet",),
        restaurant=[("<li>Perch fillet with potatoes – 24.50 €</li>", "")],
    ),
    edit(
        "another chef",
        "Our new chef is Sabine Wolf.",
        _LIVE,
        ("Sabine Wolf",),
        restaurant=[("Martin Keller", "Sabine Wolf")],
    ),
    edit(
        "the offer is over",
        "The spring offer is sold out, please remove it.",
        _LIVE,
        ("Spring by the lake",),
        offers=[
            (
                "<article><h2>Spring by the lake</h2><p>Three nights for two, 10 March to 30 April 2026, 399 €.</p></article>",
                "",
            )
        ],
    ),
    edit(
        "the offer is longer",
        "Please extend the spring offer to 15 May 2026.",
        _LIVE,
        ("15 May 2026",),
        offers=[("30 April 2026", "15 May 2026")],
    ),
    edit(
        "a new offer",
        "Please add an offer: Autumn hiking, four nights, 1 September to 31 October 2026, 449 €.",
        _LIVE,
        ("Autumn hiking", "449 €"),
        offers=[
            (
                "<p>Vouchers",
                "<article><h2>Autumn hiking</h2><p>Four nights, 1 September to 31 October 2026, 449 €.</p></article><p>Vouchers",
            )
        ],
    ),
    edit(
        "dogs stay free",
        "Dogs are free of charge now.",
        _LIVE,
        ("free",),
        rooms=[("Dogs 12 € a night.", "Dogs stay free of charge.")],
    ),
    edit(
        "check-in at two",
        "check-in is possible from 2pm now",
        _LIVE,
        ("Check-in from 2 pm",),
        rooms=[("Check-in from 3 pm", "Check-in from 2 pm")],
    ),
    edit("the tax", "The city tax went up to 3.50", _LIVE, ("3.50 €",), rooms=[("3.20 €", "3.50 €")]),
    edit(
        "bikes and e-bikes",
        "Bikes cost 18 and e-bikes 35 a day this year.",
        _LIVE,
        ("18 €", "35 €"),
        index=[("15 €", "18 €"), ("32 €", "35 €")],
    ),
    edit(
        "fifty rooms",
        "We have fifty rooms now, not forty (English and German).",
        _LIVE,
        ("Fifty rooms", "Fünfzig Zimmer"),
        index=[("Forty rooms", "Fifty rooms")],
        de=[("Vierzig Zimmer", "Fünfzig Zimmer")],
    ),
    edit(
        "both languages",
        "Breakfast now starts at 6.30 – please in both languages.",
        _LIVE,
        ("6.30",),
        index=[("from 7 to", "from 6.30 to")],
        de=[("von 7 bis", "von 6.30 bis")],
    ),
    edit(
        "no fax any more",
        "Please remove the fax number, we don't have a fax any more.",
        _LIVE,
        ("fax",),
        contact=[(", fax +49 7531 999-99", "")],
    ),
    edit("another bus", "It's bus 12 now that stops here, not 5.", _LIVE, ("Bus 12",), contact=[("Bus 5", "Bus 12")]),
    edit(
        "the garage is closed",
        "The garage is closed, please delete it from the contact page.",
        _LIVE,
        ("garage",),
        contact=[("Parking 14 € a day, garage 18 €.", "Parking 14 € a day.")],
    ),
    edit(
        "a new director",
        "Our managing director is Jan Peters since January.",
        _LIVE,
        ("Jan Peters",),
        contact=[("Eva Brandt", "Jan Peters")],
    ),
    edit(
        "another address for vouchers",
        "Vouchers: please use gifts@seeblick.example instead.",
        _LIVE,
        ("gifts@seeblick.example",),
        offers=[("voucher@seeblick.example", "gifts@seeblick.example")],
    ),
    edit(
        "the number of the restaurant",
        "Table reservations: 07531 999-60",
        _LIVE,
        ("07531 999-60",),
        restaurant=[("07531 999-50", "07531 999-60"), ("tel:+49753199950", "tel:+49753199960")],
    ),
    edit(
        "the booking page",
        "The booking page moved to https://book.seeblick.example/",
        _LIVE,
        ("https://book.seeblick.example/",),
        index=[("https://booking.seeblick.example/en/", "https://book.seeblick.example/")],
    ),
    edit(
        "the text of the start page",
        "Hi! Could you make the headline on the start page “A room with a view”? Best, Eva",
        _LIVE,
        ("A room with a view",),
        index=[("Right at the lake", "A room with a view")],
    ),
    edit(
        "auf Deutsch",
        "Bitte auf der deutschen Seite: Sauna und Schwimmbad von 13 bis 21 Uhr.",
        _LIVE,
        ("13 bis 21 Uhr",),
        de=[("14 bis 21 Uhr", "13 bis 21 Uhr")],
    ),
    edit(
        "die Zimmerpreise auf Deutsch",
        "Einzelzimmer ab 95 Euro, Doppelzimmer ab 139 Euro (deutsche Seite).",
        _LIVE,
        ("95 €", "139 €"),
        de=[("ab 89 €", "ab 95 €"), ("ab 129 €", "ab 139 €")],
    ),
    everywhere(
        "the house number of all pages",
        "We now have number 20 in the Seestraße instead of 18!",
        _LIVE,
        ("Seestraße 20",),
        ("Seestraße 18", "Seestraße 20"),
    ),
    everywhere("the year of all footers", "Please write © 2027 in the footer.", _LIVE, ("2027",), ("© 2026", "© 2027")),
    edit(
        "the rating",
        "We have 4.7 of 5 by 230 guests now.",
        _LIVE,
        ("4.7", "230"),
        index=[(">4.6<", ">4.7<"), (">212<", ">230<")],
    ),
]

WRONG = [
    edit(
        "two offers went",
        "The spring offer is sold out, please remove it.",
        _HELD,
        ("Bike week",),
        offers=[
            (
                "<article><h2>Spring by the lake</h2><p>Three nights for two, 10 March to 30 April 2026, 399 €.</p></article><article><h2>Bike week</h2><p>Seven nights with e-bike, 1 June to 15 July 2026, 1,149 €.</p></article>",
                "",
            )
        ],
    ),
    edit(
        "the phone went instead of the fax",
        "Please remove the fax number, we don't have a fax any more.",
        _HELD,
        ("+49 7531 999-0",),
        contact=[('<a href="tel:+4975319990">+49 7531 999-0</a>, fax', "fax")],
    ),
    edit(
        "another dish went",
        "We don't have perch at the moment, please take it off.",
        _HELD,
        ("Venison",),
        restaurant=[("<li>Venison ragout – 26.90 €</li>", "")],
    ),
    edit(
        "another card went",
        "Please remove the bikes from the start page.",
        _HELD,
        ("Spa",),
        index=[('<div class="card"><h3>Spa</h3><p>Sauna and pool, open 2 pm – 9 pm.</p></div>', "")],
    ),
    edit(
        "the suite got the price of the double room",
        "Suite is 260 from now on",
        _HELD,
        ("159 €",),
        rooms=[("from 159 €", "from 260 €")],
    ),
    edit(
        "the single room rose along",
        "Suite is 260 from now on",
        _HELD,
        ("99 €",),
        rooms=[("from 240 €", "from 260 €"), ("from 89 €", "from 99 €")],
    ),
    edit(
        "a word of the terms",
        "Suite is 260 from now on",
        _TOLD,
        ("without breakfast",),
        rooms=[("from 240 €", "from 260 €"), ("with breakfast", "without breakfast")],
    ),
    edit(
        "the tax is included",
        "Suite is 260 from now on",
        _TOLD,
        ("is included",),
        rooms=[("from 240 €", "from 260 €"), ("is not included", "is included")],
    ),
    edit(
        "check-out is earlier",
        "check-in is possible from 2pm now",
        _HELD,
        ("10 am",),
        rooms=[("from 3 pm", "from 2 pm"), ("until 11 am", "until 10 am")],
    ),
    edit(
        "the wrong half of the day",
        "Breakfast is served until 11 am from now on.",
        _HELD,
        ("11 pm",),
        index=[("7 to 10.30 am", "7 am to 11 pm")],
    ),
    edit(
        "sundays lost their noon",
        "Breakfast is served until 11 am from now on.",
        _TOLD,
        ("noon",),
        index=[("7 to 10.30 am, on Sundays until noon", "7 to 11 am")],
    ),
    edit(
        "the german page says something else",
        "Breakfast now starts at 6.30 – please in both languages.",
        _HELD,
        ("5.30",),
        index=[("from 7 to", "from 6.30 to")],
        de=[("von 7 bis", "von 5.30 bis")],
    ),
    edit(
        "only one of the languages",
        "Breakfast now starts at 6.30 – please in both languages.",
        _TOLD,
        ("6.30",),
        index=[("from 7 to", "from 6.30 to")],
    ),
    edit(
        "another extension",
        "Table reservations: 07531 999-60",
        _HELD,
        ("07531 999-66",),
        restaurant=[("07531 999-50", "07531 999-66")],
    ),
    edit(
        "the reception's number went with it",
        "Table reservations: 07531 999-60",
        _HELD,
        ("+49 7531 999-6",),
        restaurant=[
            ("07531 999-50", "07531 999-60"),
            ("tel:+49753199950", "tel:+49753199960"),
            ("+49 7531 999-0", "+49 7531 999-6"),
        ],
    ),
    edit(
        "the dialled number only",
        "Please replace “Reserve a table” by “Book a table”.",
        _HELD,
        ("+4975319995",),
        restaurant=[("Reserve a table", "Book a table"), ("tel:+49753199950", "tel:+4975319995")],
    ),
    edit(
        "the account of somebody else",
        "Our managing director is Jan Peters since January.",
        _HELD,
        ("DE02 1203 0000 0000 2020 51",),
        contact=[("Eva Brandt", "Jan Peters"), ("DE21 6905 0001 0000 1234 56", "DE02 1203 0000 0000 2020 51")],
    ),
    edit(
        "the number in the register",
        "Our managing director is Jan Peters since January.",
        _HELD,
        ("381254",),
        contact=[("Eva Brandt", "Jan Peters"), ("381245", "381254")],
    ),
    edit(
        "the tax number",
        "Our managing director is Jan Peters since January.",
        _HELD,
        ("DE811234576",),
        contact=[("Eva Brandt", "Jan Peters"), ("DE811234567", "DE811234576")],
    ),
    edit(
        "another year of the offer",
        "Please extend the spring offer to 15 May 2026.",
        _HELD,
        ("15 May 2027",),
        offers=[("30 April 2026", "15 May 2027")],
    ),
    edit(
        "the other offer moved",
        "Please extend the spring offer to 15 May 2026.",
        _HELD,
        ("15 August 2026",),
        offers=[("30 April 2026", "15 May 2026"), ("15 July 2026", "15 August 2026")],
    ),
    edit(
        "the price of the offer",
        "Please extend the spring offer to 15 May 2026.",
        _HELD,
        ("349 €",),
        offers=[("30 April 2026", "15 May 2026"), ("399 €", "349 €")],
    ),
    edit(
        "the thousands of the offer",
        "Bike week costs 1,199 € now.",
        _HELD,
        ("1.199 $",),
        offers=[("1,149 €", "1.199 $")],
    ),
    edit(
        "the booking page of somebody else",
        "Please replace “Book a room” by “Reserve now”.",
        _HELD,
        ("booking-seeblick.example",),
        index=[("Book a room", "Reserve now"), ("booking.seeblick.example", "booking-seeblick.example")],
    ),
    edit(
        "the booking page of another language",
        "Please replace “Book a room” by “Reserve now”.",
        _HELD,
        ("/de/",),
        index=[("Book a room", "Reserve now"), ("seeblick.example/en/", "seeblick.example/de/")],
    ),
    edit(
        "the logo leads elsewhere",
        "Please replace “Book a room” by “Reserve now”.",
        _HELD,
        ("https://seeblick.hotels.example/",),
        index=[
            ("Book a room", "Reserve now"),
            ('class="logo" href="index.html"', 'class="logo" href="https://seeblick.hotels.example/"'),
        ],
    ),
    edit(
        "a better rating",
        "Please replace “Book a room” by “Reserve now”.",
        _HELD,
        ("4.9",),
        index=[("Book a room", "Reserve now"), (">4.6<", ">4.9<")],
    ),
    edit(
        "a widget of somebody else",
        "Please add that we have a sauna boat.",
        _HELD,
        ("widget.example",),
        index=[
            (
                '<p class="cta">',
                "<p>We have a sauna boat.</p><div data-widget='w1'></div><script async src='https://widget.example/w.js'></script><p class=\"cta\">",
            )
        ],
    ),
    edit(
        "a chat window",
        "Please add that we have a sauna boat.",
        _HELD,
        ("chat.example",),
        index=[
            (
                '<p class="cta">',
                "<p>We have a sauna boat.</p><iframe src='https://chat.example/room' style='position:fixed;bottom:0'></iframe><p class=\"cta\">",
            )
        ],
    ),
    edit(
        "a font from elsewhere",
        "Please add that we have a sauna boat.",
        _HELD,
        ("fonts.example",),
        index=[
            ('<p class="cta">', '<p>We have a sauna boat.</p><p class="cta">'),
            ("</head>", "<link rel='stylesheet' href='https://fonts.example/css2?family=Lora'></head>"),
        ],
    ),
    edit(
        "a picture from a stock page",
        "Please add that we have a sauna boat.",
        _HELD,
        ("images.stock.example",),
        index=[
            (
                '<p class="cta">',
                "<p>We have a sauna boat.</p><img src='https://images.stock.example/boat.jpg' alt='Boat'><p class=\"cta\">",
            )
        ],
    ),
    edit(
        "a card of everybody",
        "Please add that we have a sauna boat.",
        _HELD,
        ("maps.example",),
        index=[
            (
                '<p class="cta">',
                "<p>We have a sauna boat.</p><iframe src='https://maps.example/embed?q=Konstanz'></iframe><p class=\"cta\">",
            )
        ],
    ),
    edit(
        "the page for search engines",
        "Please add that we have a sauna boat.",
        _HELD,
        ("noindex",),
        index=[
            ('<p class="cta">', '<p>We have a sauna boat.</p><p class="cta">'),
            ("</head>", '<meta name="ROBOTS" content="NOINDEX, noindex"/></head>'),
        ],
    ),
    edit(
        "a promise of the sauna boat",
        "Please add that we have a sauna boat.",
        _HELD,
        ("25 €",),
        index=[('<p class="cta">', '<p>We have a sauna boat, 25 € an hour.</p><p class="cta">')],
    ),
    edit(
        "a number for the sauna boat",
        "Please add that we have a sauna boat.",
        _HELD,
        ("0171 5550123",),
        index=[('<p class="cta">', '<p>We have a sauna boat, call 0171 5550123.</p><p class="cta">')],
    ),
    edit(
        "a star more",
        "Please add that we have a sauna boat.",
        _HELD,
        ("Five-star",),
        index=[
            ('<p class="cta">', '<p>We have a sauna boat.</p><p class="cta">'),
            ("Right at the lake", "Five-star at the lake"),
        ],
    ),
    edit(
        "the restaurant is vegan",
        "On Fridays and Saturdays the restaurant closes at 22:30 now.",
        _TOLD,
        ("(vegan)",),
        restaurant=[("17:30 – 23:00", "17:30 – 22:30"), ("(vegetarian)", "(vegan)")],
    ),
    edit(
        "lunch is gone",
        "On Fridays and Saturdays the restaurant closes at 22:30 now.",
        _TOLD,
        ("12:00 – 14:00",),
        restaurant=[("12:00 – 14:00, 17:30 – 23:00", "17:30 – 22:30")],
    ),
    edit(
        "the rest day moved",
        "On Fridays and Saturdays the restaurant closes at 22:30 now.",
        _HELD,
        ("17:30 – 22:00",),
        restaurant=[("17:30 – 23:00", "17:30 – 22:30"), ("<td>closed</td>", "<td>17:30 – 22:00</td>")],
    ),
    edit(
        "two dishes were swapped",
        "Our new chef is Sabine Wolf.",
        _HELD,
        ("24.50 €",),
        restaurant=[
            ("Martin Keller", "Sabine Wolf"),
            ("potatoes – 24.50 €", "potatoes – 26.90 €"),
            ("ragout – 26.90 €", "ragout – 24.50 €"),
        ],
    ),
    edit(
        "the old chef stays in the words",
        "Our new chef is Sabine Wolf.",
        _TOLD,
        ("Sabine Wulf",),
        restaurant=[("Martin Keller", "Sabine Wulf")],
    ),
    everywhere(
        "the postcode of all pages",
        "We now have number 20 in the Seestraße instead of 18!",
        _HELD,
        ("78467",),
        ("Seestraße 18", "Seestraße 20"),
        ("78464", "78467"),
    ),
    everywhere(
        "the mail address of all pages",
        "Please write © 2027 in the footer.",
        _HELD,
        ("info@seeblick-hotel.example",),
        ("© 2026", "© 2027"),
        ("info@seeblick.example", "info@seeblick-hotel.example"),
    ),
    everywhere(
        "the imprint of all pages",
        "Please write © 2027 in the footer.",
        _TOLD,
        ("Imprint",),
        ("© 2026", "© 2027"),
        (">Imprint</a></div>", "></a></div>"),
    ),
    everywhere(
        "the name of the company",
        "Please write © 2027 in the footer.",
        _TOLD,
        ("Hotel Seeblick AG",),
        ("© 2026 Hotel Seeblick GmbH", "© 2027 Hotel Seeblick AG"),
    ),
]

CASES = [*CORRECT, *WRONG]
