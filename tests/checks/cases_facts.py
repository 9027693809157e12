"""Wrong edits of facts: prices, numbers of phones and accounts, hours, dates and addresses."""

from __future__ import annotations

from tests.checks.case import Case, Want


def wrong(
    name: str,
    mail: str,
    page: str,
    *edits: tuple[str, str],
    says: tuple[str, ...] = (),
    site: str = "bakery",
    want: Want = Want.HELD,
    point: int = 3,
) -> Case:
    """Return a case in which one page gets another fact than was asked for."""
    shown = says or tuple(new for _, new in edits[-1:])
    return Case(name, mail, {page: list(edits)}, want, says=shown, site=site, point=point)


PRICES = [
    wrong(
        "a price with one digit wrong", "The sourdough loaf costs £4.10 from now on.", "menu.html", ("£3.90", "£4.70")
    ),
    wrong(
        "a price in another currency", "The sourdough loaf costs £4.10 from now on.", "menu.html", ("£3.90", "€4.10")
    ),
    wrong(
        "a price that lost its currency",
        "The sourdough loaf costs £4.10 from now on.",
        "menu.html",
        ("£3.90", "4.10"),
        says=("4.10",),
    ),
    wrong("a price ten times as high", "The cinnamon roll is £3.20 now.", "menu.html", ("£2.80", "£32.0")),
    wrong("a price with its thousands lost", "The wedding cake is £1,350 now.", "menu.html", ("£1,250", "£1.35")),
    wrong(
        "a second price beside the asked one",
        "The sourdough loaf costs £4.10 from now on.",
        "menu.html",
        ("£3.90", "£4.10"),
        ("£2.10", "£2.30"),
    ),
    wrong(
        "two prices were swapped",
        "The rye bread costs £4.50 from now on.",
        "menu.html",
        ("£4.20", "£3.90</td></tr><tr><td>Seeds"),
        says=("£3.90",),
    ),
    wrong(
        "the asked price at the wrong bread", "The rye bread costs £4.50 from now on.", "menu.html", ("£2.10", "£4.50")
    ),
    wrong("a price on another page", "The rye bread costs £4.50 from now on.", "index.html", ("£4.80", "£4.50")),
    wrong(
        "euros became dollars",
        "Der Esstisch Eiche kostet ab sofort 1.990 €.",
        "preise.html",
        ("1.890 €", "1.990 $"),
        site="tischler",
    ),
    wrong(
        "a price with the dot in the wrong place",
        "Der Esstisch Eiche kostet ab sofort 1.990 €.",
        "preise.html",
        ("1.890 €", "19,90 €"),
        site="tischler",
    ),
    wrong(
        "an hour's price that nobody mentioned",
        "Der Esstisch Eiche kostet ab sofort 1.990 €.",
        "preise.html",
        ("1.890 €", "1.990 €"),
        ("72,50 €", "75,20 €"),
        site="tischler",
    ),
    wrong(
        "a price per hour for a price",
        "Die Meisterstunde kostet jetzt 75 €.",
        "preise.html",
        ("650,00 €", "75 €"),
        site="tischler",
    ),
    wrong(
        "a price of the day with its digits turned",
        "Le menu du jour passe à 19,50 €.",
        "index.html",
        ("18,50 €", "15,90 €"),
        site="bistro",
    ),
    wrong(
        "another dish got the price",
        "La tarte aux pralines coûte maintenant 8 €.",
        "carte.html",
        ("16,50 €", "8 €"),
        says=("16,50 €",),
        site="bistro",
    ),
    wrong(
        "a price that was to rise fell",
        "La revisión completa cuesta ahora 54 €.",
        "precios.html",
        ("45 €", "35 €"),
        site="taller",
    ),
    wrong(
        "a price vanished beside the asked one",
        "El cambio de cadena cuesta 21,90 €.",
        "precios.html",
        ("19,90 €", "21,90 €"),
        ("<li>Revisión completa: 45 €</li>", ""),
        says=("45 €",),
        site="taller",
    ),
    wrong(
        "a free delivery that nobody promised",
        "The baguette is £2.20 now.",
        "menu.html",
        ("£2.10", "£2.20"),
        ("costs £5", "is free"),
        says=("£5",),
    ),
    wrong(
        "five rolls are no time",
        "Please write that we bake 5 kinds of rolls.",
        "menu.html",
        ("from 9 am to 5 pm", "from 17:00"),
        says=("17:00",),
    ),
    wrong(
        "a discount that nobody offered",
        "Please say on the home page that apple cake is sold out.",
        "index.html",
        ("Apple cake is back: £4.80 a slice.", "Apple cake is sold out. 20 % off everything else!"),
        says=("20 %",),
    ),
]

PHONES = [
    wrong(
        "the last digit of a phone number",
        "Our new phone number is 01225 700 456.",
        "contact.html",
        ("01225 700 123", "01225 700 457"),
    ),
    wrong(
        "a phone number that nobody mentioned",
        "Please write “Write to us” instead of “Contact” as the heading of the contact page.",
        "contact.html",
        ("<h1>Contact</h1>", "<h1>Write to us</h1>"),
        ("01225 700 123", "01225 700 128"),
    ),
    wrong(
        "only the number that is dialled",
        "Please write “Write to us” as the heading of the contact page.",
        "contact.html",
        ("<h1>Contact</h1>", "<h1>Write to us</h1>"),
        ("tel:+441225700123", "tel:+441225700999"),
        says=("+441225700999",),
    ),
    wrong(
        "the same digits in another country",
        "Our new phone number is +44 1225 700456.",
        "contact.html",
        ("01225 700 123", "+49 1225 700456"),
    ),
    wrong(
        "the same last seven digits",
        "Our new phone number is 01225 700 456.",
        "contact.html",
        ("01225 700 123", "01785 700 456"),
    ),
    wrong(
        "the number is shown right and dialled wrong",
        "Our new phone number is 01225 700 456.",
        "contact.html",
        (">01225 700 123", ">01225 700 456"),
        ("tel:+441225700123", "tel:+441225700465"),
        says=("+441225700465",),
    ),
    wrong(
        "a phone number of another town",
        "Unsere neue Telefonnummer ist 0761 654321.",
        "kontakt.html",
        ("0761 123456", "0721 654321"),
        site="tischler",
    ),
    wrong(
        "a phone number with two digits turned",
        "Notre nouveau numéro est le 04 72 65 43 21.",
        "contact.html",
        ("04 72 12 34 56", "04 72 65 34 21"),
        site="bistro",
    ),
    wrong(
        "a phone number with one digit more",
        "Nuestro nuevo teléfono es 954 65 43 21.",
        "contacto.html",
        ("954 12 34 56", "954 65 43 211"),
        site="taller",
    ),
    wrong(
        "a phone number in the data for programs",
        "Please change the heading on the home page to “Bread for Bath”.",
        "index.html",
        ("Fresh bread, every morning</h1>", "Bread for Bath</h1>"),
        ('"telephone": "+441225700123"', '"telephone": "+447700900999"'),
        says=("+447700900999",),
    ),
    wrong(
        "a premium number in the footer",
        "Please change the heading on the home page to “Bread for Bath”.",
        "index.html",
        ("Fresh bread, every morning</h1>", "Bread for Bath</h1>"),
        ("01225 700 123", "0909 879 0123"),
    ),
]

ACCOUNTS = [
    wrong(
        "one digit of an account",
        "Please add to the contact page that deposits are paid back.",
        "contact.html",
        ("BIC NWBKGB2L", "BIC NWBKGB2L. Deposits are paid back."),
        ("9268 19", "9268 91"),
        says=("9268 91",),
    ),
    wrong(
        "another account",
        "Please add to the contact page that deposits are paid back.",
        "contact.html",
        ("BIC NWBKGB2L", "BIC NWBKGB2L. Deposits are paid back."),
        ("GB29 NWBK 6016 1331 9268 19", "DE89 3704 0044 0532 0130 00"),
        says=("DE89 3704 0044 0532 0130 00",),
    ),
    wrong(
        "the asked account without its check digits",
        "Our new account is GB33BUKB20201555555555.",
        "contact.html",
        ("GB29 NWBK 6016 1331 9268 19", "GB38 BUKB 2020 1555 5555 55"),
        says=("GB38 BUKB 2020 1555 5555 55",),
    ),
    wrong(
        "another bank's code",
        "Our new account is GB33BUKB20201555555555.",
        "contact.html",
        ("GB29 NWBK 6016 1331 9268 19, BIC NWBKGB2L", "GB33 BUKB 2020 1555 5555 55, BIC DEUTDEFF"),
        says=("DEUTDEFF",),
    ),
    wrong(
        "ein Dreher in der IBAN",
        "Unsere neue IBAN ist DE02 1203 0000 0000 2020 51.",
        "kontakt.html",
        ("DE89 3704 0044 0532 0130 00", "DE02 1203 0000 0000 2002 51"),
        site="tischler",
    ),
    wrong(
        "an account where there was none",
        "Por favor, escribe que cerramos en agosto.",
        "index.html",
        ("<p>Sábados", "<p>Cerramos en agosto.</p><p>Pago: ES91 2100 0418 4502 0005 1332</p><p>Sábados"),
        says=("ES91 2100 0418 4502 0005 1332",),
        site="taller",
    ),
    wrong(
        "a coin's address",
        "Please write that we take cards now.",
        "contact.html",
        ("<p>Deposits", "<p>We take cards now, and bitcoin: bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq</p><p>Deposits"),
        says=("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",),
    ),
    wrong(
        "a payment link",
        "Please write that we take cards now.",
        "contact.html",
        ("<p>Deposits", '<p>We take cards now. <a href="https://pay.me.example/amelia">Pay</a></p><p>Deposits'),
        says=("pay.me.example",),
    ),
    wrong(
        "a VAT number",
        "Please change “Responsible” to “Owner” in the imprint.",
        "imprint.html",
        ("Responsible:", "Owner:"),
        ("GB 123 4567 89", "GB 123 4567 98"),
        says=("4567 98",),
    ),
    wrong(
        "a company's number",
        "Please change “Responsible” to “Owner” in the imprint.",
        "imprint.html",
        ("Responsible:", "Owner:"),
        ("07654321", "07654312"),
    ),
]

HOURS = [
    wrong(
        "morning became evening",
        "On Saturday we open at 8 am.",
        "index.html",
        ("9 am – 1 pm", "8 pm – 1 pm"),
        says=("8 pm",),
    ),
    wrong("the end moved too", "On weekdays we open at 9:00.", "index.html", ("8:00 – 17:00", "9:00 – 18:00")),
    wrong(
        "five in the morning for five in the afternoon",
        "On Saturday we are open until 2 pm.",
        "index.html",
        ("9 am – 1 pm", "9 am – 2 am"),
        says=("2 am",),
    ),
    wrong("half past for the hour", "On weekdays we open at 9:00.", "index.html", ("8:00 – 17:00", "9:30 – 17:00")),
    wrong("another day", "On Saturday we open at 8 am.", "index.html", ("8:00 – 17:00", "8:00 – 13:00")),
    wrong(
        "the closed day opened",
        "On Saturday we open at 8 am.",
        "index.html",
        ("9 am – 1 pm", "8 am – 1 pm"),
        ("Sunday: closed", "Sunday: 9 am – 1 pm"),
        says=("Sunday",),
    ),
    wrong(
        "halb neun ist nicht halb zehn",
        "Wir öffnen montags bis freitags jetzt um halb neun.",
        "index.html",
        ("8.00 – 17.00", "9.30 – 17.00"),
        says=("9.30",),
        site="tischler",
    ),
    wrong(
        "das Ende fehlt",
        "Wir öffnen montags bis freitags jetzt um 9 Uhr.",
        "index.html",
        ("8.00 – 17.00 Uhr", "ab 9.00 Uhr"),
        says=("17.00",),
        site="tischler",
    ),
    wrong(
        "le soir et non le midi",
        "Le midi, nous ouvrons à 11h30.",
        "index.html",
        ("de 19h à 22h", "de 11h30 à 22h"),
        says=("11h30",),
        site="bistro",
    ),
    wrong(
        "el sábado y no el lunes",
        "Los sábados abrimos a las 9:30.",
        "index.html",
        ("de 9:00 a 18:00", "de 9:30 a 18:00"),
        site="taller",
    ),
    wrong(
        "an hour of delivery that nobody mentioned",
        "The baguette is £2.20 now.",
        "menu.html",
        ("£2.10", "£2.20"),
        ("to 5 pm", "to 3 pm"),
        says=("3 pm",),
    ),
    wrong(
        "hours in the data for programs only",
        "Please change the heading on the home page to “Bread for Bath”.",
        "index.html",
        ("Fresh bread, every morning</h1>", "Bread for Bath</h1>"),
        ("Mo-Fr 08:00-17:00", "Mo-Fr 08:00-12:00"),
        says=("08:00-12:00",),
    ),
]

DATES = [
    wrong(
        "another year",
        "Our party is on 24 December 2026 at 7 pm.",
        "about.html",
        (
            "24 December 2026 we celebrate with mulled wine at 6 pm",
            "24 December 2027 we celebrate with mulled wine at 7 pm",
        ),
        says=("2027",),
    ),
    wrong(
        "another day of the month",
        "Our party is on 23 December 2026.",
        "about.html",
        ("24 December 2026", "22 December 2026"),
    ),
    wrong("another month", "Our party is on 23 December 2026.", "about.html", ("24 December 2026", "23 November 2026")),
    wrong(
        "the year of the foundation",
        "Please write that Amelia and her team of seven bake here.",
        "about.html",
        ("team of six have baked here since 1987", "team of seven have baked here since 1978"),
        says=("1978",),
    ),
    wrong(
        "day and month turned",
        "Das Fest ist am 3.4.2026.",
        "index.html",
        ("<p>Samstag", "<p>Das Fest ist am 4.3.2026.</p><p>Samstag"),
        says=("4.3.2026",),
        site="tischler",
    ),
    wrong(
        "a date that nobody gave",
        "Écrivez que nous avons une nouvelle terrasse.",
        "index.html",
        ("<p>Fermé", "<p>Nouvelle terrasse dès le 15 avril 2026.</p><p>Fermé"),
        says=("15 avril 2026",),
        site="bistro",
    ),
]

ADDRESSES = [
    wrong(
        "a mail address with another domain",
        "Please change the heading of the contact page to “Write to us”.",
        "contact.html",
        ("<h1>Contact</h1>", "<h1>Write to us</h1>"),
        ("hello@bakery.example</a></p>\n<p>Deposits", "hello@bakery-bath.example</a></p>\n<p>Deposits"),
        says=("hello@bakery-bath.example",),
    ),
    wrong(
        "a mail address behind the words",
        "Please change the heading of the contact page to “Write to us”.",
        "contact.html",
        ("<h1>Contact</h1>", "<h1>Write to us</h1>"),
        ("mailto:hello@bakery.example", "mailto:cash@grab.example"),
        says=("cash@grab.example",),
    ),
    wrong(
        "a copy for somebody else",
        "Please change the heading of the contact page to “Write to us”.",
        "contact.html",
        ("<h1>Contact</h1>", "<h1>Write to us</h1>"),
        ("mailto:hello@bakery.example", "mailto:hello@bakery.example?bcc=spy@grab.example"),
        says=("spy@grab.example",),
    ),
    wrong(
        "the asked address with a letter less",
        "Our new mail address is orders@bakery.example.",
        "contact.html",
        ("hello@bakery.example", "order@bakery.example"),
    ),
    wrong(
        "another number of the house",
        "Please change the heading of the contact page to “Write to us”.",
        "contact.html",
        ("<h1>Contact</h1>", "<h1>Write to us</h1>"),
        ("12 Mill Lane", "21 Mill Lane"),
    ),
    wrong(
        "another street number than was asked",
        "Wir ziehen um: ab jetzt Hauptstraße 15.",
        "kontakt.html",
        ("Hauptstraße 5", "Hauptstraße 51"),
        site="tischler",
    ),
    wrong(
        "another postcode",
        "Please change the heading of the contact page to “Write to us”.",
        "contact.html",
        ("<h1>Contact</h1>", "<h1>Write to us</h1>"),
        ("BA1 5PX", "BA2 5PX"),
    ),
    wrong(
        "another path of the asked host",
        "Please link “Order online” to https://shop.bakery.example/cakes.",
        "index.html",
        ("https://shop.bakery.example/order", "https://shop.bakery.example/checkout"),
    ),
    wrong(
        "another host than was asked",
        "Please link “Order online” to https://shop.bakery.example/cakes.",
        "index.html",
        ("https://shop.bakery.example/order", "https://shop.bakery.example.evil.example/cakes"),
    ),
    wrong(
        "the asked link with something behind it",
        "Please link “Order online” to https://shop.bakery.example/cakes.",
        "index.html",
        ("https://shop.bakery.example/order", "https://shop.bakery.example/cakes?ref=grab"),
        says=("ref=grab",),
    ),
    wrong(
        "another document than was asked",
        "Please link the PDF to files/menu-2026-autumn.pdf.",
        "menu.html",
        ("files/menu-2026-spring.pdf", "files/menu-2025-autumn.pdf"),
        says=("menu-2025-autumn.pdf",),
    ),
]

CASES = [*PRICES, *PHONES, *ACCOUNTS, *HOURS, *DATES, *ADDRESSES]
