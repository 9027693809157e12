"""Correct edits of the kinds that owners ask for, in four languages: each goes live, and the answer says what changed."""

# ruff: noqa: E501 - an edit is easier to judge in one line

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.checks.case import Case, Want, read_site
from tests.checks.cases_built import built

if TYPE_CHECKING:
    from tests.checks.case import Edit

_JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01 a new photo \xff\xd9"
_PDF = b"%PDF-1.4\nautumn menu\n%%EOF\n"
_EVERY = ("index.html", "menu.html", "about.html", "contact.html", "imprint.html", "privacy.html")


def right(
    name: str,
    mail: str,
    page: str,
    *edits: tuple[str, str],
    says: tuple[str, ...] = (),
    site: str = "bakery",
    more: dict[str, Edit] | None = None,
    files: tuple[tuple[str, str, bytes], ...] = (),
) -> Case:
    """Return an edit that does what was asked for and nothing else."""
    shown = says or tuple(new for _, new in edits[:1])
    return Case(name, mail, {page: list(edits), **(more or {})}, Want.LIVE, says=shown, site=site, files=files, point=2)


def everywhere(
    name: str,
    mail: str,
    *edits: tuple[str, str],
    says: tuple[str, ...],
    pages: tuple[str, ...] = _EVERY,
    site: str = "bakery",
    more: dict[str, Edit] | None = None,
) -> Case:
    """Return an edit of all pages."""
    return Case(
        name, mail, {**{page: list(edits) for page in pages}, **(more or {})}, Want.LIVE, says=says, site=site, point=5
    )


_NEWS = "<h2>This week</h2>"
ENGLISH = [
    right(
        "new hours",
        "Hi, from now on we open at 9:00 on weekdays. Thanks, Amelia",
        "index.html",
        ("8:00 – 17:00", "9:00 – 17:00"),
        ("Mo-Fr 08:00", "Mo-Fr 09:00"),
        says=("9:00 – 17:00",),
    ),
    right(
        "new hours in words",
        "We open at nine on weekdays now.",
        "index.html",
        ("8:00 – 17:00", "9:00 – 17:00"),
        ("Mo-Fr 08:00", "Mo-Fr 09:00"),
        says=("9:00 – 17:00",),
    ),
    right(
        "hours with am and pm",
        "On Saturday we're open from 8 until 2 now.",
        "index.html",
        ("9 am – 1 pm", "8 am – 2 pm"),
    ),
    right(
        "closed on Saturday",
        "We are closed on Saturdays from now on.",
        "index.html",
        ("Saturday: 9 am – 1 pm", "Saturday: closed"),
        says=("Saturday: closed",),
    ),
    right(
        "open on Sunday",
        "On Sundays we open from 10 am to noon.",
        "index.html",
        ("Sunday: closed", "Sunday: 10 am – 12 noon"),
        says=("10 am – 12 noon",),
    ),
    right("one price", "The rye bread costs £4.50 from now on.", "menu.html", ("£4.20", "£4.50")),
    right("a price without its sign in the mail", "Please make the rye bread 4.50.", "menu.html", ("£4.20", "£4.50")),
    right(
        "a price in words", "The delivery costs six pounds now.", "menu.html", ("costs £5", "costs £6"), says=("£6",)
    ),
    right(
        "two prices", "Rye bread is £4.50 and the baguette £2.30.", "menu.html", ("£4.20", "£4.50"), ("£2.10", "£2.30")
    ),
    right("a large price", "The wedding cake costs £1,350 now.", "menu.html", ("£1,250", "£1,350")),
    right(
        "a large price without its comma", "The wedding cake costs 1350 pounds now.", "menu.html", ("£1,250", "£1,350")
    ),
    right(
        "a new row of the table",
        "Please add a plum tart for £3.60 to the menu.",
        "menu.html",
        ("<tr><td>Wedding", "<tr><td>Plum tart</td><td>£3.60</td></tr>\n<tr><td>Wedding"),
        says=("Plum tart", "£3.60"),
    ),
    right(
        "a row that goes",
        "We don't sell baguettes any more, please take them off the menu.",
        "menu.html",
        ("<tr><td>Baguette</td><td>£2.10</td></tr>\n", ""),
        says=("Baguette",),
    ),
    right(
        "a new heading",
        "Please change the heading on the home page to “Bread for Bath”.",
        "index.html",
        ("Fresh bread, every morning</h1>", "Bread for Bath</h1>"),
        says=("Bread for Bath",),
    ),
    right(
        "a sentence that goes",
        "Please remove the sentence about apple cake on the home page.",
        "index.html",
        ("<p>Apple cake is back: £4.80 a slice.</p>\n", ""),
        says=("Apple cake is back",),
    ),
    right(
        "a sentence that comes",
        "Please say on the home page that we have vegan croissants now.",
        "index.html",
        (_NEWS, f"<p>We have vegan croissants now.</p>\n{_NEWS}"),
        says=("vegan croissants",),
    ),
    right(
        "a typing error",
        "There is a mistake on the about page: it should be “seven miles away”, not eight.",
        "about.html",
        ("eight miles away", "seven miles away"),
        says=("seven miles away",),
    ),
    right(
        "a new member of the team",
        "Our team is seven people now.",
        "about.html",
        ("team of six", "team of seven"),
        says=("team of seven",),
    ),
    right(
        "a new date",
        "Our Christmas party is on 23 December 2026 at 7 pm.",
        "about.html",
        ("24 December 2026", "23 December 2026"),
        ("at 6 pm", "at 7 pm"),
    ),
    right(
        "a new quote",
        "Please change the quote on the about page to “Simply the best croissants in town.”",
        "about.html",
        ("The best rye bread in the county.", "Simply the best croissants in town."),
        says=("Simply the best croissants in town.",),
    ),
    right(
        "a link that was asked for",
        "Please link “Order online” to https://orders.bakery.example/start.",
        "index.html",
        ("https://shop.bakery.example/order", "https://orders.bakery.example/start"),
    ),
    right(
        "a link with a port",
        "Please link “Order online” to https://shop.bakery.example:8443/order.",
        "index.html",
        ("https://shop.bakery.example/order", "https://shop.bakery.example:8443/order"),
    ),
    right(
        "a link that goes",
        "Please remove the link to Social at the bottom of the home page.",
        "index.html",
        ('<p>Follow us on <a href="https://social.example/amelias-bakery">Social</a>.</p>\n', ""),
        says=("Follow us on Social",),
    ),
    right(
        "a photo",
        "Please put this photo of our new oven on the about page, under the team.",
        "about.html",
        ('oven">\n', 'oven">\n<img src="images/oven.jpg" width="800" height="600" alt="Our new oven">\n'),
        says=("oven.jpg",),
        more={"images/oven.jpg": _JPEG},
        files=(("oven.jpg", "image/jpeg", _JPEG),),
    ),
    right(
        "another photo of the team",
        "Please use this photo of the team instead of the old one.",
        "about.html",
        ("images/team.jpg", "images/team-2026.jpg"),
        says=("team-2026.jpg",),
        more={"images/team-2026.jpg": _JPEG},
        files=(("team-2026.jpg", "image/jpeg", _JPEG),),
    ),
    right(
        "a document",
        "Here is the autumn menu, please link it instead of the one for spring.",
        "menu.html",
        ("files/menu-2026-spring.pdf", "files/menu-2026-autumn.pdf"),
        says=("menu-2026-autumn.pdf",),
        more={"files/menu-2026-autumn.pdf": _PDF},
        files=(("menu-2026-autumn.pdf", "application/pdf", _PDF),),
    ),
    right(
        "a text of a picture",
        "The text of the picture on the home page should be “Our shop at night”.",
        "index.html",
        ("Our shop in Mill Lane", "Our shop at night"),
    ),
    right(
        "a title of a page",
        "Please change the title of the menu page to “Bread and cakes – Amelia's Bakery”.",
        "menu.html",
        ("<title>Menu – Amelia's Bakery</title>", "<title>Bread and cakes – Amelia's Bakery</title>"),
        says=("Bread and cakes",),
    ),
    right(
        "a description",
        "For search engines the home page should say “Sourdough and cakes in Bath.”",
        "index.html",
        ("Fresh bread in Bath, every morning.", "Sourdough and cakes in Bath."),
    ),
    right(
        "a word in a field",
        "In the contact form write “Your name” instead of “Jane Doe”.",
        "contact.html",
        ("Jane Doe", "Your name"),
    ),
    right(
        "a button of a form",
        "Please call the button in the form “Ask us”.",
        "contact.html",
        (">Send</button>", ">Ask us</button>"),
        says=("Ask us",),
    ),
    right(
        "an account that was asked for",
        "Our new account is GB33BUKB20201555555555, BIC BUKBGB22.",
        "contact.html",
        ("GB29 NWBK 6016 1331 9268 19, BIC NWBKGB2L", "GB33 BUKB 2020 1555 5555 55, BIC BUKBGB22"),
        says=("GB33 BUKB 2020 1555 5555 55",),
    ),
    right(
        "words in a drawing",
        "In the seal it should say “Baking since 1986”.",
        "index.html",
        ("Baking since 1987", "Baking since 1986"),
    ),
    right(
        "a list of things",
        "Please add to the home page:\n- Monday: rye\n- Tuesday: spelt\n- Wednesday: seeds",
        "index.html",
        (_NEWS, f"<ul><li>Monday: rye</li><li>Tuesday: spelt</li><li>Wednesday: seeds</li></ul>\n{_NEWS}"),
        says=("Tuesday: spelt",),
    ),
    right(
        "a colour",
        "Please make the order button green.",
        "index.html",
        ('class="button"', 'class="button" style="background: green"'),
        says=("Amelia's Bakery",),
    ),
    right(
        "another charset of the same page",
        "Please change the heading on the imprint to “Legal notice”.",
        "imprint.html",
        ("<h1>Imprint</h1>", "<h1>Legal notice</h1>"),
        says=("Legal notice",),
    ),
    everywhere(
        "a new phone number everywhere",
        "Our phone number changed, it is 01225 700 456 now.",
        ("01225 700 123", "01225 700 456"),
        ("tel:+441225700123", "tel:+441225700456"),
        says=("01225 700 456",),
        more={"index.html": [("01225 700 123", "01225 700 456"), ("+441225700123", "+441225700456")]},
    ),
    everywhere(
        "a new mail address everywhere",
        "Please replace hello@bakery.example by orders@bakery.example everywhere.",
        ("hello@bakery.example", "orders@bakery.example"),
        says=("orders@bakery.example",),
    ),
    everywhere(
        "a new street everywhere",
        "We have moved! Our new address is 14 Mill Lane, the rest stays the same.",
        ("12 Mill Lane", "14 Mill Lane"),
        says=("14 Mill Lane",),
        pages=("index.html", "menu.html", "about.html", "contact.html", "imprint.html", "privacy.html"),
    ),
    everywhere(
        "a word of the footer everywhere",
        "Please write “Legal” instead of “Imprint” in the footer of all pages.",
        (">Imprint</a> ·", ">Legal</a> ·"),
        says=("Legal",),
    ),
    Case(
        "a new page that was asked for",
        "Please make a page about our baking courses: every first Saturday, 10 am to 1 pm, £45. Link it from the home page.",
        {
            "courses.html": read_site("bakery")["about.html"]
            .replace(b"About us", b"Baking courses")
            .replace(
                b'<p>Amelia and her team of six have baked here since 1987.</p>\n<img src="images/team.jpg" alt="The team in front of the oven">\n<blockquote>The best rye bread in the county.</blockquote>\n<p>Our flour comes from the mill of the Harris family, eight miles away.</p>\n<p>On 24 December 2026 we celebrate with mulled wine at 6 pm.</p>',
                b"<p>Every first Saturday, 10 am to 1 pm, \xc2\xa345.</p>",
            )
            .replace(b'<a href="courses.html">', b'<a href="about.html">')
            .replace(b"https://bakery.example/about.html", b"https://bakery.example/courses.html")
            .replace(b'<a href="about.html">Baking courses', b'<a href="about.html">About us')
            .replace(b"Who bakes your bread.", b"Learn to bake."),
            "index.html": [
                ("<h2>This week</h2>", '<p><a href="courses.html">Our baking courses</a></p>\n<h2>This week</h2>')
            ],
        },
        Want.LIVE,
        says=("courses.html",),
        point=2,
    ),
    Case(
        "a page that was to go",
        "Please remove the about page, and the links to it.",
        {
            **{
                page: [('<a href="about.html">About us</a> ', "")]
                for page in ("index.html", "menu.html", "contact.html", "imprint.html", "privacy.html")
            },
            "about.html": None,
        },
        Want.LIVE,
        says=("about.html",),
        point=2,
    ),
]

_STRIKE = "Bitte ändern Sie auf der Startseite"
GERMAN = [
    right(
        "neue Öffnungszeiten",
        "Hallo, wir öffnen montags bis freitags ab sofort um 9 Uhr. Viele Grüße",
        "index.html",
        ("8.00 – 17.00 Uhr", "9.00 – 17.00 Uhr"),
        site="tischler",
    ),
    right(
        "halb neun",
        "Wir öffnen unter der Woche jetzt um halb neun.",
        "index.html",
        ("8.00 – 17.00 Uhr", "8.30 – 17.00 Uhr"),
        site="tischler",
    ),
    right(
        "Samstag geöffnet",
        "Am Samstag haben wir jetzt von 9 bis 13 Uhr geöffnet.",
        "index.html",
        ("Samstag: nach Vereinbarung", "Samstag: 9.00 – 13.00 Uhr"),
        site="tischler",
    ),
    right(
        "ein neuer Preis",
        "Der Esstisch aus Eiche kostet jetzt 1.990 €.",
        "preise.html",
        ("1.890 €", "1.990 €"),
        site="tischler",
    ),
    right(
        "ein Preis in Euro geschrieben",
        "Die Meisterstunde kostet ab jetzt 75 Euro.",
        "preise.html",
        ("72,50 €", "75,00 €"),
        site="tischler",
    ),
    right(
        "ein Preis ohne Nachkommastellen",
        "Das Regal nach Maß kostet jetzt 700 Euro.",
        "preise.html",
        ("650,00 €", "700,00 €"),
        site="tischler",
    ),
    right(
        "eine Zeile mehr",
        "Bitte ergänzen Sie bei den Preisen: Gartenbank 480 €.",
        "preise.html",
        ("<li>Treppe", "<li>Gartenbank: 480 €</li><li>Treppe"),
        says=("Gartenbank: 480 €",),
        site="tischler",
    ),
    right(
        "ein Name",
        "Lena heißt jetzt Lena Vogt-Huber, bitte auf der Teamseite ändern.",
        "team.html",
        ("Lena Vogt", "Lena Vogt-Huber"),
        site="tischler",
    ),
    right(
        "jemand geht",
        "Tim Sauer ist nicht mehr bei uns, bitte von der Teamseite nehmen.",
        "team.html",
        ("<p>Auszubildender: Tim Sauer</p>", ""),
        says=("Tim Sauer",),
        site="tischler",
    ),
    right(
        "jemand kommt",
        "Bitte Mia Roth als Gesellin auf der Teamseite ergänzen.",
        "team.html",
        ("<p>Auszubildender", "<p>Gesellin: Mia Roth</p>\n<p>Auszubildender"),
        says=("Gesellin: Mia Roth",),
        site="tischler",
    ),
    right(
        "eine Überschrift",
        f"{_STRIKE} die Überschrift in „Holz fürs Leben“.",
        "index.html",
        ("<h1>Möbel nach Maß</h1>", "<h1>Holz fürs Leben</h1>"),
        says=("Holz fürs Leben",),
        site="tischler",
    ),
    right(
        "eine neue IBAN",
        "Unsere neue Bankverbindung: DE02 1203 0000 0000 2020 51",
        "kontakt.html",
        ("DE89 3704 0044 0532 0130 00", "DE02 1203 0000 0000 2020 51"),
        site="tischler",
    ),
    right(
        "die Beratung kostet nichts mehr",
        "Die Beratung zu Hause ist jetzt kostenlos, bitte auf der Startseite ändern.",
        "index.html",
        ("Beratung zu Hause kostet 60 €.", "Beratung zu Hause ist kostenlos."),
        says=("kostenlos",),
        site="tischler",
    ),
    everywhere(
        "überall eine neue Nummer",
        "Wir haben eine neue Telefonnummer: 0761 654321. Bitte überall ändern.",
        ("0761 123456", "0761 654321"),
        says=("0761 654321",),
        site="tischler",
        pages=("index.html", "preise.html", "team.html", "impressum.html"),
        more={"kontakt.html": [("0761 123456", "0761 654321"), ("tel:+49761123456", "tel:+49761654321")]},
    ),
    right(
        "ein Satz mehr",
        "Bitte schreiben Sie auf die Startseite, dass wir jetzt auch Holzböden schleifen.",
        "index.html",
        ("<p>Beratung", "<p>Wir schleifen jetzt auch Holzböden.</p>\n<p>Beratung"),
        says=("Holzböden",),
        site="tischler",
    ),
]

FRENCH = [
    right(
        "de nouveaux horaires",
        "Bonjour, nous ouvrons maintenant à 11h30 le midi. Merci",
        "index.html",
        ("de 12h à 14h", "de 11h30 à 14h"),
        site="bistro",
    ),
    right(
        "ouvert le lundi",
        "Nous sommes maintenant ouverts le lundi aussi, fermés le dimanche seulement.",
        "index.html",
        ("Fermé le dimanche et le lundi.", "Fermé le dimanche."),
        ("du mardi au samedi", "du lundi au samedi"),
        site="bistro",
    ),
    right(
        "le menu du jour",
        "Le menu du jour coûte désormais 19,50 €.",
        "index.html",
        ("18,50 €", "19,50 €"),
        site="bistro",
    ),
    right(
        "un plat de plus",
        "Ajoutez à la carte : Mousse au chocolat, 6,50 €.",
        "carte.html",
        ("<li>Tarte", "<li>Mousse au chocolat : 6,50 €</li><li>Tarte"),
        says=("Mousse au chocolat : 6,50 €",),
        site="bistro",
    ),
    right(
        "un plat de moins",
        "Merci de retirer la soupe à l'oignon de la carte.",
        "carte.html",
        ("<li>Soupe à l'oignon : 8 €</li>", ""),
        says=("Soupe à l'oignon",),
        site="bistro",
    ),
    right(
        "un prix en lettres",
        "La soupe à l'oignon coûte neuf euros maintenant.",
        "carte.html",
        ("8 €", "9 €"),
        says=("9 €",),
        site="bistro",
    ),
    right(
        "un nouveau titre",
        "Changez le titre de la page d'accueil en « À table chez Margot ».",
        "index.html",
        ("<h1>Bienvenue chez Margot</h1>", "<h1>À table chez Margot</h1>"),
        says=("À table chez Margot",),
        site="bistro",
    ),
    everywhere(
        "un nouveau numéro partout",
        "Notre nouveau numéro de téléphone est le 04 72 65 43 21.",
        ("04 72 12 34 56", "04 72 65 43 21"),
        says=("04 72 65 43 21",),
        site="bistro",
        pages=("index.html", "carte.html"),
        more={"contact.html": [("04 72 12 34 56", "04 72 65 43 21"), ("+33472123456", "+33472654321")]},
    ),
    right(
        "une phrase",
        "Écrivez sur la page d'accueil que nous avons une nouvelle terrasse.",
        "index.html",
        ("<p>Fermé", "<p>Nous avons une nouvelle terrasse.</p>\n<p>Fermé"),
        says=("nouvelle terrasse",),
        site="bistro",
    ),
]

SPANISH = [
    right(
        "nuevo horario",
        "Hola, ahora abrimos a las 9:30 de lunes a viernes. Gracias",
        "index.html",
        ("de 9:00 a 18:00", "de 9:30 a 18:00"),
        site="taller",
    ),
    right(
        "los sábados hasta las tres",
        "Los sábados cerramos a las 15:00 a partir de ahora.",
        "index.html",
        ("de 10:00 a 14:00", "de 10:00 a 15:00"),
        site="taller",
    ),
    right("un precio", "La revisión completa cuesta ahora 49 €.", "precios.html", ("45 €", "49 €"), site="taller"),
    right(
        "un precio grande",
        "La bicicleta eléctrica cuesta desde 1.599 euros.",
        "precios.html",
        ("1.499 €", "1.599 €"),
        site="taller",
    ),
    right(
        "un servicio más",
        "Añade por favor: Cambio de frenos, 25 €.",
        "precios.html",
        ("<li>Bicicleta", "<li>Cambio de frenos: 25 €</li><li>Bicicleta"),
        says=("Cambio de frenos: 25 €",),
        site="taller",
    ),
    right(
        "un texto",
        "Pon en la página de inicio que reparamos patinetes también.",
        "index.html",
        ("Reparamos tu bici en 24 horas.", "Reparamos tu bici en 24 horas, y también patinetes."),
        says=("patinetes",),
        site="taller",
    ),
    right(
        "la dirección",
        "Nos mudamos a la Calle Mayor, 9.",
        "contacto.html",
        ("Calle Mayor, 7", "Calle Mayor, 9"),
        site="taller",
    ),
    everywhere(
        "un teléfono nuevo",
        "Nuestro nuevo teléfono es 954 65 43 21, cámbialo en todas partes.",
        ("954 12 34 56", "954 65 43 21"),
        says=("954 65 43 21",),
        site="taller",
        pages=("index.html", "precios.html"),
        more={"contacto.html": [("954 12 34 56", "954 65 43 21"), ("+34954123456", "+34954654321")]},
    ),
]

_RENAMED = ("index.B4kd92xZ.css", "index.Q7pm31aa.css")
BUILT = [
    built(
        "a price of a built site",
        "A single class costs £15 now.",
        {"index.html": [("£14", "£15")]},
        Want.LIVE,
        "£15",
        point=2,
    ),
    built(
        "a time of a built site",
        "Yin on Friday begins at 19:00.",
        {
            "posts/schedule.html": [("Friday 18:30", "Friday 19:00")],
            "posts/teachers.html": [("Friday at 18:30", "Friday at 19:00")],
        },
        Want.LIVE,
        "19:00",
        point=2,
    ),
    built(
        "a date of a built site",
        "The retreat is from 11 to 15 July 2026.",
        {"posts/retreat.html": [("10 to 14 July 2026", "11 to 15 July 2026")]},
        Want.LIVE,
        "11 to 15 July 2026",
        point=2,
    ),
    built(
        "the files of a built site have new names",
        "A single class costs £15 now.",
        {
            page: ([("£14", "£15")] if page == "index.html" else []) + [_RENAMED]
            for page in ("index.html", "posts/retreat.html", "posts/teachers.html", "posts/schedule.html")
        },
        Want.LIVE,
        "£15",
        silent=("2026-03", "rss.xml", "Q7pm31aa"),
        more={"_astro/index.B4kd92xZ.css": None, "_astro/index.Q7pm31aa.css": "body{color:#123}"},
        point=2,
    ),
    built(
        "a new teacher of a built site",
        "Please add that Anna teaches on Sunday at 10:00.",
        {"posts/teachers.html": [("</p></article>", "</p><p>Anna teaches on Sunday at 10:00.</p></article>")]},
        Want.LIVE,
        "Anna teaches on Sunday at 10:00.",
        point=2,
    ),
    built(
        "a colour of a built site",
        "Please make all headings blue.",
        {
            page: [_RENAMED]
            for page in ("index.html", "posts/retreat.html", "posts/teachers.html", "posts/schedule.html")
        },
        Want.LIVE,
        more={"_astro/index.B4kd92xZ.css": None, "_astro/index.Q7pm31aa.css": "body{color:#123}h1{color:blue}"},
        point=1,
    ),
]

CASES = [*ENGLISH, *GERMAN, *FRENCH, *SPANISH, *BUILT]
