"""Words of languages that nobody is answered in: their mail programs and short replies are known all the same."""

# ruff: noqa: RUF001 - several alphabets

from __future__ import annotations

from webordinary.languages.agent_words import AgentWords
from webordinary.languages.language import Correspondence, Language, MailPrograms, Replies, SiteWords, When

_REPLIES = Replies(
    yes="tak|oczywiscie|sim|sim claro|com certeza",
    publish=(
        "zgoda|zgadzam sie|opublikuj|opublikowac|publikuj|mozna publikowac|mozna opublikowac|prosze opublikowac"
        "|prosze publikowac|zatwierdzam|akceptuje|w porzadku|moze byc|pode publicar|podem publicar|publica"
        "|publique|pode ser|concordo|estou de acordo|de acordo|aprovado|aprovo|por mim ok|por mim tudo bem"
        "|pode avancar|avance|esta bem"
    ),
    praise=(
        "dobrze|bardzo dobrze|swietnie|idealnie|doskonale|pieknie|wyglada dobrze|wyglada swietnie|jest ok"
        "|podoba mi sie|perfeito|otimo|muito bem|muito bom|excelente trabalho|esta perfeito|esta otimo|gostei"
        "|ficou otimo|ficou bom|ficou perfeito"
    ),
    no="nie|nao",
    doubt="moze|jeszcze nie|talvez|ainda nao",
    take_back=(
        "cofnij|cofnac|cofnij to|desfazer|desfaz|desfaca|desfaca isso|jak bylo|tak jak bylo|jak wczesniej"
        "|como estava|como estava antes"
    ),
    leave="nie publikuj|nie publikowac|anuluj|zatrzymaj|nao publicar|nao publique|nao publiquem|pare",
    reasons="to byl blad|foi um erro|estava errado",
    thanks="dziekuje|dziekuje bardzo|bardzo dziekuje|dzieki|obrigado|obrigada|muito obrigado|muito obrigada",
    courtesies="prosze|pozdrawiam|z powazaniem|se faz favor|cumprimentos|atenciosamente|abraco",
    polite="prosze",
    greetings="dzien dobry|czesc|ola|bom dia|boa tarde",
    only_here="tak|dziekuje|prosze|dzieki|zgoda|sim|obrigado|obrigada|perfeito|otimo|pode publicar",
    choice="opcja|opcao",
)
_PROGRAMS = MailPrograms(
    wrote=(
        "skrev|escreveu|napisał|pisze|napsal|napísal|napisao|napisala|написал|написав|пишет|пише|написа|írta"
        r"|scris|kirjoitti|yazd\u0131|έγραψε|rašė|rakstīja|kirjutas|viết|menulis|写道|寫道|書きました|작성|כתב|كتب"
    ),
    originals=(
        "mensagem original|ursprungligt meddelande|oprindelig meddelelse|opprinnelig melding|alkuperäinen viesti"
        "|oryginalna wiadomość|wiadomość oryginalna|исходное сообщение|оригинальное сообщение|původní zpráva"
        "|pôvodná správa|eredeti üzenet|orijinal mesaj|özgün ileti|mesaj original|izvirno sporočilo"
        "|izvorna poruka|αρχικό μήνυμα"
        "|原始邮件|原始郵件|元のメッセージ|원본 메시지|원본 이메일"
    ),
    forwards=(
        "mensagem encaminhada|mensagem reencaminhada|início da mensagem encaminhada"
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
        "från|fra|od|от|від|avsender|afsender|avsändare|remetente|nadawca|lähettäjä|kimden|gönderen|expeditor"
        "|de la|feladó|από|odesílatel|odosielateľ|pošiljatelj|šalje|nuo|no|saatja|от кого|від кого|отправитель"
        "|差出人|送信者|发件人|寄件者|寄件人|보낸 사람|보낸사람|מאת|من|dari|từ|จาก"
    ),
    subjects=(
        "assunto|ämne|emne|aihe|temat|тема|předmět|predmet|tárgy|konu|subiect|θέμα|件名|主题|主旨|제목|subjek|chủ đề"
    ),
    answered="sv|vs|res|odp|ynt|atb|回复|回覆|答复|返信",
    forwarded="enc|vb|vl|pd|videresendt|továbbítás|ilt|转发|轉寄|転送",
    phone_lines=(
        "enviado (?:do|de|desde|a partir do|com|por) (?:meu |o )?{any}{thing}{rest}|obter (?:o )?{app}{where}"
        "|(?:skickat|skickades) från (?:min )?{any}{thing}{rest}|(?:sendt|sent) fra (?:min )?{any}{thing}{rest}"
        r"|wysłan[eo] z {any}{thing}{rest}|odesláno z {any}{device}{rest}|отправлено (?:\u0441|из) {any}"
        r"|lähetetty {any}{device}{rest}|{device}'?\w{0,10} gönderildi|{device}'\w{1,6} küldve|{device}から送信|(?:发自"
        "|發自|从|從)(?:我的)? ?{device}(?: ?(?:发送|傳送|寄出))?"
        "|나의 {device}에서 보냄|στάλθηκε από (?:το )?{device}(?: μου)?"
    ),
    absences=(
        "resposta automática|fora do escritório|ausência temporária|ausência do escritório|autosvar"
        "|automatiskt svar|automatisk svar|automaattinen vastaus|poissaoloilmoitus|odpowiedź automatyczna"
        "|automatyczna odpowiedź|autoodpowiedź|poza biurem|automatická odpověď|automatická odpoveď|mimo kancelář"
        "|automatikus válasz|házon kívül|otomatik yanıt|otomatik cevap|ofis dışında|răspuns automat"
        "|samodejni odgovor|samodejni odziv|automatski odgovor|automatinis atsakymas|automātiska atbilde"
        "|automaatvastus|автоответ|автоматический ответ|автоматична відповідь|автовідповідь|автоматичен отговор"
        "|вне офиса|αυτόματη απάντηση|εκτός γραφείου"
        "|自动回复|自動回覆|自动答复|自動応答|自動返信|不在通知|자동 회신|자동 응답|מענה אוטומטי"
        "|תשובה אוטומטית|رد تلقائي|الرد التلقائي|balasan otomatis|trả lời tự động|ตอบกลับอัตโนมัติ"
    ),
    perhaps_absences="frånvaro|fravær|nieobecność|odsoten|poissa|外出|부재중",
    of_itself="esta é uma (?:resposta|mensagem) automática",
)
_LETTERS = Correspondence(
    greetings="olá",
    sign_offs=(
        r"z\spoważaniem|pozdrawiam|(?:com\sos\s)?(?:melhores\s)?cumprimentos|atenciosamente|(?:(?:med"
        r"|mange)\s)*(?:vennlig\s|venlig\s)?hilsen|(?:med\s)?(?:vänliga\s)?hälsningar|с\sуважением"
    ),
    thanks="obrigad[oa]",
    asks="proszę|zmień|zamień|dodaj|usuń|mude|mudar|substitu(?:a|ir)|adicion(?:e|ar)|remov(?:a|er)",
    registers="nip|nif",
    speaks_of_pictures="obraz|zdjęci",
)
# Portuguese is a neighbour of Spanish and Italian: who writes in it is answered in the language of the configuration.
OTHERS = Language(
    code="",
    name="",
    marker="",
    detected_by=(
        "o os as e do da dos das não em uma para com nosso nossa por favor obrigado obrigada olá são está às mais"
        " também agora abrimos segunda terça página"
    ),
    when=When(),
    replies=_REPLIES,
    programs=_PROGRAMS,
    letters=_LETTERS,
    site=SiteWords(),
    agent=AgentWords(),
)
