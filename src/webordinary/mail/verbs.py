"""The single words that a person can reply with and that need no agent.

A mail is a verb only if its first line is that word and nothing else (a full stop or an exclamation mark may
follow), and if no more than three short lines come after it, each a courtesy, a phone's own line, or one name
of at most two words; a business card may stand below. Anything else is an instruction: "ok but ..." asks for
something, "I do not approve" is no approval, and "ok" above another request must not publish while the request
is lost.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum

from webordinary.mail.card import without_card


class Verb(StrEnum):
    """What a person can ask for with one word."""

    OK = "ok"
    UNDO = "undo"
    STOP = "stop"
    STATUS = "status"
    AGAIN = "again"
    HELP = "help"


def _phrases(text: str) -> frozenset[str]:
    return frozenset(text.split("|"))


# English, German, French, Spanish; written without accents because people leave them out.
_WORDS = {
    Verb.OK: _phrases(
        "ok|okay|publish|approve|approved|veroffentlichen|veroeffentlichen|freigeben|freigegeben|publier|publiez|publie"
        "|d'accord|approuver|approuve|valider|valide|vale|publicar|publica|publique|aprobar|aprobado|apruebo|de acuerdo"
        "|aceptar",
    ),
    Verb.UNDO: _phrases(
        "undo|revert|ruckgangig|rueckgaengig|ruckgangig machen|rueckgaengig machen|zurucknehmen|zuruecknehmen"
        "|annuler|annulez|annule|deshacer|deshaz|deshazlo|revertir",
    ),
    Verb.STOP: _phrases(
        "stop|cancel|stopp|halt|abbrechen|anhalten|arreter|arretez|arrete|parar|pare|detener|cancelar|cancela"
    ),
    Verb.STATUS: _phrases("status|stand|statut|etat|estado"),
    Verb.AGAIN: _phrases(
        "again|try again|retry|nochmal|nochmals|noch mal|noch einmal|erneut|encore|reessayer|recommencer|a nouveau"
        "|reessayez|reintentar|repetir|otra vez|de nuevo",
    ),
    Verb.HELP: _phrases("help|hilfe|aide|ayuda"),
}
_VERBS = {word: verb for verb, words in _WORDS.items() for word in words}
_YES = _phrases(
    "yes|yep|yeah|yup|sure|of course|absolutely|ja|jawohl|jup|jep|klar|ja klar|naturlich|selbstverstandlich"
    "|oui|ouais|bien sur|oui bien sur|evidemment|si|claro|si claro|claro que si|por supuesto",
)
# What people say of a mail that they are asked about.
_MINE = _phrases(
    "it is|it was|i did|i do|it's me|it is me|it was me|that's me|that was me|i wrote it|i wrote this"
    "|i wrote that|it's mine|it is mine|it's from me|it is from me|that's right|correct|das bin ich"
    "|das war ich|ich bin es|ich bin's|ich war es|ich|ich war's|ich war das|die ist von mir|das ist von mir"
    "|sie ist von mir|ich habe das geschrieben|stimmt|das stimmt|ich habe sie geschrieben|habe ich|c'est moi"
    "|c'etait moi|c'est bien moi|c'etait bien moi|c'est de moi|c'est mon message|c'est exact|je l'ai ecrit"
    "|soy yo|fui yo|he sido yo|es mio|lo escribi yo|lo he escrito yo|es correcto|correcto",
)
# What people say to "Shall I publish it?" beside a yes, an ok or one of the words above.
_PUBLISH = _phrases(
    "publish it|publish this|publish that|you can publish it|you may publish it|go ahead|do it|put it live"
    "|make it live|put it online|go live|i approve|approve it|gerne|gern|sehr gerne|sehr gern"
    "|so veroffentlichen|jetzt veroffentlichen|veroffentliche es|veroffentlichen sie es"
    "|veroffentlichen sie das|kann so veroffentlicht werden|kann veroffentlicht werden|kann online"
    "|kann so online|online stellen|kann online gehen|kann live gehen|publiez-la|publiez-le|publiez la"
    "|publiez le|vous pouvez publier|vous pouvez la publier|vous pouvez le publier|avec plaisir|allez-y"
    "|mettez en ligne|mettez-la en ligne|publiquelo|publicalo|puede publicarlo|puedes publicarlo|adelante"
    "|hagalo",
)
_PRAISE = _phrases(
    "good|great|perfect|fine|wonderful|super|nice|excellent|looks good|looks great|looks perfect|looks fine"
    "|that's fine|all good|that looks good|this looks good|it looks good|gut|sehr gut|prima|toll|perfekt|passt"
    "|passt so|das passt|sieht gut aus|sieht super aus|sieht prima aus|alles gut|alles klar|parfait|tres bien"
    "|c'est parfait|c'est bon|c'est bien|bien|perfecto|muy bien|esta bien|todo bien|genial|estupendo",
)
# English words are known to everybody and show nothing; these are said in one language only.
_SHOWS = {
    "de": _phrases(
        "veroffentlichen|veroeffentlichen|freigeben|freigegeben|ruckgangig|rueckgaengig|ruckgangig machen|hilfe"
        "|rueckgaengig machen|zurucknehmen|zuruecknehmen|stopp|abbrechen|anhalten|stand|nochmal|nochmals|noch mal"
        "|noch einmal|erneut|ja|jawohl|jup|jep|ja klar|klar|naturlich|gerne|gern|sehr gerne|sehr gern",
    ),
    "fr": _phrases(
        "publier|publiez|d'accord|approuver|approuve|valider|valide|annuler|annulez|arreter|arretez|statut|etat"
        "|encore|reessayer|recommencer|a nouveau|aide|oui|ouais|bien sur|oui bien sur|avec plaisir|allez-y",
    ),
    "es": _phrases(
        "vale|publicar|publica|aprobar|aprobado|de acuerdo|aceptar|deshacer|deshaz|revertir|parar|detener|cancelar"
        "|estado|reintentar|repetir|otra vez|de nuevo|ayuda|si|claro|si claro|claro que si|por supuesto|adelante",
    ),
}
_HARMLESS = frozenset({Verb.STATUS, Verb.HELP})

_COURTESIES = _phrases(
    "thanks|thank you|thank you very much|thanks a lot|many thanks|thx|cheers|regards|best|best regards"
    "|bye|kind regards|best wishes|please|danke|danke schon|dankeschon|vielen dank|besten dank|bitte"
    "|herzlichen dank|grusse|gruss|viele grusse|liebe grusse|beste grusse|schone grusse|lg|vg|mfg"
    "|freundliche grusse|mit freundlichen grussen|merci|merci beaucoup|merci bien|cordialement"
    "|bien cordialement|salutations|svp|bonne journee|s'il vous plait|gracias|muchas gracias"
    "|mil gracias|saludos|un saludo|cordialmente|saludos cordiales|por favor",
)
_PHONE_LINE = re.compile(
    r"(?:sent from|get outlook for|von mein\w* \w+ gesendet|gesendet (?:von|mit)|envoye (?:de|depuis)"
    r"|enviado des?de)\b",
)
# Longer ones first: "thank you very much" ends with no other.
_POLITE = (
    *(
        "thank you very much",
        "thank you",
        "many thanks",
        "thanks",
        "please",
        "vielen dank",
        "besten dank",
        "danke",
        "bitte",
    ),
    *("s'il vous plait", "svp", "merci beaucoup", "merci", "muchas gracias", "gracias", "por favor"),
)
# Faces and hands that only greet, with the signs that choose their colour; a thumb alone is a yes.
_FRIENDLY = "👍👌✅🙏🙂😊😀😃😄😁😉🎉👏💪🤝🥰☺❤\ufe0f\u200d🏻🏼🏽🏾🏿"
_THUMBS = frozenset("👍👌✅")
_PAUSE = re.compile(r"[,.;!\u2013\u2014]+|\s-\s|:\s")
_QUOTES = "\"'*\u00ab\u00bb\u201e\u201c\u201d\u201a\u2018 "
_ENDINGS = ".,;!-\u2013\u2014 "
_MOST_LINES = 3
_LONGEST_LINE = 60
_MOST_NAMES = 2


def read_verb(own_words: str) -> Verb | None:
    """Return the verb that this mail consists of, or None when it is an instruction."""
    lines = _said(own_words)
    if not lines or len(lines) > 1 + _MOST_LINES:
        return None
    verb = _verb_alone(lines[0])
    return verb if verb and _are_courtesies(lines[1:]) else None


def is_yes(own_words: str) -> bool:
    """Tell whether this mail consists of a plain "yes, that was me", with nothing behind it that asks for more."""
    return _consists_of(_said(own_words), _YES | _MINE, _YES | _MINE)


def agrees(own_words: str) -> bool:
    """Tell whether this mail consists of a plain yes to "Shall I publish it?"; anywhere else it means nothing."""
    clear = _YES | _WORDS[Verb.OK] | _PUBLISH
    return _consists_of(_said(own_words), clear, clear | _PRAISE)


def language_of_word(own_words: str) -> str | None:
    """Return the language that a mail of one word shows, which is too short for its small words to tell."""
    if read_verb(own_words) is None and not agrees(own_words):
        return None
    parts = [part.strip(_QUOTES + _ENDINGS + "?") for part in _PAUSE.split(_folded(_said(own_words)[0]))]
    words = {part.partition(" ")[0] for part in parts} | set(parts)
    shown = [language for language, known in _SHOWS.items() if words & known]
    return shown[0] if len(shown) == 1 else None


def _consists_of(lines: list[str], clear: frozenset[str], known: frozenset[str]) -> bool:
    """Tell whether the first line says nothing but known things, one of them clear, and the others only greet."""
    if not lines or len(lines) > 1 + _MOST_LINES or len(lines[0]) > _LONGEST_LINE or "?" in lines[0]:
        return False
    parts = [_bare(part) for part in _PAUSE.split(_folded(lines[0]).strip(_QUOTES))]
    parts = [each for part in parts if part for each in _apart(part, clear, known)]
    return all(part in known for part in parts) and any(part in clear for part in parts) and _are_courtesies(lines[1:])


def _bare(part: str) -> str:
    """Return what is said without its courtesies."""
    part = part.strip(_QUOTES + _ENDINGS)
    if part in _COURTESIES:
        return ""
    begins = next((each for each in _POLITE if part.startswith(f"{each} ")), "")
    part = part.removeprefix(begins).strip()
    ends = next((each for each in _POLITE if part.endswith(f" {each}")), "")
    return part.removesuffix(ends).strip()


def _apart(part: str, clear: frozenset[str], known: frozenset[str]) -> tuple[str, ...]:
    """Return "yes publish it" as the two things that it says."""
    word, _, rest = part.partition(" ")
    rest = _bare(rest)
    return (word, rest) if part not in known and word in clear and rest in known else (part,)


def _said(own_words: str) -> list[str]:
    return [line.strip() for line in without_card(own_words.split("\n", 200)) if line.strip()]


def _verb_alone(line: str) -> Verb | None:
    if len(line) > _LONGEST_LINE:
        return None
    word = _folded(line).strip(_QUOTES)
    verb = _VERBS.get(word.rstrip(".! "))
    if verb is None and word.endswith("?"):
        # Asking "status?" can do no harm; "ok?" is a question and no approval.
        asked = _VERBS.get(word.rstrip("?! "))
        return asked if asked in _HARMLESS else None
    return verb


def _are_courtesies(lines: list[str]) -> bool:
    names = 0
    for line in lines:
        words = _folded(line).strip(_ENDINGS)
        if len(line) > _LONGEST_LINE:
            return False
        # Dashes above a name say nothing.
        if not words or words in _COURTESIES or _PHONE_LINE.match(words):
            continue
        names += 1
        if names > 1 or not _is_name(line):
            return False
    return True


def _is_name(line: str) -> bool:
    words = line.strip(_ENDINGS).split()
    return 1 <= len(words) <= _MOST_NAMES and all(word[0].isupper() and _is_name_word(word) for word in words)


def _is_name_word(word: str) -> bool:
    return all(letter.isalpha() or letter in "-.'\u2019" for letter in word)


def _folded(line: str) -> str:
    """Return the line in lower case without accents and friendly faces, with plain apostrophes."""
    line = line.strip()
    bare = line.strip(_FRIENDLY + " ")
    line = bare if bare or line[:1] not in _THUMBS else "yes"
    line = line.replace("\u2019", "'").replace("\u200b", "").replace("\ufeff", "").replace("ß", "ss")
    apart = unicodedata.normalize("NFKD", line.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter)).strip()
