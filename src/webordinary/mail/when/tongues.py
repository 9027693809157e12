"""The words with which people say when something holds, in each of our languages, as pieces of patterns.

All of them are matched against text in lower case with plain dashes, apostrophes and spaces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tongue:
    """One language: its calendar, its small words around dates, and the words that tell a wish from a mere fact."""

    language: str
    # Each list begins with January, or with Monday; "|" stands between spellings.
    months: tuple[str, ...]
    weekdays: tuple[str, ...]
    # How many days ahead a word means.
    ahead: tuple[tuple[str, int], ...]
    next_before: str
    next_after: str
    # Before a weekday or a date: "on Thursday the 24th".
    article: str
    of: str
    at: str
    oclock: str
    noon: str
    range_from: str
    range_to: str
    between: str
    between_and: str
    until: str
    since: str
    # Of those, the ones that may also stand behind what they do not begin: "remove the news from 1 May".
    loose_since: str
    onwards: str
    on: str
    including: str
    # What begins a clause of its own behind a comma, or adds another day: "…, that we …", "and on 1 January".
    that: str
    plus: str
    # "For ten days": how many, and the units, each with its days.
    lasting: str
    counts: tuple[tuple[str, int], ...]
    units: tuple[tuple[str, int], ...]
    # "We are closed": by itself such a sentence speaks of a while.
    closed: str
    # These only with a time of day: "open from May to October" is a fact.
    opens: str
    costs: str
    numbers: str
    # An order to change something; those of `moves` also stand before "from 3 May to 5 May" as a correction.
    orders: str
    moves: str
    adds: str
    publish: str
    take_down: str
    # The same said of what the mail asks for, so that it is an end also where nothing says when it begins.
    take_back: str
    polite: str
    # What makes a sentence a story, a doubt or a denial.
    no_wish: str
    # Whether the order may stand at the end: "… vom 1. bis 5. Mai anzeigen".
    order_last: bool = False
    # Whether 3/4 may also be the fourth of March.
    month_may_lead: bool = False


def _counted(*words: str) -> tuple[tuple[str, int], ...]:
    """Return the number of each word; the first is one."""
    return tuple((word, number) for number, word in enumerate(words, start=1))


ENGLISH = Tongue(
    language="en",
    months=(
        *("january|jan", "february|feb", "march|mar", "april|apr", "may", "june|jun", "july|jul", "august|aug"),
        *("september|sept|sep", "october|oct", "november|nov", "december|dec"),
    ),
    weekdays=(
        *("monday|mon", "tuesday|tues|tue", "wednesday|weds|wed", "thursday|thurs|thur|thu", "friday|fri"),
        *("saturday|sat", "sunday|sun"),
    ),
    ahead=(("the day after tomorrow", 2), ("tomorrow", 1), ("today", 0)),
    next_before="next|coming|this coming|this",
    next_after="(?!)",
    article="the",
    of="of",
    at="at",
    oclock=r"o'clock|am|pm|a\.m\.?|p\.m\.?|h",
    noon="noon|midday",
    range_from="from|starting on|starting|on",
    range_to="to|until|till|til|through|thru|up to",
    between="between",
    between_and="and",
    until="until|till|til|through|up to",
    since="from|starting from|starting on|starting|as of|as from|effective from|effective|beginning on|beginning",
    loose_since="from",
    onwards="onwards|onward|on",
    on="on",
    including="and including|including",
    that="that|because|as|since|we",
    plus="and|as well as",
    lasting="for",
    counts=_counted("a|one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    units=(("days?", 1), ("weeks?", 7), ("fortnight", 14)),
    closed=r"close(?! to)|clos(?:es|ed|ure)|shut|away|on (?:holidays?|vacation|leave)|company holidays?",
    opens=r"open(?:s|ed|ing)?|hours",
    costs=r"costs?|prices?",
    numbers="five|six|seven|eight|nine|ten|eleven|twelve|noon",
    orders=r"show|display|replace|hide|remove|take down|take off|put up|put|publish|use|swap|switch|make|close",
    moves="change|move|shift|update|set|rename",
    adds="add|insert|write|announce|post",
    publish=(
        r"publish (?:it|this|that|these|them|everything|all(?: of (?:it|this))?"
        r"|the (?:change|changes|page|text|notice))"
        r"|(?:it |this |that )?(?:should |shall |must |can )?go(?:es)? (?:live|online)"
        r"|(?:put|bring) (?:it|this|that|these|them|everything|the (?:change|changes|page|text|notice)) (?:live|online)"
    ),
    take_down=(
        r"(?:take|bring) (?:it|this|that|them) (?:down|back|off|offline)|(?:remove|delete|revert|undo) (?:it"
        r"|this|that|them)"
    ),
    take_back=(
        r"(?:take|bring) (?:it|this|that|them) (?:down|back|off|offline)|(?:remove|delete|revert|undo) (?:it|this|that"
        r"|them)"
    ),
    polite=(
        r"please|kindly|(?:can|could|would|will) you(?: please)?|also|and|then|hello|hi|thanks|thank you|only|just"
        r"|we (?:would )?(?:want|like) you to"
    ),
    no_wish=r"was|were|had|did|been|used to|not|never|no longer|cannot|if|whether|why|\w+n't",
    month_may_lead=True,
)
GERMAN = Tongue(
    language="de",
    months=(
        *("januar|jänner|jan", "februar|feber|feb", "märz|maerz|mrz|mär", "april|apr", "mai", "juni|jun", "juli|jul"),
        *("august|aug", "september|sept|sep", "oktober|okt", "november|nov", "dezember|dez"),
    ),
    weekdays=(
        *(
            "montag|mo",
            "dienstag|di",
            "mittwoch|mi",
            "donnerstag|do",
            "freitag|fr",
            "samstag|sonnabend|sa",
            "sonntag|so",
        ),
    ),
    ahead=(("übermorgen", 2), ("morgen", 1), ("heute", 0)),
    next_before=r"nächste[nrms]?|kommende[nrms]?|diese[nrms]?",
    next_after="(?!)",
    article="dem|den|der|einschließlich|inklusive|inkl",
    of="des|im",
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
    lasting="für",
    counts=_counted("ein|eine|einen", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"),
    units=(("tage?", 1), ("wochen?", 7)),
    closed=(
        r"geschlossen|schlie(?:ß|ss)en|(?:betriebs)?urlaub|zu(?=\W*$)"
        r"|(?:betriebs|weihnachts|sommer|herbst|winter|oster|pfingst|frühlings)?ferien"
    ),
    opens=r"öffnen|geöffnet|öffnungszeiten|offen|öffnet",
    costs=r"kostet|kosten|preise?",
    numbers="fünf|sechs|sieben|acht|neun|zehn|elf|zwölf",
    orders=(
        r"zeig\w*|ersetz\w*|tausch\w*|veröffentlich\w*|ausblend\w*|einblend\w*|entfern\w*|nimm|nehmt|nehmen"
        r"|anzeigen|zu ersetzen|austauschen|änder\w*|setz\w*|stell\w*"
    ),
    moves=r"verschieb\w*|verleg\w*",
    adds=r"schreib\w*|ergänz\w*|füg\w*|hinzufügen|ankündig\w*",
    publish=(
        r"veröffentlich\w*|online (?:stellen|gehen|nehmen|schalten)|freischalt\w*|live (?:stellen|gehen"
        r"|schalten)|(?:geht|gehen) (?:online|live)"
    ),
    take_down=r"(?:wieder )?(?:entfern\w*|weg\w*|zurück\w*|herunter\w*|löschen|offline nehmen|rausnehmen)",
    take_back=(
        r"wieder (?:entfern\w*|weg\w*|heraus\w*|herunter\w*|löschen|gelöscht|offline nehmen|rausnehmen)"
        r"|(?:entfern|lösch|nehm)\w* (?:sie )?(?:es|sie|ihn|das|dies|diese)"
    ),
    polite=r"bitte|könn(?:ten|t|en) (?:sie|ihr)|kannst du|auch|und|dann|hallo|guten tag|danke|vielen dank|nur",
    no_wish=r"war|waren|wurde|wurden|hatte|hatten|nicht|kein\w*|nie|wenn|falls|ob|warum",
    order_last=True,
)
FRENCH = Tongue(
    language="fr",
    months=(
        *("janvier|janv", "février|fevrier|févr|fév", "mars", "avril|avr", "mai", "juin", "juillet|juil", "août|aout"),
        *("septembre|sept", "octobre|oct", "novembre|nov", "décembre|decembre|déc|dec"),
    ),
    weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    ahead=(("après-demain", 2), ("demain", 1), ("aujourd'hui", 0)),
    next_before="ce",
    next_after="prochain",
    article="le|la",
    of="de",
    at="à|dès",
    oclock="heures|heure|h",
    noon="midi",
    range_from="du|de|à partir du|à partir de",
    range_to="au|à|jusqu'au|jusqu'à",
    between="entre",
    between_and="et",
    until="jusqu'au|jusqu'à|jusque",
    since="à partir du|à partir de|à compter du|à compter de|dès le|dès",
    loose_since="(?!)",
    onwards="(?!)",
    on="le",
    including="inclus",
    that="que|car|nous|parce que",
    plus="et|ainsi que",
    lasting="pendant|pour|durant",
    # "Huit jours" is a week for many, so it is asked about.
    counts=_counted("un|une", "deux", "trois", "quatre", "cinq", "six", "sept", "(?!)", "neuf", "dix"),
    units=(("jours?", 1), ("semaines?", 7)),
    closed=r"ferm(?:é|ée|és|ées|ons|erons|eture)|en vacances|congés?",
    opens=r"ouvr(?:ons|e|ent|ir)|ouverts?|ouvertes?|ouverture|horaires?",
    costs=r"coûtent|coûte|coute|prix|tarifs?",
    numbers="cinq|six|sept|huit|neuf|dix|onze|douze|midi",
    orders=r"affich\w*|remplac\w*|montr\w*|publi(?:er|ez|e)|masqu\w*|retir\w*|enlev\w*|mett(?:re|ez)|mets|utilis\w*",
    moves=r"chang\w*|modifi\w*|déplac\w*|pass(?:er|ez)",
    adds=r"ajout\w*|écri\w*|annonc\w*",
    publish=(
        r"publi(?:er|ez|e)(?:-le|-la|-les)?(?: (?:ceci|cela|le tout|la modification|les modifications|tout))?"
        r"|m(?:ettre|ettez|ets)(?:-le|-la|-les)? en ligne"
    ),
    take_down=r"(?:retir\w*|enlev\w*|supprim\w*|annul\w*)(?:-le|-la|-les)?",
    take_back=r"(?:retir|enlev|supprim)\w*-(?:le|la|les)|(?:le|la|les) (?:retirer|enlever|supprimer)",
    polite=(
        r"merci de|veuillez|s'il vous plaît|s'il te plaît|svp|stp|pouvez-vous|pourriez-vous|peux-tu|aussi|et"
        r"|puis|bonjour|merci|à|seulement|uniquement"
    ),
    no_wish=r"était|étions|étaient|avons été|ne|n'\w+|pas|jamais|si|pourquoi",
)
SPANISH = Tongue(
    language="es",
    months=(
        *("enero|ene", "febrero|feb", "marzo|mar", "abril|abr", "mayo|may", "junio|jun", "julio|jul", "agosto|ago"),
        *("septiembre|setiembre|sept|sep", "octubre|oct", "noviembre|nov", "diciembre|dic"),
    ),
    weekdays=("lunes", "martes", "miércoles|miercoles", "jueves", "viernes", "sábado|sabado", "domingo"),
    ahead=(("pasado mañana", 2), ("mañana", 1), ("hoy", 0)),
    next_before="próximo|este",
    next_after="próximo|que viene",
    article="el|la|día",
    of="de",
    at="a las|a la|a partir de las|desde las",
    oclock="horas|hora|h|am|pm",
    noon="mediodía",
    range_from="del|de|desde el|desde",
    range_to="al|a|hasta el|hasta",
    between="entre",
    between_and="y",
    until="hasta el|hasta",
    since="a partir del|a partir de|desde el|desde",
    loose_since="desde|desde el",
    onwards="en adelante",
    on="el",
    including="inclusive|incluido",
    that="que|porque|ya que",
    plus="y|así como",
    lasting="durante|por",
    counts=_counted("un|una", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez"),
    units=(("días?|dias?", 1), ("semanas?", 7)),
    closed=r"cerrad[oa]s?|cerramos|cerraremos|cierre|cerrará|(?:de|en) vacaciones",
    opens=r"abrimos|abriremos|abiert[oa]s?|abre|abrirá|apertura|horarios?",
    costs=r"cuestan?|costará|precios?",
    numbers="cinco|seis|siete|ocho|nueve|diez|once|doce|mediodía",
    orders=(
        r"muestr\w*|mostrar|sustitu\w*|reemplaz\w*|publi(?:car|que|quen|cad|ca)|quit\w*|pon(?:er|ga|gan|ed)?"
        r"|ocult\w*|retir\w*|us(?:ar|e|en|a|ad)"
    ),
    moves=r"cambi\w*|mov\w*|muev\w*|pas(?:ar|e|en|ad)",
    adds=r"añad\w*|escrib\w*|anunci\w*",
    publish=(
        r"public(?:ar|ad|a)(?:lo|la|los|las)?(?: (?:esto|todo|el cambio|los cambios))?|publíque\w*"
        r"|publique\w*|poner(?:lo|la)? en línea|subir(?:lo|la)?"
    ),
    take_down=r"(?:quit|retir|elimin|borr)\w*",
    take_back=r"(?:quit|quít|retir|retír|elimin|elimín|borr|bórr)\w*(?:lo|la|los|las)",
    polite=r"por favor|pued(?:e|en|es)|podría[ns]?|también|y|luego|hola|gracias|solo|sólo|solamente",
    no_wish=r"era|estaba|estuvo|estuvimos|fue|fuimos|no|nunca|si|por qué",
)
TONGUES = {each.language: each for each in (ENGLISH, GERMAN, FRENCH, SPANISH)}


def spaced(pattern: str) -> str:
    """Let one space in a pattern be any number of them in a mail."""
    return re.sub(r"\\s(?![*+?{])", r"\\s+", pattern.replace(r"\s?", r"\s*")).replace(" ", r"\s+")
