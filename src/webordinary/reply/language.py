"""Which of our languages a person writes in, told by the small words that no sentence can do without."""

from __future__ import annotations

import re
from collections import defaultdict

_LONGEST = 4_000
_WORD = re.compile(r"[^\W\d_]+")
# So many small words are needed, and so many more than of any other language.
_ENOUGH = 2
_AHEAD = 1.5

# Words that belong to one of these languages only. The last three are not ours: who writes in them is answered in
# the language of the configuration, and not in the nearest neighbour of theirs.
_SMALL_WORDS = {
    "en": "the and we our you your is are was with from of at this that these it its not please now have has will be"
    " would should could can new open closed opening to on my hello hi thanks thank change put add remove page"
    " website they their as instead here there which what when",
    "de": "der die das den dem und wir unser unsere unseren ihr ihre ist sind war mit von vom auf für nicht bitte jetzt"
    " haben hat wird werden ein eine einen einem einer auch ab bei zu zur zum im am um statt öffnen ändern neue neuen"
    " neuer hallo danke seite ich sie uhr dass oder aber noch wie kann können soll sollen heute morgen uns"
    " geöffnet geschlossen montag dienstag mittwoch donnerstag freitag samstag sonntag viele grüße",
    "fr": "le les des et nous notre nos vous votre vos est sont avec pour dans sur pas merci maintenant avons ouvrons"
    " une du au aux ce cette ces il elle qui ne plus bonjour salut changer ajouter mettre peut pouvez"
    " je j l d c s n qu bien heures lundi mardi mercredi jeudi vendredi samedi dimanche fermé ouvert",
    "es": "el los las y nuestro nuestra nuestros nuestras usted su sus es está están son por pero hola gracias ahora"
    " tenemos abrimos una unos unas del al este esta estos estas muy más también hay horario cambiar poner añadir"
    " pueden quiero queremos lunes martes miércoles jueves viernes sábado domingo cerrado abierto página con",
    "it": "il gli di che non per sono della delle dei nel nella con è ci una orario apriamo grazie ciao siamo alle dal"
    " nostro nostra più anche questo questa lunedì martedì dalle",
    "pt": "o os as e do da dos das não em uma para com nosso nossa por favor obrigado obrigada olá são está às mais"
    " também agora abrimos segunda terça página",
    "nl": "de het een en van ons onze niet met voor op dat zijn wij we is nu graag bedankt hallo ook naar bij om uur"
    " maandag dinsdag vanaf",
}
_OURS = ("en", "de", "fr", "es")
_SPOKEN_IN: dict[str, list[str]] = {}
for _language, _words in _SMALL_WORDS.items():
    for _each in _words.split():
        _SPOKEN_IN.setdefault(_each, []).append(_language)


def detect_language(text: str) -> str | None:
    """Return the language of a text, or None when it is short, mixed or in none of ours."""
    score: defaultdict[str, float] = defaultdict(float)
    for word in _WORD.findall(text[:_LONGEST].casefold()):
        spoken_in = _SPOKEN_IN.get(word, [])
        for language in spoken_in:
            # A word of two languages says half as much about each of them.
            score[language] += 1 / len(spoken_in)
    if not score:
        return None
    (best, most), *others = sorted(score.items(), key=lambda each: (-each[1], each[0]))
    clear = most >= _ENOUGH and (not others or most >= _AHEAD * others[0][1])
    return best if clear and best in _OURS else None
