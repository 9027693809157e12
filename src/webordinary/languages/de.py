"""German, as the program knows it."""

from __future__ import annotations

from webordinary.languages.agent_words import AgentWords
from webordinary.languages.language import NOTHING, Correspondence, Language, MailPrograms, Replies, SiteWords, When

_WHEN = When(
    months=(
        *("januar|jänner|jan", "februar|feber|feb", "märz|maerz|mrz|mär", "april|apr", "mai", "juni|jun"),
        *("juli|jul", "august|aug", "september|sept|sep", "oktober|okt", "november|nov", "dezember|dez"),
    ),
    weekdays=(
        *("montag|mo", "dienstag|di", "mittwoch|mi", "donnerstag|do", "freitag|fr", "samstag|sonnabend|sa"),
        "sonntag|so",
    ),
    ahead=(("übermorgen", 2), ("morgen", 1), ("heute", 0)),
    next_before="nächste[nrms]?|kommende[nrms]?|diese[nrms]?",
    next_after=NOTHING,
    article="dem|den|der|einschließlich|inklusive|inkl",
    ordinal=NOTHING,
    of="des|im",
    of_year="des|im",
    day_of="am|an|vom",
    at="um|ab",
    oclock="uhr|h",
    noon="mittags",
    range_from="vom|von|ab dem|ab",
    range_to="bis zum|bis einschließlich|bis inklusive|bis",
    between="zwischen",
    between_and="und",
    until="bis zum|bis einschließlich|bis inklusive|bis",
    since="ab sofort ab|ab dem|ab|von",
    loose_since="von",
    onwards="an",
    on="am|an",
    including="einschließlich|inklusive|inkl|und mit|mit",
    that="dass|daß|weil|da|wir",
    plus="und|sowie",
    joins="und|oder",
    lasting="für",
    counts=(
        *(("ein|eine|einen", 1), ("zwei", 2), ("drei", 3), ("vier", 4), ("fünf", 5), ("sechs", 6), ("sieben", 7)),
        *(("acht", 8), ("neun", 9), ("zehn", 10)),
    ),
    units=(("tage?", 1), ("wochen?", 7)),
    per="pro|in der",
    closed=(
        r"geschlossen|schlie(?:ß|ss)en|(?:betriebs)?urlaub|zu(?=\W*$)|(?:betriebs|weihnachts|sommer|herbst|winter"
        "|oster|pfingst|frühlings)?ferien"
    ),
    opens="öffnen|geöffnet|öffnungszeiten|offen|öffnet",
    costs="kostet|kosten|preise?",
    numbers="fünf|sechs|sieben|acht|neun|zehn|elf|zwölf",
    orders=(
        r"zeig\w*|ersetz\w*|tausch\w*|veröffentlich\w*|ausblend\w*|einblend\w*|entfern\w*|nimm|nehmt|nehmen"
        r"|anzeigen|zu ersetzen|austauschen|änder\w*|setz\w*|stell\w*"
    ),
    moves=r"verschieb\w*|verleg\w*",
    adds=r"schreib\w*|ergänz\w*|füg\w*|hinzufügen|ankündig\w*",
    publish=(
        r"veröffentlich\w*|online (?:stellen|gehen|nehmen|schalten)|freischalt\w*|live (?:stellen|gehen|schalten)"
        "|(?:geht|gehen) (?:online|live)"
    ),
    take_down=r"(?:wieder )?(?:entfern\w*|weg\w*|zurück\w*|herunter\w*|löschen|offline nehmen|rausnehmen)",
    take_back=(
        r"wieder (?:entfern\w*|weg\w*|heraus\w*|herunter\w*|löschen|gelöscht|offline nehmen|rausnehmen)|(?:entfern"
        r"|lösch|nehm)\w* (?:sie )?(?:es|sie|ihn|das|dies|diese)"
    ),
    polite="bitte|könn(?:ten|t|en) (?:sie|ihr)|kannst du|auch|und|dann|hallo|guten tag|danke|vielen dank|nur",
    no_wish=r"war|waren|wurde|wurden|hatte|hatten|nicht|kein\w*|nie|wenn|falls|ob|warum",
    shows="zeig",
    event=NOTHING,
    over="über|während",
    back="wieder",
    afterwards=r"wieder|gewohnt|normale?n?|üblich\w*|zurück|dieser zeit",
    to_be_read=r"(?:schreib|hinweis|ankündig|erwähn|sag|mitteil|informier|schild|zettel)\w*\b[^.;:]*\bdass\b",
    next_week="(?:in der |die )?(?:ganze )?(?:nächste[nr]?|kommende[nr]?) woche",
    this_week="(?:in )?diese[rn]? woche",
    weekend="(?:an )?(?:diese[ms]?|kommende[ns]?|am kommenden) wochenende",
    in_month="im|im ganzen|den ganzen",
    again="jede[nrms]?(?: zweite[nrms]?)? (?:{days}|woche|wochenende|monat|jahr|tag|morgen|abend)",
    vague=(
        "(?:über|an|zu|während|um)(?: die| den| der)? (?:weihnachten|ostern|pfingsten|silvester|neujahr"
        "|feiertagen?|weihnachtsfeiertagen?|festtagen?|jahreswechsel)|zwischen den jahren|im (?:sommer|winter"
        "|herbst|frühjahr|frühling)|(?:in den|während der) (?:sommer|winter|herbst|weihnachts|oster"
        "|pfingst)?ferien|(?:an |am )?(?:heiligabend|heiligen abend|silvester|neujahr|karfreitag|ostersonntag"
        r"|ostermontag)|(?:an|am) \d{1,2}\.|in (?:der )?(?:kw|kalenderwoche) \d{1,2}|nächste[ns]? (?:monat"
        "|wochenende|jahr)|(?:für )?(?:ein paar|einige|mehrere) (?:tage|wochen)"
    ),
    weekly="(?:{days})s",
    either="(?:am|übers|für das|fürs) wochenende",
    always="ab jetzt|ab sofort|von nun an|künftig|zukünftig|in zukunft|immer|dauerhaft|jetzt|nun|für immer",
    we="wir|ich",
    changes=r"änder\w*|ersetz\w*|tausch\w*|korrigier\w*|aktualisier\w*|setz\w*|lösch\w*|entfern\w*|erhöh\w*|senk\w*",
    also="auch|außerdem|ausserdem|zudem|ebenfalls|übrigens|zusätzlich",
    all_of_it="es|dies|alles",
    small=(
        "aber ab an auch bis bitte bleiben bleibt da danach danke das dass dem den der die doch du eher ein einen"
        " enden endet entschuldigung erst es euch für geht grüße gruß gut hallo ich ihr im in ist ja jetzt kann"
        " kannst lang lange länger lassen lass lasst liebe meinte mit möchte müssen nein nicht noch nun nur oder"
        " ok online schon sein sie sind sollen soll sondern statt stattdessen stehen so sorry stimmt tag tage und"
        " uns verlängern verlängere verlängert verschieben verschieb viele vielen von war wäre wir wird wollen"
        " zeigen zu zum"
    ),
    abbreviations=r"inkl|ca|nr|z\.b",
    order_last=True,
)
_REPLIES = Replies(
    ok="veroffentlichen|veroeffentlichen|freigeben|freigegeben",
    undo="ruckgangig|rueckgaengig|ruckgangig machen|rueckgaengig machen|zurucknehmen|zuruecknehmen",
    stop="stopp|halt|abbrechen|anhalten",
    status="stand",
    again="nochmal|nochmals|noch mal|noch einmal|erneut",
    help="hilfe",
    yes="ja|jawohl|jup|jep|klar|ja klar|naturlich|selbstverstandlich",
    mine=(
        "das bin ich|das war ich|ich bin es|ich bin's|ich war es|ich|ich war's|ich war das|die ist von mir"
        "|das ist von mir|sie ist von mir|ich habe das geschrieben|stimmt|das stimmt|ich habe sie geschrieben"
        "|habe ich"
    ),
    publish=(
        "gerne|gern|sehr gerne|sehr gern|so veroffentlichen|jetzt veroffentlichen|veroffentliche es"
        "|veroffentlichen sie es|veroffentlichen sie das|kann so veroffentlicht werden|kann veroffentlicht werden"
        "|kann online|kann so online|online stellen|kann online gehen|kann live gehen|von mir aus|von mir aus ok"
        "|von mir aus gerne|von meiner seite ok|von meiner seite aus ok|fur mich ok|fur mich in ordnung"
        "|fur mich passt es|fur mich passt das|ist ok|das ist ok|ist in ordnung|das ist in ordnung|in ordnung"
        "|einverstanden|bin einverstanden|ich bin einverstanden|so machen|bitte so machen|kann so raus"
        "|kann so bleiben|kann live|ok so|geht klar"
    ),
    praise=(
        "gut|sehr gut|prima|toll|perfekt|passt|passt so|das passt|passt perfekt|passt wunderbar|passt fur mich"
        "|das passt so|passt alles|alles passt|sieht gut aus|sieht super aus|sieht prima aus|sieht toll aus"
        "|sieht sehr gut aus|sieht perfekt aus|sieht klasse aus|das sieht gut aus|das sieht super aus|das ist gut"
        "|das ist super|klasse|wunderbar|hervorragend|ausgezeichnet|spitze|genau so|genau|gefallt mir"
        "|gefallt mir gut|hort sich gut an|klingt gut|bestens|optimal|gut so|alles richtig"
    ),
    no="nein|ne|nee|nein nein",
    doubt=(
        "vielleicht|spater|warte|bitte warten|moment|moment bitte|nicht sicher|weiss nicht|ich weiss nicht"
        "|bin nicht sicher|bin mir nicht sicher|alles gut|alles klar|verstanden|gesehen|na ja|naja|mal sehen"
        "|noch nicht|jetzt nicht"
    ),
    take_back=(
        "ruckgangig bitte|bitte ruckgangig|mach es ruckgangig|mach das ruckgangig|mach das wieder ruckgangig"
        "|machen sie es ruckgangig|machen sie das ruckgangig|machen sie das bitte ruckgangig"
        "|mach das bitte ruckgangig|das ruckgangig machen|es ruckgangig machen|das bitte ruckgangig machen"
        "|anderung ruckgangig machen|die anderung ruckgangig machen|wieder ruckgangig machen|nimm es zuruck"
        "|nimm das zuruck|nehmen sie es zuruck|nehmen sie das zuruck|anderung zurucknehmen"
        "|die anderung zurucknehmen|das zurucknehmen|rueckgaengig bitte|bitte rueckgaengig|mach es rueckgaengig"
        "|mach das rueckgaengig|das rueckgaengig machen|wie vorher|so wie vorher|wie es war|so wie es war"
        "|wie es vorher war|so wie es vorher war|wie zuvor|so wie zuvor|wieder wie vorher|wieder so wie vorher"
        "|wieder so wie es war|wieder wie es war|alles wie vorher|wie fruher|mach es wie vorher"
        "|mach es wieder wie vorher|machen sie es wie vorher|machen sie es wieder wie vorher"
        "|machen sie es wieder so wie vorher|mach es wieder so wie vorher|lass es wie es war"
        "|lassen sie es wie es war|lassen sie es so wie es war|lassen sie alles wie es war|den alten text zuruck"
        "|den alten text wieder|den alten text wieder rein|den alten text wieder einsetzen"
        "|den alten text wiederherstellen|alten text wiederherstellen|alten text wieder einsetzen"
        "|setzen sie den alten text wieder ein|setz den alten text wieder ein"
        "|stellen sie den alten text wieder her|stell den alten text wieder her|nehmen sie wieder den alten text"
        "|nimm wieder den alten text|wieder den alten text|wieder der alte text|die alte version wieder"
        "|die alte version wiederherstellen|alte version wiederherstellen|wieder die alte version"
        "|zuruck zur alten version|zuruck zum alten text|zuruck auf die alte version|zuruck zum alten stand"
        "|ich mochte den alten text zuruck|ich hatte gern den alten text zuruck|ich will den alten text zuruck"
        "|bitte zuruck|zuruck bitte"
    ),
    leave=(
        "stoppen|bitte stoppen|bitte stopp|bitte stop|nein stopp|nein stop|brich ab|brechen sie ab"
        "|brechen sie das ab|bitte abbrechen|das abbrechen|nicht veroffentlichen|bitte nicht veroffentlichen"
        "|das nicht veroffentlichen|noch nicht veroffentlichen|nicht online stellen|bitte nicht online stellen"
        "|nicht freigeben|nicht online|nicht veroeffentlichen|absagen|bitte absagen|stornieren|bitte stornieren"
        "|lass es|lassen sie es"
    ),
    reasons=(
        "das war falsch|es war falsch|das ist falsch|falsch|das war ein fehler|mein fehler|war ein fehler"
        "|entschuldigung|ich habe mich geirrt|ich habe mich vertan|war falsch|das war ein versehen|ein versehen"
    ),
    thanks=(
        "danke|danke schon|dankeschon|danke sehr|vielen dank|vielen lieben dank|lieben dank|besten dank"
        "|herzlichen dank|danke dir|danke ihnen|danke euch|tausend dank|danke fur die hilfe|danke fur ihre hilfe"
        "|vielen dank fur ihre hilfe|danke fur die schnelle hilfe|vielen dank fur die hilfe"
        "|vielen dank fur die schnelle hilfe|danke danke"
    ),
    courtesies=(
        "bitte|bitte schon|grusse|gruss|viele grusse|liebe grusse|beste grusse|schone grusse|lg|vg|mfg"
        "|freundliche grusse|mit freundlichen grussen|herzliche grusse|schonen tag|schonen tag noch|schonen abend"
    ),
    polite="bitte",
    greetings=(
        "hallo|hallo zusammen|hi zusammen|guten tag|guten morgen|guten abend|moin|servus|gruss gott|liebes team"
        "|hallo team"
    ),
    only_here=(
        "veroffentlichen|veroeffentlichen|freigeben|freigegeben|ruckgangig|rueckgaengig|ruckgangig machen|hilfe"
        "|rueckgaengig machen|zurucknehmen|zuruecknehmen|stopp|abbrechen|anhalten|stand|nochmal|nochmals|noch mal"
        "|noch einmal|erneut|ja|jawohl|jup|jep|ja klar|klar|naturlich|gerne|gern|sehr gerne|sehr gern|nein|passt"
        "|danke|vielen dank|bitte|nicht veroffentlichen|sieht gut aus|perfekt|einverstanden|in ordnung"
    ),
    own_letters=NOTHING,
    everywhere="überall|ueberall",
    choice="nr|nummer|variante|version|vorschlag|antwort|die|der|das|den",
    nth=(
        *("erste|ersten|erster|erstes", "zweite|zweiten|zweiter|zweites", "dritte|dritten|dritter|drittes"),
        *("vierte|vierten|vierter|viertes", "funfte|funften|funfter|funftes"),
    ),
)
_PROGRAMS = MailPrograms(
    wrote="schrieb|schreibt|geschrieben",
    originals="ursprüngliche nachricht|originalnachricht|original-nachricht|ursprüngliche e-mail",
    forwards="weitergeleitete nachricht|anfang der weitergeleiteten nachricht|anfang der weitergeleiteten e-mail",
    authors="von|absender",
    subjects="betreff",
    answered="aw|antw|antwort",
    forwarded="wg",
    phone_lines=(
        "von mein(?:em|er)(?:/meiner)? {any}{device}{rest} gesendet|von {app}{where} gesendet|von (?:{device}"
        "|tablet)(?:-tablet)? gesendet|gesendet (?:von|mit|über) (?:mein(?:em|er) |der |dem )?{any}{thing}{rest}"
        "|diese nachricht wurde von mein(?:em|er) {any}{device}{rest} gesendet|{app}{where} (?:beziehen"
        "|herunterladen)|holen sie sich {app}{where}"
    ),
    phone_where="für|auf|unter",
    absences=(
        "unzustellbar|abwesenheitsnotiz|abwesenheitsnachricht|abwesenheitsmeldung|automatische antwort"
        "|automatische abwesenheitsnotiz|abwesenheitsbenachrichtigung|urlaubsmeldung|urlaubsnotiz"
        "|abwesenheitsassistent|autoantwort"
    ),
    perhaps_absences="abwesend|abwesenheit|urlaub",
    is_absent="ist (?:zurzeit |derzeit )?nicht im büro",
    of_itself=(
        "dies ist eine automatisch(?:e| (?:generierte|erstellte|erzeugte|versendete)) (?:antwort|nachricht"
        "|e-?mail|mail|mitteilung|eingangsbestätigung)|diese (?:e-?mail|mail|nachricht|antwort) (?:wurde"
        "|ist) automatisch (?:erstellt|erzeugt|generiert|versendet|verschickt)"
    ),
    ticket="anfrage|vorgang",
    received=(
        r"(?:anfrage|nachricht|ticket|vorgang)\b.{0,60}\b(?:ist eingegangen|wurde (?:erstellt|angelegt|erfasst"
        "|eröffnet)|erhalten)"
    ),
    notice=("nachricht", "vertraulich|rechtlich geschützt", "adressat|empfänger", "lösch|vernicht|unbefugt"),
    scanned=(
        r"virenfrei\.?\s?(?:www\.)?(?:avast|avg)\.com.{0,300}|diese e-?mail wurde von.{0,200}(?:vir(?:us|en)"
        "|malware).{0,300}"
    ),
    environment="umwelt",
)
_LETTERS = Correspondence(
    greetings=r"hallo|guten\s(?:tag|morgen|abend)|moin|servus|liebe[rs]?|sehr\sgeehrte\w*",
    sign_offs=(
        r"(?:mit\s)?(?:(?:freundlich|best|lieb|viel|schön|herzlich)e[nr]?\s){0,2}(?:grüßen?|grüssen?|gruß|gruss"
        "|gruesse|gruessen)|mfg|lg|vg|servus"
    ),
    thanks=r"(?:(?:best|lieb|viel|schön|herzlich)en\s){0,2}dank|danke",
    asks=(
        r"wir\s(?:öffnen|schließen|haben)|bitte|kannst\sdu|könnt\sihr|könnten\ssie|können\ssie|wir\sbrauchen"
        r"|wir\smöchten|ich\smöchte|und\sdann|außerdem|ändern?|ändere|ersetzen?|ergänzen?|hinzufügen|fügen?"
        "|löschen?|entfernen?|tauschen?|schreiben?|schreib|stellen?|setzen?|austauschen|aktualisieren?"
        "|aktualisiere|korrigieren?|einfügen"
    ),
    labels=r"tel(?:efon|efax|\.?\s?nr)|fon|mobiltelefon|handy|büro|durchwahl",
    mail_labels="(?:e-?)?mail",
    streets=(
        r"(?:[^\W\d_][\w.'\u2019-]*\s){0,4}?[^\W\d_]*(?:stra(?:ß|ss)e|str\.|weg|platz|gasse|allee|ring|ufer|damm"
        r"|markt|hof)\s?\d{1,4}\s?[a-z]?(?:\s?-\s?\d{1,4})?"
    ),
    title_prefixes=r"stv\.|stellvertretende[rn]?",
    titles=(
        "geschäftsführ(?:er|erin|ung)|inhaber(?:in)?|prokurist(?:in)?|leiter(?:in)?|assistenz|sekretariat"
        "|küchenchef(?:in)?"
    ),
    registers=(
        r"geschäftsführ(?:er|erin|ung)|amtsgericht|registergericht|handelsregister|hr[ab]|ust-?\s?id(?:-?nr\.?)?"
        r"|steuernummer|sitz(?:\sder\sgesellschaft)?"
    ),
    names_join="von|der|und",
    name_titles=r"i\.\s?[AV]|ppa|[Dd]r|[Pp]rof|mag|dipl\.-\w{2,6}|herr|frau",
    spoken_of=(
        "adress|anschrift|kontakt|telefon|handy|nummer|rufnummer|impressum|kolleg|mitarbeiter|fußzeile|fusszeile"
        "|unten|folgend|umzug|umgezogen|ziehen|neu|hinzu"
    ),
    no_name="öffnungszeit|geöffnet|geschlossen|ruhetag|bitte|ändern",
    pictures="foto|bild",
    speaks_of_pictures="foto|grafi|bild|anhang|angehängt|anbei",
    nth_picture=("erste", "zweite", "dritte", "vierte", "fünfte", "letzte|andere"),
    picture_shows="zeigt|zeigen",
    picture_of="von|vom|der|unserer|unseres",
    picture_goes="auf|für",
    the="das|die",
    articles="unsere?n?|der|die|das|den|mein",
    pointing="das",
    is_="ist|sind",
    it="es|sie",
    and_="und",
    no_caption=r"bitte|setz\w*|stell\w*|seite|dank\w*|grüße",
    notice_closed=r"geschlossen|betriebsferien|betriebsurlaub|(?:im|in)\s+urlaub",
    notice_orders=r"bitte|schreib\w*|zeig\w*|setz\w*|änder\w*|ersetz\w*",
    relative_days=r"heute|(?:über)?morgen|nächste\w*|kommende\w*|diese\w*",
)
_SITE = SiteWords(
    few=(
        "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn"
        " siebzehn achtzehn neunzehn"
    ),
    tens="zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    compound="{unit}und{ten}",
    one="ein",
    hundreds="{unit}hundert",
    thousands="{unit}tausend",
    more_numbers=(("hundert", 100),),
    too_common="null",
    in_context=NOTHING,
    noons="mittag",
    midnights="mitternacht",
    half_past=NOTHING,
    quarter_past=NOTHING,
    quarter_to=NOTHING,
    half_past_before=NOTHING,
    half_to_before="halb",
    quarter_past_before="viertel nach",
    quarter_to_before="viertel vor|dreiviertel",
    early="morgens|früh|vormittags",
    late="nachmittags|abends|am abend|am nachmittag|nachts",
    oclock="uhr",
    before_times="gegen um",
    after_times=(
        "aber als auf auch bis dann für heute immer jeden jetzt morgen nicht nur oder statt täglich und von"
        " wieder montag montags dienstag dienstags mittwoch mittwochs donnerstag donnerstags freitag freitags"
        " samstag samstags sonntag sonntags werktags geöffnet geschlossen offen öffnen schließen"
    ),
    occasions="feiertag mittags abends",
    small_words=(
        "bitte danke dann dass diese diesen eine einen einer haben hallo ihre jetzt kann machen mehr nicht noch"
        " oder seite sehr sich sind unser unsere wird wurde aus bei das dem den der des die ein für hat ist mit"
        " nur und uns von wir zum zur als auf ich ihr man sie vor wer wie"
    ),
    costs="kostet kosten preis jetzt",
    everywhere="überall|all(?:e|en|er) seiten|jede[rn]? seite|ganzen? (?:web)?(?:site|seite)",
    dollars="dollar",
    pounds="pfund",
    francs="franken",
    euros="euro",
    percent="prozent",
    phone_labels="tel|telefon|fon|fax|mobil|handy|nummer",
    speaks_of_phone=r"fon\b|telefon|nummer|handy",
    speaks_of_mail="adresse",
    speaks_of_link="link",
    speaks_of_account="konto",
    speaks_of_code="krypto|nummer",
    speaks_of_look=(
        "farb|größ|gross|fett|kursiv|schrift|versteck|ausblend|aussehen|gestalt|zentrier|hintergrund|kleiner|blau"
        r"|rot\b|grün"
    ),
    moves=r"verschieb|verschoben|tausche?n?|reihenfolge|ganz nach (?:oben|unten)\b",
    addresses=(
        r"{name}(?:straße|strasse|str\.|gasse|allee|platz)\s{1,3}\d{1,4}\b(?:\s?[a-z]\b)?|{name}[ -](?:Straße"
        r"|Strasse|Str\.|Gasse|Allee|Platz)\s{1,3}\d{1,4}\b(?:\s?[a-z]\b)?"
    ),
    streets_short=((r"straße|strasse|str\.", "str"),),
)
_AGENT = AgentWords(
    hours=(
        r"\bwir\s(?:\w+\s)?(?:öffnen|schlie(?:ß|ss)en|machen)\b|\b(?:öffnen|schlie(?:ß|ss)en|haben|sind)\swir\b"
        r"|öffnungszeit|\bgeöffnet\b"
    ),
    opens=r"öffn\w*|geöffnet|auf",
    closes=r"schlie(?:ß|ss)\w*|zu",
    closed="geschlossen",
    in_doubt=(
        r"heute|morgen(?=[\s,]\w)|weihnacht\w*|ostern|feiertag\w*|januar|februar|märz|juni|juli|oktober|dezember"
        r"|nicht|nie|kein\w*|wenn|falls"
    ),
    around_hours=(
        "wir öffnen schließen jetzt ab um und unser unsere neuen neue öffnungszeiten sind lauten von bis uhr"
        " immer am haben geöffnet künftig nun machen auf zu der die das bitte"
    ),
    other_wishes="kostet preis nummer telefon",
    hour_words=(
        "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn"
        " siebzehn achtzehn neunzehn zwanzig"
    ),
    before_time="um|ab|bis|von|gegen",
    until_time="bis",
    through_time="bis",
    part_of_day="nachmittags?|abends?",
    morning="morgens|vormittags?",
    through_days="bis",
    every_day="täglich",
    working_days="werktags?",
    weekends="am wochenende",
    phone=r"telefon\w*|rufnummer",
    place_picture=(
        r"(?:(?:setz|stell|nehm|pack)\w{1,3}\s(?:sie\s)?)?(?:das|dieses|unser)\s(?:neue\s|neues\s)?(?:foto"
        r"|bild)(?P<about>)\s(?:bitte\s)?(?:auf|in)\sdie\sseite\s(?P<page>.{1,60}?)(?:\s(?:setzen|stellen"
        "|nehmen))?"
    ),
    polite=r"bitte|könnten\ssie|könnt\sihr|kannst\sdu",
    polite_last="bitte|danke",
    change=r"ersetz\w*|änder\w*|aender\w*|tausch\w*",
    into="zu|auf|in|durch|gegen|mit",
    on_page="auf",
    about_hours=r"geöffnet|öffnungszeit\w*",
    about_events=r"kurs\w*|treffen|konzert\w*|markt",
    call=r"telefon|ruf\w*|anruf\w*",
    opens_at=r"öffnen\s(?:wir\s)?um|geöffnet\sab",
    closes_at=r"schließen\s(?:wir\s)?um",
    we_are=r"(?:wir|hier)(?:\s(?:haben|sind))?(?:\s(?:jetzt|ab\ssofort))?",
    closed_days=r"(?:jeden\s)?\w+(?:tags|woch)",
    from_day="ab",
    from_terms=r"sofort|heute|morgen|nächster\swoche",
    instead="statt|anstatt",
    because="weil|wegen",
    home="startseite",
    before_page="auf|der|die",
    behind_page="seite",
)
GERMAN = Language(
    code="de",
    name="German",
    marker="bitte oberhalb dieser Zeile antworten",
    detected_by=(
        "der die das den dem und wir unser unsere unseren ihr ihre ist sind war mit von vom auf für nicht bitte"
        " jetzt haben hat wird werden ein eine einen einem einer auch ab bei zu zur zum im am um statt öffnen"
        " ändern neue neuen neuer hallo danke seite ich sie uhr dass oder aber noch wie kann können soll sollen"
        " heute morgen uns geöffnet geschlossen montag dienstag mittwoch donnerstag freitag samstag sonntag viele"
        " grüße"
    ),
    when=_WHEN,
    replies=_REPLIES,
    programs=_PROGRAMS,
    letters=_LETTERS,
    site=_SITE,
    agent=_AGENT,
)
