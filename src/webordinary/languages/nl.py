"""Dutch, as the program knows it."""

from __future__ import annotations

from webordinary.languages.agent_words import AgentWords
from webordinary.languages.language import NOTHING, Correspondence, Language, MailPrograms, Replies, SiteWords, When

_WHEN = When(
    months=(
        *("januari|jan", "februari|feb", "maart|mrt", "april|apr", "mei", "juni|jun", "juli|jul", "augustus|aug"),
        *("september|sept|sep", "oktober|okt", "november|nov", "december|dec"),
    ),
    weekdays=("maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag"),
    ahead=(("overmorgen", 2), ("morgen", 1), ("vandaag", 0)),
    next_before="volgende|komende|aanstaande|deze",
    next_after="aanstaande|a\\.s\\.",
    article="de|den",
    ordinal="e|ste|de",
    of="van",
    of_year="van",
    day_of="op|van",
    at="om|vanaf",
    oclock="uur|u|h",
    noon="het middaguur",
    range_from="van|vanaf",
    range_to="tot en met|t/m|tot aan|tot",
    between="tussen",
    between_and="en",
    until="tot en met|t/m|tot aan|tot",
    since="vanaf|met ingang van|van",
    loose_since="van",
    onwards="af aan|af",
    on="op",
    including="inclusief|incl",
    that="dat|omdat|want|wij|we",
    plus="en|evenals|alsook",
    joins="en|of",
    lasting="voor|gedurende",
    counts=(
        *(("een|één", 1), ("twee", 2), ("drie", 3), ("vier", 4), ("vijf", 5), ("zes", 6), ("zeven", 7), ("acht", 8)),
        *(("negen", 9), ("tien", 10)),
    ),
    units=(("dag|dagen", 1), ("week|weken", 7)),
    per="per|in de",
    closed="gesloten|sluiten|sluiting|vakantiesluiting|dicht|(?:met|op) vakantie|vakantie",
    opens="openen|open|geopend|opent|openingstijden|openingsuren",
    costs="kosten|kost|prijs|prijzen",
    numbers="vijf|zes|zeven|acht|negen|tien|elf|twaalf",
    orders=(
        r"toon|tonen|laat|vervang\w*|publiceer\w*|publiceren|verberg\w*|verwijder\w*|haal|halen|plaats\w*|zet|zetten"
        r"|gebruik\w*|ruil\w*"
    ),
    moves=r"wijzig\w*|verander\w*|verplaats\w*|verschuif|verschuiven",
    adds="voeg|toevoegen|schrijf|schrijven|vermeld|vermelden|kondig|aankondigen",
    publish=(
        r"publiceer\w*|publiceren|online (?:zetten|gaan|plaatsen)|live (?:zetten|gaan)|(?:gaat|gaan) (?:online|live)"
        "|zet (?:het|dit|alles|de wijziging) (?:online|live)"
    ),
    take_down=r"(?:weer )?(?:verwijder\w*|weghalen|terugdraaien|offline halen|weg)",
    take_back=(
        "(?:haal|haalt) (?:het|dit|dat|deze|ze) (?:er )?(?:weer )?(?:weg|af|eraf|offline)"
        "|verwijder (?:het|dit|dat|deze|ze)"
        "|(?:het|dit|dat|deze|ze) (?:weer )?(?:verwijderen|weghalen|terugdraaien)|weer (?:verwijderen|weghalen)"
    ),
    polite=(
        "graag|alstublieft|alsjeblieft|aub|kunt u|kun je|kunnen jullie|zou u|zou je|wilt u|wil je|gelieve|ook|en|dan"
        "|hallo|goedendag|goedemorgen|goedemiddag|beste|bedankt|dank u|alleen|enkel"
    ),
    no_wish="was|waren|werd|werden|had|hadden|niet|geen|nooit|als|indien|waarom",
    shows="toon|tonen|laat",
    event="sluit",
    over="tijdens|gedurende|rond",
    back=r"weer|terug|heropen\w*",
    afterwards=r"weer|terug|zoals gewoonlijk|normaal|normale|gewone|gebruikelijk\w*|deze periode|deze dagen",
    to_be_read=r"(?:schrijf|schrijv|meld|vermeld|kondig|aankondig|zeg|weten|informeer|bericht)\w*\b[^.;:]*\bdat\b",
    next_week="(?:de hele )?(?:volgende|komende) week",
    this_week="(?:de rest van )?deze week",
    weekend="(?:dit|komend|aankomend|aanstaand|het komende) weekend",
    in_month="in|gedurende|heel|de hele maand",
    again=(
        "(?:elke|iedere)(?: tweede| andere)? (?:{days}|week|maand|dag|ochtend|avond)|(?:elk|ieder) (?:weekend|jaar)"
    ),
    vague=(
        "(?:met|rond|tijdens|over) (?:de )?(?:kerst|kerstdagen|kerstvakantie|pasen|pinksteren|oud en nieuw|feestdagen"
        "|jaarwisseling|zomer|winter|zomervakantie)|tussen kerst en (?:nieuwjaar|oud en nieuw)"
        r"|(?:op )?(?:kerstavond|(?:eerste|tweede) kerstdag|oudejaarsavond|oudejaarsdag|nieuwjaarsdag|goede vrijdag"
        r"|koningsdag|hemelvaart\w*)|in (?:de )?(?:zomer|winter|herfst|lente)|in het (?:voorjaar|najaar)"
        "|deze (?:zomer|winter|herfst|lente)|volgend (?:weekend|jaar)|volgende maand"
        "|(?:voor )?(?:een paar|enkele|enige|verschillende) (?:dagen|weken)|vanavond|vanmiddag|vanochtend"
        r"|op de \d{1,2}e|in week \d{1,2}"
    ),
    weekly="(?:op )?(?:{days})en|'s (?:maandags|woensdags)",
    either="(?:in )?het weekend",
    always="vanaf nu|voortaan|altijd|permanent|in de toekomst|voorgoed|nu",
    we="wij|we|ik",
    changes=r"wijzig\w*|verander\w*|vervang\w*|corrigeer\w*|verbeter\w*|verwijder\w*|verhoog\w*|verlaag\w*",
    also="ook|bovendien|daarnaast|trouwens|verder",
    all_of_it="dit|alles|dit alles",
    small=(
        "aan al alleen alles alstublieft alsjeblieft beter blijven blijft bedankt beste dag dagen dan dank dat de deze"
        " die dit doch dus een eind eindigen eindigt en er erg even fout gaan gaat graag groet groeten goed hallo het"
        " hier ik in is ja jammer je kan kun kunnen kunt laat laten langer liever maar mag maken met meer mij mijn moet"
        " naar nee niet nog nu of ok om online ons ook oh op pas plaats sorry staan stoppen te tijd toch toe toon tonen"
        " tot u uit van vandaag verlengen verleng verplaats verplaatsen verschuif verschuiven vriendelijke want was we"
        " wel wij wil willen wilt worden zal zet zetten ze zijn zo zou zouden weer"
    ),
    abbreviations="bijv|enz|incl|a\\.s",
    order_last=True,
)
_REPLIES = Replies(
    ok="ok|oke|publiceer|publiceren|akkoord|goedkeuren|goedgekeurd",
    undo="ongedaan|ongedaan maken|terugdraaien|draai terug|terugzetten|zet terug|herstellen|herstel",
    stop="stop|stoppen|annuleren|annuleer|afbreken|breek af",
    status="status|stand van zaken",
    again="opnieuw|nog een keer|nog eens|nogmaals|probeer opnieuw|opnieuw proberen|probeer het opnieuw",
    help="help|hulp",
    yes="ja|zeker|ja zeker|jazeker|natuurlijk|ja natuurlijk|ja hoor|jawel|ja graag|uiteraard|absoluut|ja ja",
    mine=(
        "dat ben ik|dat was ik|ik ben het|ik was het|ja dat ben ik|die is van mij|dat is van mij|hij is van mij"
        "|ik heb het geschreven|ik heb hem geschreven|dat klopt|klopt|dat heb ik geschreven"
    ),
    publish=(
        "graag|akkoord|ik ga akkoord|ga akkoord|is goed|dat is goed|doe maar|publiceer|publiceren|publiceer het"
        "|publiceer maar|u kunt het publiceren|je kunt het publiceren|mag online|mag live|mag gepubliceerd worden"
        "|kan online|kan live|zet maar online|zet het online|zet het maar online|wat mij betreft ok"
        "|wat mij betreft akkoord|wat mij betreft prima|voor mij ok|voor mij akkoord|voor mij is het goed|goedgekeurd"
        "|in orde|is in orde|het is in orde|ga uw gang|ga je gang|ga maar door|heel graag|gaat u gang|zo doen"
    ),
    praise=(
        "goed|heel goed|zeer goed|prima|prima zo|perfect zo|mooi|heel mooi|mooi zo|top|uitstekend|geweldig"
        "|fantastisch|prachtig|schitterend|ziet er goed uit|ziet er mooi uit|ziet er prima uit|ziet er perfect uit"
        "|dat ziet er goed uit|het ziet er goed uit|klinkt goed|helemaal goed|goed zo|precies goed|precies|goed gedaan"
        "|mooi gedaan|vind ik mooi|vind ik goed|dat is perfect|het is perfect"
    ),
    no="nee|nee nee|neen",
    doubt=(
        "misschien|nog niet|nu niet|later|weet ik niet|ik weet het niet|geen idee|niet zeker|ik weet het niet zeker"
        "|wacht|wacht even|een moment|moment|momentje|begrepen|gezien|ontvangen|eens kijken|ik denk erover na"
    ),
    take_back=(
        "ongedaan maken|maak het ongedaan|maak dit ongedaan|maak dat ongedaan|maak de wijziging ongedaan"
        "|de wijziging ongedaan maken|graag ongedaan maken|draai het terug|draai dit terug|draai de wijziging terug"
        "|de wijziging terugdraaien|wijziging terugdraaien|zet het terug|zoals het was|zoals voorheen|zoals eerst"
        "|zoals het eerst was|weer zoals het was|weer zoals voorheen|weer zoals eerst|net als voorheen"
        "|alles zoals het was|zet de oude tekst terug|de oude tekst terug|de oude tekst terugzetten|weer de oude tekst"
        "|zet de oude versie terug|de oude versie terug|terug naar de oude tekst|terug naar de oude versie"
        "|laat het zoals het was|laat alles zoals het was|ik wil de oude tekst terug|graag de oude tekst terug"
    ),
    leave=(
        "niet publiceren|nog niet publiceren|publiceer niet|publiceer het niet|publiceer dit niet|graag niet publiceren"
        "|niet online zetten|zet het niet online|niet online|annuleren|annuleer|annuleer het|annuleer dit|stop ermee"
        "|stop maar|graag stoppen|laat maar|laat maar zitten|niet doen|doe maar niet|nee stop"
    ),
    reasons=(
        "het was fout|dat was fout|het is fout|dat is fout|fout|het was een vergissing|dat was een vergissing"
        "|vergissing|mijn fout|mijn vergissing|ik heb me vergist|ik ben van gedachten veranderd|excuses|het spijt me"
        "|dat bedoelde ik niet"
    ),
    thanks=(
        "bedankt|hartelijk bedankt|heel erg bedankt|alvast bedankt|dank|dank je|dank u|dank je wel|dank u wel|dankjewel"
        "|dankuwel|hartelijk dank|veel dank|duizendmaal dank|bedankt voor de hulp|bedankt voor uw hulp"
        "|dank u voor uw hulp"
    ),
    courtesies=(
        "alstublieft|alsjeblieft|aub|groet|groeten|groetjes|met vriendelijke groet|met vriendelijke groeten"
        "|vriendelijke groet|vriendelijke groeten|hartelijke groet|hartelijke groeten|mvg|hoogachtend|fijne dag"
        "|fijne avond|prettige dag|tot ziens"
    ),
    polite="graag|alstublieft|alsjeblieft|aub",
    greetings=(
        "goedemorgen|goedemiddag|goedenavond|goedendag|dag|hallo|hallo allemaal|hoi|beste|beste allen|beste team"
    ),
    only_here=(
        "bedankt|hartelijk bedankt|dank je|dank u|graag|ja graag|akkoord|zeker|is goed|doe maar|goed|publiceer"
        "|publiceren|ongedaan maken|ongedaan|terugdraaien|opnieuw|nog een keer|hulp|natuurlijk|alstublieft"
        "|niet publiceren|ziet er goed uit|zoals het was"
    ),
    own_letters=NOTHING,
    everywhere="overal",
    choice="optie|keuze|nummer|nr|antwoord|de|het",
    nth=("eerste", "tweede", "derde", "vierde", "vijfde"),
)
_PROGRAMS = MailPrograms(
    wrote="schreef|geschreven|schrijft",
    originals="oorspronkelijk bericht|origineel bericht",
    forwards="doorgestuurd bericht|begin doorgestuurd bericht|begin van doorgestuurd bericht",
    authors="van|afzender",
    subjects="onderwerp",
    answered="antw",
    forwarded="doorst|fw",
    phone_lines=(
        r"(?:verstuurd|verzonden|verstuur) (?:vanaf|met|via|vanuit) (?:mijn )?{any}{thing}{rest}"
        r"|(?:ontvang|download) {app}{where}"
    ),
    phone_where="voor|op",
    absences=(
        "automatisch antwoord|afwezigheidsbericht|automatisch bericht|automatische beantwoording|automatische reactie"
        "|afwezigheidsmelding|afwezigheidsassistent|niet op kantoor|buiten kantoor"
    ),
    perhaps_absences="afwezig|afwezigheid|niet aanwezig|vakantie|met vakantie|op vakantie",
    is_absent="is (?:momenteel |op dit moment )?(?:niet op kantoor|afwezig|niet aanwezig)",
    of_itself=(
        r"dit is een automatisch(?:e (?:reactie|e-?mail)| (?:antwoord|bericht|gegenereerd))"
        r"|deze (?:e-?mail|mail) is automatisch (?:gegenereerd|verzonden|verstuurd)"
    ),
    ticket="aanvraag|melding|verzoek",
    received=r"(?:aanvraag|melding|verzoek|bericht|ticket)\b.{0,60}\bis (?:ontvangen|aangemaakt|geregistreerd|geopend)",
    notice=(
        r"bericht|\be-?mail\b",
        "vertrouwelijk",
        "geadresseerde|ontvanger|bestemd voor",
        "verwijder|vernietig|verboden|niet toegestaan|stellen",
    ),
    scanned=(
        r"virusvrij\.?\s?(?:www\.)?(?:avast|avg)\.com.{0,300}"
        r"|(?:deze|dit) (?:e-?mail|bericht) (?:is|werd) (?:gecontroleerd|gescand).{0,200}(?:virus|malware).{0,300}"
    ),
    environment=r"het\smilieu|voordat\su\s.{0,30}print|voor\shet\sprinten",
)
_LETTERS = Correspondence(
    greetings=r"hallo|hoi|goede(?:morgen|middag|navond|ndag)|beste(?:\s\w{2,20})?(?=,|$)|geachte\w*|lieve|dag",
    sign_offs=r"(?:met\s)?(?:(?:vriendelijke|hartelijke|beste)\s)?groet(?:en|jes)?|mvg|hoogachtend|tot\sziens",
    thanks=r"(?:(?:alvast|hartelijk|heel\serg)\s)?(?:bedankt|dank)|dank\s(?:je|u)(?:\swel)?",
    asks=(
        r"graag|alstublieft|alsjeblieft|aub|kunt\su|kun\sje|kunnen\sjullie|zou\s(?:u|je)|wilt\su|wil\sje|gelieve"
        r"|wij\s(?:openen|sluiten|willen)|we\s(?:openen|sluiten|willen)|ik\swil|en\sdan|daarnaast|bovendien"
        r"|wijzig(?:en)?|verander(?:en)?|vervang(?:en)?|voeg|toevoegen|verwijder(?:en)?|plaats(?:en)?|zet(?:ten)?"
        r"|schrijf|schrijven|verplaats(?:en)?|corrigeer|verbeter(?:en)?|publiceer|publiceren|toon|tonen"
    ),
    labels="telefoon|tel|mobiel|mob|fax|kantoor",
    mail_labels="(?:e-?)?mail",
    streets=(
        r"(?:[^\W\d_][\w.'\u2019-]*\s){0,2}?[^\W\d_]*(?:straat|laan|plein|gracht|kade|dijk|singel|dreef)"
        r"\s\d{1,4}\s?[a-z]{0,3}"
    ),
    title_prefixes="plaatsvervangend|algemeen|commercieel",
    titles="eigena(?:ar|resse)|directeur|bedrijfsleider|zaakvoerder|chef-kok",
    registers="kvk(?:-nummer)?|btw(?:-nummer)?",
    names_join="van|de|der|den|en",
    name_titles="dhr|mevr|mw|ir|drs|ing",
    spoken_of=(
        r"adres|contact|telefoon|mobiel|nummer|e-?mail|colofon|medewerker|collega|personeel|naam|bedrijf|firma"
        r"|handtekening|voettekst|onderstaand|hieronder|volgend|verhuis|verhuiz|nieuw|toevoeg"
    ),
    no_name="openingstijd|geopend|gesloten|graag|wijzig|verwijder",
    pictures="foto['\u2019]?|afbeelding(?:en)?|plaatje",
    speaks_of_pictures="afbeelding|foto|bijlage|bijgevoegd|schermafdruk",
    nth_picture=("eerste", "tweede", "derde", "vierde", "vijfde", "laatste|andere"),
    picture_shows="toont|tonen|laat\\szien",
    picture_of="van|van\\shet|van\\sde",
    picture_goes="op|naar|voor|bij",
    the="de|het",
    articles="de|het|een|ons|onze|mijn",
    pointing=r"dit(?=\sis)|deze|dat(?=\sis)",
    is_="is|zijn",
    it="het|hij|ze|deze|dit",
    and_="en",
    no_caption=r"graag|alstublieft|plaats\w*|zet\w*|voeg\w*|pagina|site|bedankt|groet\w*|hallo|beste",
    notice_closed=r"gesloten|met\s+vakantie|op\s+vakantie",
    notice_orders=r"graag|kunt|kun|plaats\w*|zet\w*|schrijf|toon|voeg|wijzig\w*|vervang\w*|verwijder\w*|verander\w*",
    relative_days=r"vandaag|(?:over)?morgen|volgende?|komende?|deze|dit",
)
_TENS = ("twintig", "dertig", "veertig", "vijftig", "zestig", "zeventig", "tachtig", "negentig")
_SITE = SiteWords(
    few=(
        "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien"
        " achttien negentien"
    ),
    tens=" ".join(_TENS),
    compound="{unit}en{ten}",
    one="een",
    hundreds="{unit}honderd",
    thousands="{unit}duizend",
    more_numbers=(
        ("honderd", 100),
        ("duizend", 1_000),
        *(
            (f"{unit}ën{ten}", 10 * tens + number)
            for tens, ten in enumerate(_TENS, 2)
            for unit, number in (("twee", 2), ("drie", 3))
        ),
    ),
    too_common="een|nul",
    in_context=NOTHING,
    noons="middag",
    midnights="middernacht",
    half_past=NOTHING,
    quarter_past=NOTHING,
    quarter_to=NOTHING,
    half_past_before=NOTHING,
    half_to_before="half",
    quarter_past_before="kwart over",
    quarter_to_before="kwart voor",
    early="'s ochtends|'s morgens",
    late="'s middags|'s avonds|'s nachts",
    oclock="uur",
    before_times="om vanaf",
    after_times=(
        "alleen altijd dagelijks dan elke geopend gesloten iedere maar morgen niet nog open openen ook sluiten tot"
        " tussen vandaag vanaf voor wanneer maandag dinsdag woensdag donderdag vrijdag zaterdag zondag"
    ),
    occasions="feestdag feestdagen avond middag",
    small_words=(
        "aan alle alleen als bedankt bij dat deze die dit een elke geen graag hallo hebben heeft heb het hier hoe hun"
        " jullie kan kunnen kunt maar mag meer met mijn moet naar niet nog nieuwe ons onze ook over pagina sectie site"
        " staan tekst tot uit van vanaf veel veranderen voor waar wanneer wat weer wel wij wijzigen wil worden wordt"
        " zal zich zijn zin zou"
    ),
    costs="kost kosten prijs prijzen nu",
    everywhere="overal|alle pagina's|elke pagina|iedere pagina|(?:hele|gehele) (?:web)?site",
    dollars="dollar",
    pounds="pond",
    francs="franken",
    euros="euro(?:'s)?",
    percent="procent",
    phone_labels="telefoon|telefoonnummer|tel|mobiel|fax",
    speaks_of_phone="telefoon|nummer|mobiel|fax",
    speaks_of_mail="mail|adres",
    speaks_of_link="link|website",
    speaks_of_account="rekening|iban|bank",
    speaks_of_code="code|nummer",
    speaks_of_look=(
        r"kleur|grootte|vetgedrukt|cursief|lettertype|verberg|opmaak|uiterlijk|achtergrond|centreer|groter|kleiner"
        r"|blauw|\brode\b|\brood\b|groen"
    ),
    moves=r"verplaats|wissel|volgorde|helemaal (?:naar )?(?:boven|onder)",
    addresses=r"{name}(?:straat|laan|plein|gracht|dijk|singel|dreef)\s{1,3}\d{1,4}\b(?:\s?[a-z]\b)?",
    streets_short=((r"straat\b", "str"),),
)
_AGENT = AgentWords(
    hours=(
        r"\bw(?:ij|e)\s(?:\w+\s)?(?:openen|sluiten)\b|\b(?:openen|sluiten|zijn)\sw(?:ij|e)\b|\bopenings(?:tijden|uren)\b"
        r"|\bgeopend\b"
    ),
    opens=r"openen|opent|geopend",
    closes=r"sluit\w*",
    closed="gesloten",
    in_doubt=(
        r"morgen|vandaag|vanavond|kerst\w*|pasen|pinksteren|feestdag\w*|niet|nooit|geen|wanneer|misschien|januari"
        r"|februari|maart|mei|augustus"
    ),
    around_hours=(
        "wij we openen sluiten nu om van tot vanaf uur geopend zijn onze ons nieuwe openingstijden op de het en ook"
        " alleen altijd elke graag voortaan in plaats"
    ),
    other_wishes="kost prijs telefoon telefoonnummer titel foto afbeelding toevoegen verwijderen",
    hour_words="een twee drie vier vijf zes zeven acht negen tien elf twaalf",
    before_time="om|vanaf|van|tot",
    until_time="tot",
    through_time="tot",
    part_of_day="middags|avonds|nachts",
    morning="ochtends",
    through_days="tot|tot en met|t/m",
    every_day="dagelijks|elke dag|iedere dag",
    working_days="doordeweeks|op werkdagen",
    weekends="in het weekend",
    phone=r"telefoon\w*",
    place_picture=(
        r"(?:zet|plaats|voeg)\s(?:u\s)?(?:de|deze|een)\s(?:nieuwe\s)?foto(?P<about>)\s(?:graag\s)?(?:op|aan)\sde\spagina\s"
        r"(?P<page>.{1,60}?)(?:\stoe)?"
    ),
    polite=r"graag|alstublieft|alsjeblieft|kunt\su|kun\sje|kunnen\sjullie|wilt\su|wil\sje|zou\s(?:u|je)",
    polite_last=r"graag|alstublieft|alsjeblieft|bedankt|dank\su|dank\sje",
    change=r"vervang\w*|wijzig\w*|verander\w*",
    into="door|in|met|naar",
    on_page="op",
    about_hours="geopend|openings(?:tijden|uren)",
    about_events=r"cursus\w*|workshops?|concert\w*|markt|proeverij\w*",
    call=r"telefoon\w*|bel|bellen",
    opens_at=r"openen\s(?:wij\s|we\s)?om|geopend\svanaf",
    closes_at=r"sluiten\s(?:wij\s|we\s)?om|geopend\stot",
    we_are=r"w(?:ij|e)\szijn(?:\s(?:nu|altijd|voortaan))?",
    closed_days=r"op\s\w+dagen|(?:elke|iedere)\s\w+dag",
    from_day="vanaf",
    from_terms="nu|vandaag|morgen",
    instead=r"in\splaats\svan",
    because="omdat|wegens",
    home="startpagina|homepagina|beginpagina",
    before_page="de|het|pagina|onze",
    behind_page="pagina",
)
DUTCH = Language(
    code="nl",
    name="Dutch",
    marker="antwoord boven deze regel",
    detected_by=(
        "het een van ons onze niet met voor op dat zijn wij we is nu graag bedankt hallo ook naar bij om uur maandag"
        " dinsdag woensdag donderdag vrijdag zaterdag zondag vanaf kunt deze dit wordt worden hebben heeft openen"
        " gesloten geopend nieuwe telefoonnummer pagina wijzigen beste groet groeten u tot maar ik jullie"
    ),
    when=_WHEN,
    replies=_REPLIES,
    programs=_PROGRAMS,
    letters=_LETTERS,
    site=_SITE,
    agent=_AGENT,
)
