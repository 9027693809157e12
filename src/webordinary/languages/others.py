"""Words of languages that nobody is answered in: their mail programs and short replies are known all the same."""

# ruff: noqa: RUF001 - several alphabets

from __future__ import annotations

from webordinary.languages.language import AgentWords, Correspondence, Language, MailPrograms, Replies, SiteWords, When

_REPLIES = Replies(
    yes="certo|si certo|certamente|zeker|ja zeker|natuurlijk|tak|oczywiscie|sim|sim claro|com certeza",
    publish=(
        "va bene|va bene cosi|d'accordo|sono d'accordo|pubblica|pubblicalo|pubblicatelo|pubblicare"
        "|potete pubblicare|puoi pubblicare|puo pubblicare|procedi|procedete|approvato|per me va bene|per me ok"
        "|ok per me|a posto|graag|akkoord|ik ga akkoord|is goed|dat is goed|doe maar|publiceer|publiceren"
        "|publiceer het|publiceer maar|mag online|mag live|mag gepubliceerd worden|wat mij betreft ok"
        "|wat mij betreft akkoord|goedgekeurd|zgoda|zgadzam sie|opublikuj|opublikowac|publikuj|mozna publikowac"
        "|mozna opublikowac|prosze opublikowac|prosze publikowac|zatwierdzam|akceptuje|w porzadku|moze byc"
        "|pode publicar|podem publicar|publica|publique|pode ser|concordo|estou de acordo|de acordo|aprovado"
        "|aprovo|por mim ok|por mim tudo bem|pode avancar|avance|esta bem"
    ),
    praise=(
        "perfetto|ottimo|benissimo|molto bene|eccellente|bellissimo|mi piace|tutto bene|e perfetto|fantastico"
        "|goed|heel goed|prima zo|perfect zo|mooi|heel mooi|top|uitstekend|geweldig|ziet er goed uit"
        "|ziet er mooi uit|dat ziet er goed uit|klinkt goed|helemaal goed|dobrze|bardzo dobrze|swietnie|idealnie"
        "|doskonale|pieknie|wyglada dobrze|wyglada swietnie|jest ok|podoba mi sie|perfeito|otimo|muito bem"
        "|muito bom|excelente trabalho|esta perfeito|esta otimo|gostei|ficou otimo|ficou bom|ficou perfeito"
    ),
    no="no|nee|nie|nao",
    doubt="forse|non ancora|piu tardi|misschien|nog niet|moze|jeszcze nie|talvez|ainda nao",
    take_back=(
        "annulla|annullare|annulla la modifica|come prima|com'era prima|rimetti il vecchio testo"
        "|rimettere il vecchio testo|ongedaan maken|maak het ongedaan|maak dit ongedaan|draai het terug"
        "|zoals het was|zoals voorheen|zet de oude tekst terug|de oude tekst terug|cofnij|cofnac|cofnij to"
        "|desfazer|desfaz|desfaca|desfaca isso|jak bylo|tak jak bylo|jak wczesniej|como estava|como estava antes"
    ),
    leave=(
        "ferma|fermati|non pubblicare|non pubblicate|stop a tutto|niet publiceren|annuleren|annuleer|stop ermee"
        "|nie publikuj|nie publikowac|anuluj|zatrzymaj|nao publicar|nao publique|nao publiquem|pare"
    ),
    reasons="era sbagliato|scusa|het was fout|to byl blad|foi um erro|estava errado",
    thanks=(
        "grazie|grazie mille|molte grazie|bedankt|hartelijk bedankt|dank je|dank u|dank je wel|dank u wel"
        "|dankjewel|dankuwel|dziekuje|dziekuje bardzo|bardzo dziekuje|dzieki|obrigado|obrigada|muito obrigado"
        "|muito obrigada"
    ),
    courtesies=(
        "per favore|cordiali saluti|distinti saluti|saluti|alstublieft|groeten|groetjes|met vriendelijke groet"
        "|met vriendelijke groeten|vriendelijke groet|prosze|pozdrawiam|z powazaniem|se faz favor|cumprimentos"
        "|atenciosamente|abraco"
    ),
    polite="per favore|graag|prosze",
    greetings=(
        "ciao|buongiorno|buonasera|goedemorgen|goedemiddag|goedenavond|dag|dzien dobry|czesc|ola|bom dia|boa tarde"
    ),
    only_here=(
        "grazie|grazie mille|va bene|perfetto|certo|pubblica|per favore|ottimo|bedankt|dank je|dank u|graag"
        "|ja graag|akkoord|zeker|is goed|doe maar|goed|tak|dziekuje|prosze|dzieki|zgoda|sim|obrigado|obrigada"
        "|perfeito|otimo|pode publicar"
    ),
    own_letters="ì|(?!)",
    choice="opzione|la|il|optie|de|nummer|opcja|opcao",
    nth=("eerste", "tweede", "derde", "vierde", "vijfde"),
)

_PROGRAMS = MailPrograms(
    wrote=(
        "scritto|schreef|geschreven|skrev|escreveu|napisał|pisze|napsal|napísal|napisao|napisala|написал|написав"
        r"|пишет|пише|написа|írta|scris|kirjoitti|yazd\u0131|έγραψε|rašė|rakstīja|kirjutas|viết|menulis|写道|寫道"
        "|書きました|작성|כתב|كتب"
    ),
    originals=(
        "messaggio originale|oorspronkelijk bericht|mensagem original|ursprungligt meddelande"
        "|oprindelig meddelelse|opprinnelig melding|alkuperäinen viesti|oryginalna wiadomość|wiadomość oryginalna"
        "|исходное сообщение|оригинальное сообщение|původní zpráva|pôvodná správa|eredeti üzenet|orijinal mesaj"
        "|özgün ileti|mesaj original|izvirno sporočilo|izvorna poruka|αρχικό μήνυμα"
        "|原始邮件|原始郵件|元のメッセージ|원본 메시지"
        "|원본 이메일"
    ),
    forwards=(
        "messaggio inoltrato|inizio messaggio inoltrato|doorgestuurd bericht|begin doorgestuurd bericht"
        "|mensagem encaminhada|mensagem reencaminhada|início da mensagem encaminhada"
        "|início da mensagem reencaminhada|vidarebefordrat meddelande|vidarebefordrat brev|videresendt meddelelse"
        "|videresendt besked|start på videresendt besked|videresendt melding|videresendt e-post|välitetty viesti"
        "|edelleenlähetetty viesti|przekazana wiadomość|przesłana wiadomość|wiadomość przekazana dalej"
        "|początek przekazywanej wiadomości|пересылаемое сообщение|перенаправленное сообщение"
        "|переслане повідомлення|начало переадресованного сообщения|přeposlaná zpráva|preposlaná správa"
        "|továbbított üzenet|továbbított levél|iletilmiş mesaj|yönlendirilen ileti|iletilen ileti"
        "|mesaj redirecționat|προωθημένο μήνυμα"
        "|转发的邮件|已转发邮件|轉寄郵件"
        "|轉寄的郵件|転送メッセージ|転送されたメッセージ|전달된 메시지|전달된 이메일"
    ),
    authors=(
        "da|mittente|van|afzender|från|fra|od|от|від|avsender|afsender|avsändare|remetente|nadawca|lähettäjä"
        "|kimden|gönderen|expeditor|de la|feladó|από|odesílatel|odosielateľ|pošiljatelj|šalje|nuo|no|saatja"
        "|от кого|від кого|отправитель|差出人|送信者|发件人|寄件者|寄件人|보낸 사람|보낸사람|מאת|من|dari|từ|จาก"
    ),
    subjects=(
        "oggetto|onderwerp|assunto|ämne|emne|aihe|temat|тема|předmět|predmet|tárgy|konu|subiect|θέμα|件名|主题|主旨|제목"
        "|subjek|chủ đề"
    ),
    answered="rif|antw|sv|vs|res|odp|ynt|atb|回复|回覆|答复|返信",
    forwarded="i|doorst|enc|vb|vl|pd|videresendt|továbbítás|ilt|转发|轉寄|転送",
    phone_lines=(
        "inviato da(?:l| mio| il mio)?{any}{thing}{rest}|scarica {app}{where}|(?:verstuurd|verzonden) (?:vanaf"
        "|met|via) (?:mijn )?{any}{thing}{rest}|enviado (?:do|de|desde|a partir do|com|por) (?:meu "
        "|o )?{any}{thing}{rest}|obter (?:o )?{app}{where}|(?:skickat|skickades) från (?:min )?{any}{thing}{rest}"
        "|(?:sendt|sent) fra (?:min )?{any}{thing}{rest}|wysłan[eo] z {any}{thing}{rest}"
        r"|odesláno z {any}{device}{rest}|отправлено (?:\u0441|из) {any}|lähetetty {any}{device}{rest}"
        r"|{device}'?\w{0,10} gönderildi|{device}'\w{1,6} küldve|{device}から送信|(?:发自|發自|从"
        "|從)(?:我的)? ?{device}(?: ?(?:发送|傳送|寄出))?|나의 {device}에서 보냄|στάλθηκε από (?:το )?{device}(?: μου)?"
    ),
    phone_where="per|su|voor|op",
    absences=(
        "risposta automatica|fuori sede|fuori ufficio|automatisch antwoord|afwezigheidsbericht"
        "|automatisch bericht|resposta automática|fora do escritório|ausência temporária|ausência do escritório"
        "|autosvar|automatiskt svar|automatisk svar|automaattinen vastaus|poissaoloilmoitus"
        "|odpowiedź automatyczna|automatyczna odpowiedź|autoodpowiedź|poza biurem|automatická odpověď"
        "|automatická odpoveď|mimo kancelář|automatikus válasz|házon kívül|otomatik yanıt|otomatik cevap"
        "|ofis dışında|răspuns automat|samodejni odgovor|samodejni odziv|automatski odgovor|automatinis atsakymas"
        "|automātiska atbilde|automaatvastus|автоответ|автоматический ответ|автоматична відповідь|автовідповідь"
        "|автоматичен отговор|вне офиса|αυτόματη απάντηση|εκτός γραφείου"
        "|自动回复|自動回覆|自动答复|自動応答|自動返信|不在通知|자동 회신"
        "|자동 응답|מענה אוטומטי|תשובה אוטומטית|رد تلقائي|الرد التلقائي|balasan otomatis|trả lời tự động"
        "|ตอบกลับอัตโนมัติ"
    ),
    perhaps_absences="assente|afwezig|niet aanwezig|frånvaro|fravær|nieobecność|odsoten|poissa|外出|부재중",
    of_itself=(
        "quest(?:a è una risposta automatica|o è un messaggio automatico)|dit is een automatisch(?:e reactie"
        "| (?:antwoord|bericht|gegenereerd))|esta é uma (?:resposta|mensagem) automática"
    ),
)

_LETTERS = Correspondence(
    greetings="ciao|beste|olá",
    sign_offs=(
        r"(?:(?:cordiali|distinti|cari)\s)?saluti|(?:met\s)?(?:(?:vriendelijke|hartelijke)\s)?groet(?:en|jes)?|mvg"
        r"|z\spoważaniem|pozdrawiam|(?:com\sos\s)?(?:melhores\s)?cumprimentos|atenciosamente|(?:(?:med"
        r"|mange)\s)*(?:vennlig\s|venlig\s)?hilsen|(?:med\s)?(?:vänliga\s)?hälsningar|с\sуважением"
    ),
    thanks=r"grazie(?:\smille)?|bedankt|obrigad[oa]",
    asks=(
        r"per\sfavore|cambiate|sostituire|sostituisci|aggiungi|aggiungere|togli|graag|verander|vervang|voeg"
        "|verwijder|proszę|zmień|zamień|dodaj|usuń|mude|mudar|substitu(?:a|ir)|adicion(?:e|ar)|remov(?:a|er)"
    ),
    labels="cellulare|telefono|telefoon|mobiel",
    streets=(
        r"(?:via|viale|piazza|corso|largo|vicolo)\s[^\d]{2,40}?,?\s?\d{1,4}\s?(?:/?[a-z])?"
        r"|(?:[^\W\d_][\w.'\u2019-]*\s){0,2}?[^\W\d_]*(?:straat|laan|plein|gracht|kade|dijk|singel"
        r"|dreef)\s\d{1,4}\s?[a-z]{0,3}"
    ),
    titles="titolare|proprietari[oa]|direttore|direttrice|responsabile|eigena(?:ar|resse)|directeur|bedrijfsleider",
    registers=r"p\.?\s?iva|partita\siva|cod(?:ice|\.)\sfiscale|kvk(?:-nummer)?|btw|nip|nif",
    names_join="van|de|der",
    speaks_of_pictures="immagin|allegat|afbeelding|bijlage|obraz|zdjęci",
)
# Small words of neighbours: who writes in them is answered in the language of the configuration, and not in ours.
NEIGHBOURS = {
    "it": (
        "il gli di che non per sono della delle dei nel nella con è ci una orario apriamo grazie ciao siamo alle dal"
        " nostro nostra più anche questo questa lunedì martedì dalle"
    ),
    "pt": (
        "o os as e do da dos das não em uma para com nosso nossa por favor obrigado obrigada olá são está às mais"
        " também agora abrimos segunda terça página"
    ),
    "nl": (
        "de het een en van ons onze niet met voor op dat zijn wij we is nu graag bedankt hallo ook naar bij om uur"
        " maandag dinsdag vanaf"
    ),
}
OTHERS = Language(
    code="",
    name="",
    marker="",
    detected_by="",
    when=When(),
    replies=_REPLIES,
    programs=_PROGRAMS,
    letters=_LETTERS,
    site=SiteWords(),
    agent=AgentWords(),
)
