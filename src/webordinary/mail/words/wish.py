"""Whether a line asks for something: below two dashes that tells the rest of an order from a signature."""

from __future__ import annotations

import re

_MOST_WORDS = 14
_LONGEST_LINE = 200
_ITEM = re.compile(r"\s*(?:[-*\u2022\u00b7]\s|\d{1,2}[.)]\s)\s*\S")
# Verbs in the forms in which people ask for a change, and the words with which they ask politely.
_ASKS = re.compile(
    r"\b(?:please|pls|can\syou|could\syou|would\syou|we\s(?:need|want|would\slike)|i\s(?:need|want|would\slike)"
    r"|we\s(?:now\s)?(?:open|close)|wir\s(?:\u00f6ffnen|schlie\u00dfen|haben)|nous\s(?:ouvrons|fermons)|abrimos|cerramos"
    r"|(?:then|and|also|now|next)[,:]?\s(?:the|we|on|in|at|for)\b"
    r"|change|replace|add|remove|delete|update|put|move|show|hide|write|rename|swap|upload|publish|correct|insert|set"
    r"|bitte|kannst\sdu|k\u00f6nnt\sihr|k\u00f6nnten\ssie|k\u00f6nnen\ssie|wir\sbrauchen|wir\sm\u00f6chten|ich\sm\u00f6chte"
    r"|und\sdann|au\u00dferdem|\u00e4ndern?|\u00e4ndere|ersetzen?|erg\u00e4nzen?|hinzuf\u00fcgen|f\u00fcgen?|l\u00f6schen?|entfernen?"
    r"|tauschen?|schreiben?|schreib|stellen?|setzen?|austauschen|aktualisieren?|aktualisiere|korrigieren?|einf\u00fcgen"
    r"|s'il\s(?:vous|te)\spla\u00eet|svp|merci\sde|pouvez-vous|pourriez-vous|nous\svoulons|je\svoudrais|et\sensuite"
    r"|chang(?:ez|er)|remplac(?:ez|er)|ajout(?:ez|er)|supprim(?:ez|er)|enlev(?:ez|er)|mettez|mettre|modifi(?:ez|er)"
    r"|corrig(?:ez|er)|retir(?:ez|er)|\u00e9crivez|d\u00e9plac(?:ez|er)"
    r"|por\sfavor|puede[sn]?|podr\u00eda[sn]?|queremos|quiero|y\sdespu\u00e9s|adem\u00e1s"
    r"|cambi(?:a|ar|e|en)|reempla(?:za|zar|ce)|sustitu(?:ye|ir|ya)|a\u00f1ad(?:e|ir|a)|agreg(?:a|ar|ue)|borr(?:a|ar|e)"
    r"|elimin(?:a|ar|e)|quit(?:a|ar|e)|pon|poner|ponga|actuali(?:za|zar|ce)|corrig(?:e|ir)|corrija"
    r"|per\sfavore|cambiate|sostituire|sostituisci|aggiungi|aggiungere|togli|graag|verander|vervang|voeg|verwijder"
    r"|prosz\u0119|zmie\u0144|zamie\u0144|dodaj|usu\u0144|mude|mudar|substitu(?:a|ir)|adicion(?:e|ar)|remov(?:a|er))\b",
    re.IGNORECASE,
)
# What servers and careful people put below every mail.
_ENVIRONMENT = re.compile(
    r"(?:before\sprinting|think\sbefore\syou\sprint|umwelt|l'environnement|medio\sambiente|print\sthis\se?-?mail)",
    re.IGNORECASE,
)


def asks_for_something(line: str) -> bool:
    """Tell whether a line orders a change, is an item of a list, a question or a long sentence."""
    line = line.strip()
    if len(line) > _LONGEST_LINE or len(line.split(None, _MOST_WORDS)) > _MOST_WORDS or line.endswith("?"):
        return not _ENVIRONMENT.search(line[:_LONGEST_LINE])
    if _ITEM.match(line):
        return True
    return _ASKS.search(line) is not None and _ENVIRONMENT.search(line) is None
