"""The requests of the evaluation: what owners of small sites write, and the one right outcome of each."""

# ruff: noqa: RUF001 - pages write long dashes and curly marks

from __future__ import annotations

from evaluation.request import Page, Right, Wish

INDEX, MENU, ABOUT, CONTACT = "index.html", "menu.html", "about.html", "contact.html"
EVENTS = "events.html"


def _bakery(
    name: str,
    words: str,
    right: Right = Right.LIVE,
    *,
    photo: bool = False,
    missing: Page | None = None,
    **pages: Page,
) -> Wish:
    named = {f"{page}.html": facts for page, facts in pages.items()} | ({"404.html": missing} if missing else {})
    return Wish(name, "plain", words, named, right, photo)


def _eleventy(name: str, words: str, right: Right = Right.LIVE, **pages: Page) -> Wish:
    names = {"index": INDEX, "about": "about/index.html"}
    return Wish(name, "eleventy", words, {names[page]: facts for page, facts in pages.items()}, right)


def _hugo(name: str, words: str, right: Right = Right.LIVE, **pages: Page) -> Wish:
    return Wish(name, "hugo", words, {f"{page}.html": facts for page, facts in pages.items()}, right)


def _astro(name: str, words: str, right: Right = Right.LIVE, **pages: Page) -> Wish:
    names = {"index": INDEX, "contact": CONTACT}
    return Wish(name, "astro", words, {names[page]: facts for page, facts in pages.items()}, right)


_NINE = Page(has=("9:00 – 18:00",), lacks=("8:00 – 18:00",))
_PHONE = Page(has=("030 23125 200",), lacks=("030 23125 142",))

_PLAIN = (
    _bakery("a price", "The plum cake is now €3.80.", menu=Page(has=("Plum cake €3.80",), lacks=("€3.60",))),
    _bakery(
        "a price with please",
        "Hi,\n\ncould you please change the price of the baguette to €2.60?\n\nThanks\nScott",
        menu=Page(has=("Baguette €2.60",), lacks=("€2.40",)),
    ),
    _bakery(
        "two prices",
        "Coffee is €2.80 now and the flat white €3.60.",
        menu=Page(has=("Coffee €2.80", "Flat white €3.60"), lacks=("€2.60",)),
    ),
    _bakery(
        "prices as a list",
        "New prices please:\n- Seeded rye €5.00\n- White tin loaf €4.10\n- Baguette €2.50",
        menu=Page(has=("Seeded rye €5.00", "White tin loaf €4.10", "Baguette €2.50")),
    ),
    _bakery(
        "a price that goes up",
        "The cinnamon roll goes up from €2.80 to €3.00.",
        menu=Page(has=("Cinnamon roll €3.00",), times=(("€2.80", 0),)),
    ),
    _bakery("opening hours", "We open at nine now, Monday to Friday.", index=_NINE, contact=_NINE),
    _bakery(
        "closing hours",
        "From now on we close at 13:00 on Saturdays.",
        index=Page(has=("8:00 – 13:00",), lacks=("8:00 – 14:00",)),
        contact=Page(has=("8:00 – 13:00",), lacks=("8:00 – 14:00",)),
    ),
    _bakery(
        "closed on a weekday",
        "We are closed on Saturdays from now on.",
        index=Page(lacks=("Saturday 8:00 – 14:00",)),
        contact=Page(has=("Closed",), lacks=("8:00 – 14:00",)),
    ),
    _bakery(
        "sunday opens",
        "We are open on Sundays now, 9:00 to 12:00.",
        contact=Page(has=("9:00 – 12:00",)),
        index=Page(),
    ),
    _bakery(
        "a phone number",
        "Our phone number is now 030 23125 200.",
        index=_PHONE,
        menu=_PHONE,
        about=_PHONE,
        contact=_PHONE,
        missing=Page(lacks=("030 23125 142",)),
    ),
    _bakery(
        "an address of mail",
        "Our new mail address is bread@amelia.example.",
        index=Page(has=("bread@amelia.example",), lacks=("hello@",)),
        menu=Page(has=("bread@amelia.example",), lacks=("hello@",)),
        about=Page(has=("bread@amelia.example",), lacks=("hello@",)),
        contact=Page(has=("bread@amelia.example",), lacks=("hello@",)),
        missing=Page(lacks=("hello@",)),
    ),
    _bakery(
        "take an item off",
        "Take the plum cake off the menu, please.",
        menu=Page(lacks=("Plum cake",), has=("Carrot cake", "Cherry layer cake")),
    ),
    _bakery(
        "remove an item",
        "Please remove the cheese twist from the menu.",
        menu=Page(lacks=("Cheese twist", "Mountain cheese"), has=("Cinnamon roll",)),
    ),
    _bakery("no longer have", "We no longer have apple juice.", menu=Page(lacks=("Apple juice",), has=("Flat white",))),
    _bakery(
        "add an item",
        "Add a cappuccino for €3.20 to the drinks.",
        menu=Page(has=("€3.20", "Coffee €2.60"), lacks=("cappuccino for",)),
    ),
    _bakery(
        "add an item with words",
        'Please add "Lemon tart" for €3.50 under Cake.',
        menu=Page(has=("Lemon tart", "€3.50", "Plum cake €3.60")),
    ),
    _bakery(
        "it says, should be",
        'On the about page it says "a good oven and a bad roof", it should be "a good oven and a leaking roof".',
        about=Page(has=("a good oven and a leaking roof",), lacks=("a bad roof",)),
    ),
    _bakery(
        "a replacement",
        'Replace "Follow the smell." with "Follow your nose." on the contact page.',
        contact=Page(has=("Follow your nose.",), lacks=("Follow the smell.",)),
    ),
    _bakery(
        "a heading",
        'Change the heading on the start page to "Bread worth a detour."',
        index=Page(has=("Bread worth a detour.",), lacks=("Bread worth getting up for.",)),
    ),
    _bakery(
        "a wrong word",
        "There is a mistake on the menu: it is caraway seed, not caraway.",
        menu=Page(has=("Mountain cheese and caraway seed",)),
    ),
    _bakery(
        "remove a sentence",
        'Please delete the sentence "On public holidays we sleep in." from the contact page.',
        contact=Page(lacks=("we sleep in",), has=("Opening hours",)),
    ),
    _bakery(
        "add a paragraph",
        'Add this to the about page: "We also bake for weddings."',
        about=Page(has=("We also bake for weddings.", "There is no Amelia")),
    ),
    _bakery(
        "a street number",
        "We have moved next door: our address is Amelia Street 6 now.",
        index=Page(has=("Amelia Street 6",), lacks=("Amelia Street 4",)),
        menu=Page(has=("Amelia Street 6",), lacks=("Amelia Street 4",)),
        about=Page(has=("Amelia Street 6",), lacks=("Amelia Street 4",)),
        contact=Page(has=("Amelia Street 6",), lacks=("Amelia Street 4",)),
        missing=Page(lacks=("Amelia Street 4",)),
    ),
    _bakery(
        "rename an item",
        "The almond croissant is now called almond crescent.",
        menu=Page(has=("lmond crescent",), lacks=("Almond croissant",)),
    ),
    _bakery(
        "sold out",
        "Cherry layer cake is sold out, please take it off.",
        menu=Page(lacks=("Cherry layer cake",), has=("Carrot cake",)),
    ),
    _bakery("german price", "Der Pflaumenkuchen (plum cake) kostet jetzt 3,90 €.", menu=Page(lacks=("€3.60",))),
    _bakery(
        "a photo", "Here is a photo of our new counter, please put it on the about page.", photo=True, about=Page()
    ),
    _bakery(
        "off without a place", "Please take the plum cake off.", menu=Page(lacks=("Plum cake",), has=("Carrot cake",))
    ),
    _bakery(
        "add to a list",
        "Can you add hot chocolate to the drinks for €3.10?",
        menu=Page(has=("Hot chocolate €3.10",), lacks=("chocolate to the",)),
    ),
    _bakery("add to no list", "We now also have lemon tart for €3.50.", Right.ASKED),
    _bakery(
        "a price instead of another",
        "The plum cake costs €3.80 instead of €3.60.",
        menu=Page(has=("Plum cake €3.80",), lacks=("€3.60",)),
    ),
    _bakery(
        "closed, days first",
        "On Saturdays we're closed.",
        index=Page(has=("Saturday closed",)),
        contact=Page(has=("Saturday Closed",)),
    ),
    _bakery(
        "the menu says",
        "The menu says caraway, it should say cumin.",
        menu=Page(has=("cheese and cumin",), lacks=("caraway",)),
    ),
    _bakery(
        "a typing error",
        'There is a typo on the about page: "bad roof" should be "leaky roof".',
        about=Page(has=("a leaky roof",), lacks=("bad roof",)),
    ),
    _bakery("closed on one of several days", "We are closed on Mondays.", Right.ASKED),
    _bakery("unclear", "Can you make the site a bit nicer?", Right.ASKED),
    _bakery("two meanings", "Please change the croissant to €2.30.", Right.ASKED),
    _bakery("a thing that is not there", "The raspberry tart costs €4.00 now.", Right.ASKED),
    _bakery("a question", "How many people looked at our site last week?", Right.ASKED),
    _bakery("thanks only", "Thank you, that looks great!", Right.ASKED),
    _bakery("everything away", "Please delete all pages.", Right.ASKED),
)

_ELEVENTY = (
    _eleventy("a price", "The plum cake costs 5.20 now.", index=Page(has=("Plum cake 5.20", "Rye loaf 4.80"))),
    _eleventy(
        "the other price", "Please set the rye loaf to 4.50.", index=Page(has=("Rye loaf 4.50", "Plum cake 4.80"))
    ),
    _eleventy(
        "opening hours",
        "We open at nine now, Monday to Friday.",
        index=Page(has=("9:00 – 18:00", "8:00 – 14:00"), lacks=("8:00 – 18:00",)),
    ),
    _eleventy(
        "closing hours",
        "On Saturdays we close at 13:00.",
        index=Page(has=("8:00 – 13:00", "8:00 – 18:00"), lacks=("8:00 – 14:00",)),
    ),
    _eleventy("take off", "Take the plum cake off the menu.", index=Page(has=("Rye loaf",), lacks=("Plum cake",))),
    _eleventy(
        "add an item", "Add a cheese cake for 4.20.", index=Page(has=("4.20", "Plum cake 4.80", "Rye loaf 4.80"))
    ),
    _eleventy(
        "a heading",
        'Change the heading "Fresh every morning" to "Fresh every day".',
        index=Page(has=("Fresh every day",), lacks=("Fresh every morning",)),
    ),
    _eleventy(
        "it says, should be",
        "On the about page it says that our grandmother began in 1950, it should be 1952.",
        about=Page(has=("began in 1952",), lacks=("began in 1950",)),
    ),
    _eleventy(
        "a paragraph",
        'Add this to the about page: "Come and see us."',
        about=Page(has=("Come and see us.", "Our grandmother began in 1950.")),
    ),
    _eleventy("unclear", "Please update the website.", Right.ASKED),
)

_CAFE_PHONE = Page(has=("030 555 0177",), lacks=("030 555 0140",))
_HUGO = (
    _hugo("a price", "The flat white is 3.60 now.", index=Page(has=("Flat white 3.60", "Espresso 2.20"))),
    _hugo(
        "a drink away", "We no longer have hot chocolate.", index=Page(has=("Flat white",), lacks=("Hot chocolate",))
    ),
    _hugo("a drink more", "Add a cortado for 2.90.", index=Page(has=("2.90", "Espresso 2.20", "Hot chocolate 3.80"))),
    _hugo(
        "opening hours",
        "We open at eight now instead of seven.",
        index=Page(has=("8:00 to 17:00", "9:00 to 13:00"), lacks=("7:00 to 17:00",)),
    ),
    _hugo(
        "sunday",
        "On Sundays we close at 14:00 now.",
        index=Page(has=("9:00 to 14:00", "7:00 to 17:00"), lacks=("9:00 to 13:00",)),
    ),
    _hugo(
        "a date",
        "The quiz night is on 4 December, not on the 3rd.",
        events=Page(has=("Quiz night on 4 December", "Live jazz on 10 December")),
    ),
    _hugo(
        "an event away",
        "The live jazz is cancelled, please take it off the events page.",
        events=Page(has=("Quiz night",), lacks=("Live jazz",)),
    ),
    _hugo(
        "an event more",
        'Add "Open mic on 17 December" to the events.',
        events=Page(has=("Open mic on 17 December", "Quiz night on 3 December")),
    ),
    _hugo(
        "tables",
        'On the about page it says "three outside", it should be "five outside".',
        about=Page(has=("eight tables inside and five outside",)),
    ),
    _hugo(
        "a phone number",
        "Our phone number is now 030 555 0177.",
        index=_CAFE_PHONE,
        about=_CAFE_PHONE,
        events=_CAFE_PHONE,
    ),
    _hugo("roasting day", "We roast our beans on Wednesdays now.", about=Page(has=("Wednesday",), lacks=("Tuesday",))),
)

_ASTRO = (
    _astro(
        "a phone number",
        "Our phone number is now 030 555 0123.",
        contact=Page(has=("030 555 0123",), lacks=("030 555 0199",)),
    ),
    _astro(
        "opening hours",
        "We open at ten on Saturdays.",
        contact=Page(has=("10:00 to 14:00", "9:00 to 18:00"), lacks=("Saturdays from 9:00",)),
    ),
    _astro(
        "closing hours",
        "During the week we close at 19:00 now.",
        contact=Page(has=("9:00 to 19:00", "9:00 to 14:00"), lacks=("9:00 to 18:00",)),
    ),
    _astro(
        "a sentence",
        'Replace "Bouquets, pots and good advice" with "Bouquets, pots and seeds" on the start page.',
        index=Page(has=("Bouquets, pots and seeds",), lacks=("good advice",)),
    ),
    _astro(
        "it says, should be",
        'It says "two doors from the bakery", it should be "three doors from the bakery".',
        index=Page(has=("three doors from the bakery",)),
    ),
    _astro(
        "a paragraph",
        'Add this to the contact page: "Parking is behind the house."',
        contact=Page(has=("Parking is behind the house.", "030 555 0199")),
    ),
    _astro(
        "a heading",
        'Change the heading on the contact page to "Visit us".',
        contact=Page(has=("Visit us",), lacks=("Come by",)),
    ),
    _astro("unclear", "Something on the contact page is wrong.", Right.ASKED),
)

REQUESTS: tuple[Wish, ...] = (*_PLAIN, *_ELEVENTY, *_HUGO, *_ASTRO)
