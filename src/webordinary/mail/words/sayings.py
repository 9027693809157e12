"""The closed lists of what people reply: whole phrases, in lower case and without accents, and nothing that is guessed.

A phrase that is missing here costs an agent's time; one that should not be here publishes what nobody wanted.
"""

from __future__ import annotations

from typing import Final


def _phrases(text: str) -> frozenset[str]:
    return frozenset(text.split("|"))


YES: Final = _phrases(
    "yes|yep|yeah|yup|sure|of course|absolutely|ja|jawohl|jup|jep|klar|ja klar|naturlich|selbstverstandlich"
    "|oui|ouais|bien sur|oui bien sur|evidemment|si|claro|si claro|claro que si|por supuesto"
    "|certo|si certo|certamente|zeker|ja zeker|natuurlijk|tak|oczywiscie|sim|sim claro|com certeza|yes yes",
)
# What people say of a mail that they are asked about.
MINE: Final = _phrases(
    "it is|it was|i did|i do|it's me|it is me|it was me|that's me|that was me|i wrote it|i wrote this"
    "|i wrote that|it's mine|it is mine|it's from me|it is from me|that's right|correct|das bin ich"
    "|das war ich|ich bin es|ich bin's|ich war es|ich|ich war's|ich war das|die ist von mir|das ist von mir"
    "|sie ist von mir|ich habe das geschrieben|stimmt|das stimmt|ich habe sie geschrieben|habe ich|c'est moi"
    "|c'etait moi|c'est bien moi|c'etait bien moi|c'est de moi|c'est mon message|c'est exact|je l'ai ecrit"
    "|soy yo|fui yo|he sido yo|es mio|lo escribi yo|lo he escrito yo|es correcto|correcto",
)
# What people say to "Shall I publish it?" beside a yes, an ok or one of the words above.
PUBLISH: Final = _phrases(
    "publish it|publish this|publish that|you can publish it|you may publish it|go ahead|do it|put it live"
    "|make it live|put it online|go live|i approve|approve it|gerne|gern|sehr gerne|sehr gern"
    "|so veroffentlichen|jetzt veroffentlichen|veroffentliche es|veroffentlichen sie es"
    "|veroffentlichen sie das|kann so veroffentlicht werden|kann veroffentlicht werden|kann online"
    "|kann so online|online stellen|kann online gehen|kann live gehen|publiez-la|publiez-le|publiez la"
    "|publiez le|vous pouvez publier|vous pouvez la publier|vous pouvez le publier|avec plaisir|allez-y"
    "|mettez en ligne|mettez-la en ligne|publiquelo|publicalo|puede publicarlo|puedes publicarlo|adelante"
    "|hagalo|ok from my side|ok from me|ok for me|ok by me|ok with me|it's ok|that's ok|this is ok|it is ok|all ok"
    "|good to go|ready to go|ready to publish|ok to publish|fine by me|fine with me|fine for me|fine from my side"
    "|good from my side|good for me|works for me|approved from my side|you have my ok|you can go live"
    "|please go live|von mir aus|von mir aus ok|von mir aus gerne|von meiner seite ok|von meiner seite aus ok"
    "|fur mich ok|fur mich in ordnung|fur mich passt es|fur mich passt das|ist ok|das ist ok|ist in ordnung"
    "|das ist in ordnung|in ordnung|einverstanden|bin einverstanden|ich bin einverstanden|so machen|bitte so machen"
    "|kann so raus|kann so bleiben|kann live|ok so|geht klar|ok pour moi|c'est ok|c'est ok pour moi"
    "|bon pour moi|c'est bon pour moi|je suis d'accord|je valide|j'approuve|vous pouvez y aller|on publie"
    "|por mi ok|ok por mi parte|por mi parte ok|esta ok|estoy de acuerdo|de acuerdo por mi parte|puede publicarse"
    "|por mi bien|por mi parte bien|conforme"
    "|va bene|va bene cosi|d'accordo|sono d'accordo|pubblica|pubblicalo|pubblicatelo|pubblicare|potete pubblicare"
    "|puoi pubblicare|puo pubblicare|procedi|procedete|approvato|per me va bene|per me ok|ok per me|a posto"
    "|graag|akkoord|ik ga akkoord|is goed|dat is goed|doe maar|publiceer|publiceren|publiceer het|publiceer maar"
    "|mag online|mag live|mag gepubliceerd worden|wat mij betreft ok|wat mij betreft akkoord|goedgekeurd"
    "|zgoda|zgadzam sie|opublikuj|opublikowac|publikuj|mozna publikowac|mozna opublikowac|prosze opublikowac"
    "|prosze publikowac|zatwierdzam|akceptuje|w porzadku|moze byc"
    "|pode publicar|podem publicar|publica|publique|pode ser|concordo|estou de acordo|de acordo|aprovado|aprovo"
    "|por mim ok|por mim tudo bem|pode avancar|avance|esta bem",
)
# What people say of a change that they like; it is an ok only below the mail that asks for one.
PRAISE: Final = _phrases(
    "good|great|perfect|fine|wonderful|super|excellent|brilliant|fantastic|awesome|lovely|beautiful|amazing"
    "|looks good|looks great|looks perfect|looks fine|looks nice|looks fantastic|looks amazing|looks lovely"
    "|looks wonderful|looks excellent|looks super|looks right|looks good to me|looks great to me|looks fine to me"
    "|that's fine|that's perfect|that's great|this is perfect|this is great|it's perfect|it is perfect|it's great"
    "|that looks good|this looks good|it looks good|that looks great|this looks great|it looks great|it looks perfect"
    "|this looks perfect|that looks perfect|sounds good|sounds great|sounds perfect|very good|very nice|well done"
    "|great job|good job|great work|good work|exactly|exactly right|just right|i like it|i love it|love it|lgtm"
    "|gut|sehr gut|prima|toll|perfekt|passt|passt so|das passt|passt perfekt|passt wunderbar|passt fur mich"
    "|das passt so|passt alles|alles passt|sieht gut aus|sieht super aus|sieht prima aus|sieht toll aus"
    "|sieht sehr gut aus|sieht perfekt aus|sieht klasse aus|das sieht gut aus|das sieht super aus|das ist gut"
    "|das ist super|klasse|wunderbar|hervorragend|ausgezeichnet|spitze|genau so|genau|gefallt mir|gefallt mir gut"
    "|hort sich gut an|klingt gut|bestens|optimal|gut so|alles richtig"
    "|parfait|tres bien|c'est parfait|c'est bon|c'est bien|c'est tres bien|bien|super bien|excellent travail"
    "|impeccable|magnifique|genial|formidable|ca me va|cela me va|ca me convient|cela me convient|tres joli"
    "|ca marche|nickel|c'est super|exactement"
    "|perfecto|muy bien|esta bien|esta perfecto|estupendo|queda bien|queda perfecto|se ve bien|se ve genial"
    "|me gusta|me parece bien|me parece perfecto|excelente|fenomenal|suena bien|esta genial|exacto|asi esta bien"
    "|perfetto|ottimo|benissimo|molto bene|eccellente|bellissimo|mi piace|tutto bene|e perfetto|fantastico"
    "|goed|heel goed|prima zo|perfect zo|mooi|heel mooi|top|uitstekend|geweldig|ziet er goed uit"
    "|ziet er mooi uit|dat ziet er goed uit|klinkt goed|helemaal goed"
    "|dobrze|bardzo dobrze|swietnie|idealnie|doskonale|pieknie|wyglada dobrze|wyglada swietnie|jest ok|podoba mi sie"
    "|perfeito|otimo|muito bem|muito bom|excelente trabalho|esta perfeito|esta otimo|gostei|ficou otimo|ficou bom"
    "|ficou perfeito",
)
# A plain no says what is not wanted, but not what becomes of what waits.
NO: Final = _phrases("no|nope|nein|ne|nee|non|nie|nao|no no|nein nein")
# Neither a yes nor a no, or both: below our question they are asked about.
DOUBT: Final = _phrases(
    "maybe|perhaps|not yet|not now|not sure|i'm not sure|i am not sure|i don't know|later|wait|please wait|one moment"
    "|hold on|hm|hmm|mm|hmmm|nice|interesting|all good|alright|all right|i see|got it|understood|noted|seen|received"
    "|let me think|vielleicht|spater|warte|bitte warten|moment|moment bitte|nicht sicher|weiss nicht|ich weiss nicht"
    "|bin nicht sicher|bin mir nicht sicher|alles gut|alles klar|verstanden|gesehen|na ja|naja|mal sehen|noch nicht"
    "|jetzt nicht|peut-etre|pas encore|pas maintenant|plus tard|attendez|un moment|je ne sais pas|compris"
    "|bien recu|tout va bien"
    "|quiza|quizas|tal vez|todavia no|aun no|mas tarde|espere|espera|un momento|no se|no estoy seguro"
    "|no estoy segura|entendido|todo bien|recibido|forse|non ancora|piu tardi|misschien|nog niet|moze|jeszcze nie"
    "|talvez|ainda nao",
)
UNDO: Final = _phrases(
    "undo it|undo this|undo that|undo the change|undo this change|undo that change|undo the last change"
    "|please undo|revert it|revert this|revert that|revert the change|revert this change|take it back|take this back"
    "|take that back|take the change back|put it back|change it back|roll it back|roll back|could you undo this"
    "|ruckgangig bitte|bitte ruckgangig|mach es ruckgangig|mach das ruckgangig|mach das wieder ruckgangig"
    "|machen sie es ruckgangig|machen sie das ruckgangig|machen sie das bitte ruckgangig|mach das bitte ruckgangig"
    "|das ruckgangig machen|es ruckgangig machen|das bitte ruckgangig machen|anderung ruckgangig machen"
    "|die anderung ruckgangig machen|wieder ruckgangig machen|nimm es zuruck|nimm das zuruck|nehmen sie es zuruck"
    "|nehmen sie das zuruck|anderung zurucknehmen|die anderung zurucknehmen|das zurucknehmen"
    "|rueckgaengig bitte|bitte rueckgaengig|mach es rueckgaengig|mach das rueckgaengig|das rueckgaengig machen"
    "|annulez cela|annulez ca|annulez la modification|annuler la modification|annulez cette modification|annule ca"
    "|annuler cette modification|annulez tout|revenez en arriere|revenir en arriere|annulez-la|annulez-le"
    "|deshaz esto|deshaz el cambio|deshacer el cambio|deshaga el cambio|deshaga esto|deshagalo|deshacer esto"
    "|deshacer este cambio|revierte el cambio|revertir el cambio|revierta el cambio"
    "|annulla|annullare|annulla la modifica|ongedaan maken|maak het ongedaan|maak dit ongedaan|draai het terug"
    "|cofnij|cofnac|cofnij to|desfazer|desfaz|desfaca|desfaca isso"
    # What stood there before is to be there again.
    "|as it was|as it was before|as before|like before|like it was|like it was before|the way it was|how it was before"
    "|the way it was before|back to how it was|back to the way it was|back to what it was|back to the old text"
    "|back to the old version|put the old text back|put back the old text|put the old version back|put the old one back"
    "|put back the old version|put it back as it was|put it back the way it was|put it back to how it was"
    "|put it back like it was|put everything back|put everything back as it was|change it back to how it was"
    "|change it back to the old text|change it back as it was|make it as it was|make it as it was before"
    "|make it like it was before|make it like before|restore it|restore the old text|restore the old version"
    "|restore the previous text|restore the previous version|bring back the old text|bring the old text back"
    "|bring back the old version|go back to the old text|go back to the old version|go back to how it was"
    "|i want the old text back|i want the old version back|i would like the old text back"
    "|leave it as it was|keep it as it was|leave it like it was|leave everything as it was"
    "|wie vorher|so wie vorher|wie es war|so wie es war|wie es vorher war|so wie es vorher war|wie zuvor|so wie zuvor"
    "|wieder wie vorher|wieder so wie vorher|wieder so wie es war|wieder wie es war|alles wie vorher|wie fruher"
    "|mach es wie vorher|mach es wieder wie vorher|machen sie es wie vorher|machen sie es wieder wie vorher"
    "|machen sie es wieder so wie vorher|mach es wieder so wie vorher|lass es wie es war|lassen sie es wie es war"
    "|lassen sie es so wie es war|lassen sie alles wie es war|den alten text zuruck|den alten text wieder"
    "|den alten text wieder rein|den alten text wieder einsetzen|den alten text wiederherstellen"
    "|alten text wiederherstellen|alten text wieder einsetzen|setzen sie den alten text wieder ein"
    "|setz den alten text wieder ein|stellen sie den alten text wieder her|stell den alten text wieder her"
    "|nehmen sie wieder den alten text|nimm wieder den alten text|wieder den alten text|wieder der alte text"
    "|die alte version wieder|die alte version wiederherstellen|alte version wiederherstellen|wieder die alte version"
    "|zuruck zur alten version|zuruck zum alten text|zuruck auf die alte version|zuruck zum alten stand"
    "|ich mochte den alten text zuruck|ich hatte gern den alten text zuruck|ich will den alten text zuruck"
    "|bitte zuruck|zuruck bitte"
    "|comme avant|comme c'etait|comme c'etait avant|comme auparavant|tel que c'etait|tout comme avant"
    "|remettez comme avant|remettez comme c'etait|remettez comme c'etait avant|remets comme avant|remettre comme avant"
    "|remettez tout comme avant|remettez l'ancien texte|remets l'ancien texte|remettre l'ancien texte"
    "|remettez l'ancienne version|remets l'ancienne version|remettre l'ancienne version|retablissez l'ancien texte"
    "|retablir l'ancien texte|retablissez l'ancienne version|retablir l'ancienne version|revenez a l'ancien texte"
    "|revenir a l'ancien texte|revenez a l'ancienne version|revenir a l'ancienne version|reprenez l'ancien texte"
    "|je veux l'ancien texte|je voudrais l'ancien texte|laissez comme c'etait|laissez comme avant"
    "|como antes|como estaba|como estaba antes|tal como estaba|tal y como estaba|como era antes|todo como antes"
    "|dejalo como estaba|dejelo como estaba|dejalo como antes|dejelo como antes|dejarlo como estaba"
    "|ponlo como estaba|pongalo como estaba|ponlo como antes|pongalo como antes|vuelve a poner el texto anterior"
    "|vuelva a poner el texto anterior|vuelva a poner el texto antiguo|vuelve a poner el texto antiguo"
    "|pon el texto anterior|ponga el texto anterior|ponga el texto antiguo|pon el texto antiguo"
    "|ponga otra vez el texto anterior|volver al texto anterior|vuelva al texto anterior|vuelve al texto anterior"
    "|volver a la version anterior|vuelva a la version anterior|vuelve a la version anterior"
    "|restaurar el texto anterior|restaure el texto anterior|restaura el texto anterior|recupere el texto anterior"
    "|recuperar el texto anterior|quiero el texto anterior|quiero el texto antiguo"
    "|come prima|com'era prima|rimetti il vecchio testo|rimettere il vecchio testo|zoals het was|zoals voorheen"
    "|zet de oude tekst terug|de oude tekst terug|jak bylo|tak jak bylo|jak wczesniej|como estava|como estava antes",
)
STOP: Final = _phrases(
    "no stop|stop it|stop this|stop that|please stop|stop stop|stop please|cancel it|cancel this|cancel that"
    "|please cancel|cancel the change|cancel this change|cancel the request|cancel my request|drop it"
    "|forget it|don't do it"
    "|don't publish|don't publish it|don't publish this|don't publish that|don't publish yet|do not publish"
    "|do not publish it|do not publish this|do not publish that|don't go live|do not go live|not publish"
    "|stoppen|bitte stoppen|bitte stopp|bitte stop|nein stopp|nein stop|brich ab|brechen sie ab|brechen sie das ab"
    "|bitte abbrechen|das abbrechen|nicht veroffentlichen|bitte nicht veroffentlichen|das nicht veroffentlichen"
    "|noch nicht veroffentlichen|nicht online stellen|bitte nicht online stellen|nicht freigeben|nicht online"
    "|nicht veroeffentlichen|absagen|bitte absagen|stornieren|bitte stornieren|lass es|lassen sie es"
    "|ne publiez pas|ne pas publier|ne le publiez pas|ne la publiez pas|ne publie pas|arretez tout"
    "|arretez ca|arretez cela|ne mettez pas en ligne|ne pas mettre en ligne"
    "|no publicar|no publiques|no publique|no lo publiques|no lo publique|no publicarlo|no la publique|para|detengalo"
    "|cancelalo|cancelelo|cancela esto|cancele|cancelar esto|cancela el cambio|cancelar el cambio|anula|anular"
    "|ferma|fermati|non pubblicare|non pubblicate|stop a tutto|niet publiceren|annuleren|annuleer|stop ermee"
    "|nie publikuj|nie publikowac|anuluj|zatrzymaj|nao publicar|nao publique|nao publiquem|pare",
)
# Why somebody wants it back; it asks for nothing more.
REASONS: Final = _phrases(
    "it was wrong|that was wrong|this was wrong|it's wrong|that's wrong|this is wrong|it is wrong|wrong"
    "|it was a mistake|that was a mistake|this was a mistake|my mistake|my fault|sorry|i made a mistake|i was wrong"
    "|i changed my mind|i've changed my mind|i have changed my mind|that's not what i wanted|that was not what i wanted"
    "|das war falsch|es war falsch|das ist falsch|falsch|das war ein fehler|mein fehler|war ein fehler|entschuldigung"
    "|ich habe mich geirrt|ich habe mich vertan|war falsch|das war ein versehen|ein versehen"
    "|c'etait une erreur|c'est une erreur|c'est faux|c'etait faux|mon erreur|desole|desolee|je me suis trompe"
    "|je me suis trompee|j'ai change d'avis|pardon"
    "|fue un error|era un error|es un error|estaba mal|esta mal|mi error|perdon|lo siento|me equivoque"
    "|he cambiado de opinion|cambie de opinion|era sbagliato|het was fout|scusa|to byl blad|foi um erro|estava errado",
)
THANKS: Final = _phrases(
    "thanks|thank you|thank you very much|thank you so much|thanks a lot|thanks so much|many thanks|thx|ty|cheers"
    "|thanks again|thank you again|thanks a million|thank you all|thanks for your help|thank you for your help"
    "|thanks for the help|thanks for the quick help|thank you for the quick help|much appreciated|thanks everyone"
    "|danke|danke schon|dankeschon|danke sehr|vielen dank|vielen lieben dank|lieben dank|besten dank|herzlichen dank"
    "|danke dir|danke ihnen|danke euch|tausend dank|danke fur die hilfe|danke fur ihre hilfe|vielen dank fur ihre hilfe"
    "|danke fur die schnelle hilfe|vielen dank fur die hilfe|vielen dank fur die schnelle hilfe|danke danke"
    "|merci|merci beaucoup|merci bien|un grand merci|merci a vous|mille mercis|merci pour votre aide|merci d'avance"
    "|gracias|muchas gracias|mil gracias|muchisimas gracias|gracias por todo|gracias por su ayuda|gracias por la ayuda"
    "|grazie|grazie mille|molte grazie|bedankt|hartelijk bedankt|dank je|dank u|dank je wel|dank u wel|dankjewel"
    "|dankuwel|dziekuje|dziekuje bardzo|bardzo dziekuje|dzieki|obrigado|obrigada|muito obrigado|muito obrigada",
)
COURTESIES: Final = THANKS | _phrases(
    "regards|best|best regards|bye|kind regards|warm regards|best wishes|please|bitte|bitte schon|grusse|gruss"
    "|viele grusse|liebe grusse|beste grusse|schone grusse|lg|vg|mfg|freundliche grusse|mit freundlichen grussen"
    "|herzliche grusse|cordialement|bien cordialement|salutations|svp|bonne journee|s'il vous plait|s'il te plait"
    "|saludos|un saludo|cordialmente|saludos cordiales|por favor|have a nice day|have a great day|schonen tag"
    "|schonen tag noch|schonen abend|bonne soiree|buen dia|per favore|cordiali saluti|distinti saluti|saluti"
    "|alstublieft|groeten|groetjes|met vriendelijke groet|met vriendelijke groeten|vriendelijke groet|prosze"
    "|pozdrawiam|z powazaniem|se faz favor|cumprimentos|atenciosamente|abraco",
)
# Longer ones first: "thank you very much" ends with no other.
POLITE: Final = tuple(
    sorted(
        THANKS
        | {"please", "bitte", "s'il vous plait", "s'il te plait", "svp", "por favor", "per favore", "graag", "prosze"},
        key=lambda each: (-len(each), each),
    )
)
GREETINGS: Final = _phrases(
    "hi|hello|hey|hi there|hello there|dear all|hi all|hello all|hi team|hello team|dear team|good morning"
    "|good afternoon|good evening|good day|hallo|hallo zusammen|hi zusammen|guten tag|guten morgen|guten abend|moin"
    "|servus|gruss gott|liebes team|hallo team|bonjour|bonsoir|salut|hola|buenos dias|buenas tardes|buenas noches"
    "|buenas|ciao|buongiorno|buonasera|goedemorgen|goedemiddag|goedenavond|dag|dzien dobry|czesc|ola|bom dia|boa tarde",
)
# English words are known to everybody and show nothing; these are said in one language only.
SHOWS: Final = {
    "de": _phrases(
        "veroffentlichen|veroeffentlichen|freigeben|freigegeben|ruckgangig|rueckgaengig|ruckgangig machen|hilfe"
        "|rueckgaengig machen|zurucknehmen|zuruecknehmen|stopp|abbrechen|anhalten|stand|nochmal|nochmals|noch mal"
        "|noch einmal|erneut|ja|jawohl|jup|jep|ja klar|klar|naturlich|gerne|gern|sehr gerne|sehr gern|nein|passt"
        "|danke|vielen dank|bitte|nicht veroffentlichen|sieht gut aus|perfekt|einverstanden|in ordnung",
    ),
    "fr": _phrases(
        "publier|publiez|d'accord|approuver|approuve|valider|valide|annuler|annulez|arreter|arretez|statut|etat"
        "|encore|reessayer|recommencer|a nouveau|aide|oui|ouais|bien sur|oui bien sur|avec plaisir|allez-y|merci"
        "|parfait|ne publiez pas|ne pas publier|c'est parfait|tres bien|ca me va",
    ),
    "es": _phrases(
        "vale|publicar|aprobar|aprobado|de acuerdo|aceptar|deshacer|deshaz|revertir|parar|detener|cancelar"
        "|estado|reintentar|repetir|otra vez|de nuevo|ayuda|si|claro|si claro|claro que si|por supuesto|adelante"
        "|gracias|muchas gracias|perfecto|muy bien|no publicar|no lo publique|me parece bien",
    ),
}
# Of languages that we do not speak: they must not be taken for a neighbour.
ELSEWHERE: Final = _phrases(
    "grazie|grazie mille|va bene|perfetto|certo|pubblica|per favore|ottimo|bedankt|dank je|dank u|graag"
    "|ja graag|akkoord"
    "|zeker|is goed|doe maar|goed|tak|dziekuje|prosze|dzieki|zgoda|sim|obrigado|obrigada|perfeito|otimo|pode publicar",
)
