"""What mail programs say in each language around the words of a person."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """How programs announce the mail that they quote; {name} and {address} are whose it is."""

    gmail: str
    apple: str
    thunderbird: str
    yahoo: str
    outlook: tuple[str, str, str, str]
    outlook_date: str
    original: str
    phone: str


ENGLISH = Language(
    gmail="On Tue, Nov 3, 2026 at 10:00\u202fAM {name} <{address}> wrote:",
    apple="On Nov 3, 2026, at 10:00\u202fAM, {name} <{address}> wrote:",
    thunderbird="On 11/3/26 10:00, {name} wrote:",
    yahoo="On Tuesday, November 3, 2026 at 10:00:00 AM GMT+1, {name} <{address}> wrote:",
    outlook=("From:", "Sent:", "To:", "Subject:"),
    outlook_date="Tuesday, November 3, 2026 10:00 AM",
    original="Original message",
    phone="Sent from my iPhone",
)
GERMAN = Language(
    gmail="Am Di., 3. Nov. 2026 um 10:00 Uhr schrieb {name} <{address}>:",
    apple="Am 03.11.2026 um 10:00 schrieb {name} <{address}>:",
    thunderbird="Am 03.11.26 um 10:00 schrieb {name}:",
    yahoo="Am Dienstag, 3. November 2026 um 10:00:00 MEZ hat {name} <{address}> Folgendes geschrieben:",
    outlook=("Von:", "Gesendet:", "An:", "Betreff:"),
    outlook_date="Dienstag, 3. November 2026 10:00",
    original="Ursprüngliche Nachricht",
    phone="Von meinem iPhone gesendet",
)
FRENCH = Language(
    gmail="Le mar. 3 nov. 2026 à 10:00, {name} <{address}> a écrit :",
    apple="Le 3 nov. 2026 à 10:00, {name} <{address}> a écrit :",
    thunderbird="Le 03/11/2026 à 10:00, {name} a écrit\xa0:",
    yahoo="Le mardi 3 novembre 2026 à 10:00:00 UTC+1, {name} <{address}> a écrit :",
    outlook=("De :", "Envoyé :", "À :", "Objet :"),
    outlook_date="mardi 3 novembre 2026 10:00",
    original="Message d'origine",
    phone="Envoyé de mon iPhone",
)
SPANISH = Language(
    gmail="El mar, 3 nov 2026 a las 10:00, {name} (<{address}>) escribió:",
    apple="El 3 nov 2026, a las 10:00, {name} <{address}> escribió:",
    thunderbird="El 3/11/26 a las 10:00, {name} escribió:",
    yahoo="El martes, 3 de noviembre de 2026, 10:00:00 CET, {name} <{address}> escribió:",
    outlook=("De:", "Enviado:", "Para:", "Asunto:"),
    outlook_date="martes, 3 de noviembre de 2026 10:00",
    original="Mensaje original",
    phone="Enviado desde mi iPhone",
)
ITALIAN = Language(
    gmail="Il giorno mar 3 nov 2026 alle ore 10:00 {name} <{address}> ha scritto:",
    apple="Il giorno 3 nov 2026, alle ore 10:00, {name} <{address}> ha scritto:",
    thunderbird="Il 03/11/2026 10:00, {name} ha scritto:",
    yahoo="Il martedì 3 novembre 2026 alle ore 10:00:00 CET, {name} <{address}> ha scritto:",
    outlook=("Da:", "Inviato:", "A:", "Oggetto:"),
    outlook_date="martedì 3 novembre 2026 10:00",
    original="Messaggio originale",
    phone="Inviato da iPhone",
)
DUTCH = Language(
    gmail="Op di 3 nov 2026 om 10:00 schreef {name} <{address}>:",
    apple="Op 3 nov 2026, om 10:00 heeft {name} <{address}> het volgende geschreven:",
    thunderbird="Op 03-11-2026 om 10:00 schreef {name}:",
    yahoo="Op dinsdag 3 november 2026 om 10:00:00 CET schreef {name} <{address}>:",
    outlook=("Van:", "Verzonden:", "Aan:", "Onderwerp:"),
    outlook_date="dinsdag 3 november 2026 10:00",
    original="Oorspronkelijk bericht",
    phone="Verstuurd vanaf mijn iPhone",
)
PORTUGUESE = Language(
    gmail="{name} <{address}> escreveu (terça, 3/11/2026 à(s) 10:00):",
    apple="Em 3 de nov. de 2026, à(s) 10:00, {name} <{address}> escreveu:",
    thunderbird="Em 03/11/2026 10:00, {name} escreveu:",
    yahoo="Em terça-feira, 3 de novembro de 2026 10:00:00 BRT, {name} <{address}> escreveu:",
    outlook=("De:", "Enviada em:", "Para:", "Assunto:"),
    outlook_date="terça-feira, 3 de novembro de 2026 10:00",
    original="Mensagem original",
    phone="Enviado do meu iPhone",
)
SWEDISH = Language(
    gmail="Den tis 3 nov. 2026 kl 10:00 skrev {name} <{address}>:",
    apple="3 nov. 2026 kl. 10:00 skrev {name} <{address}>:",
    thunderbird="Den 2026-11-03 kl. 10:00, skrev {name}:",
    yahoo="Den tisdag 3 november 2026 10:00:00 CET, {name} <{address}> skrev:",
    outlook=("Från:", "Skickat:", "Till:", "Ämne:"),
    outlook_date="den 3 november 2026 10:00",
    original="Ursprungligt meddelande",
    phone="Skickat från min iPhone",
)
POLISH = Language(
    gmail="wt., 3 lis 2026 o 10:00 {name} <{address}> napisał(a):",
    apple="Wiadomość napisana przez {name} <{address}> w dniu 3 lis 2026, o godz. 10:00:",
    thunderbird="W dniu 3.11.2026 o 10:00, {name} pisze:",
    yahoo="wtorek, 3 listopada 2026 10:00:00 CET, {name} <{address}> napisał(a):",
    outlook=("Od:", "Wysłano:", "Do:", "Temat:"),
    outlook_date="wtorek, 3 listopada 2026 10:00",
    original="Wiadomość oryginalna",
    phone="Wysłane z iPhone'a",
)
RUSSIAN = Language(
    gmail="вт, 3 нояб. 2026 г. в 10:00, {name} <{address}>:",
    apple="3 нояб. 2026 г., в 10:00, {name} <{address}> написал(а):",
    thunderbird="03.11.2026 10:00, {name} пишет:",
    yahoo="вторник, 3 ноября 2026 г., 10:00:00 GMT+3, {name} <{address}> написал(а):",
    outlook=("От:", "Отправлено:", "Кому:", "Тема:"),
    outlook_date="3 ноября 2026 г. 10:00",
    original="Исходное сообщение",
    phone="Отправлено с iPhone",
)
JAPANESE = Language(
    gmail="2026年11月3日(火) 10:00 {name} <{address}>:",
    apple="2026/11/03 10:00、{name} <{address}>のメール:",
    thunderbird="On 2026/11/03 10:00, {name} wrote:",
    yahoo="2026年11月3日火曜日 10:00:00 JST、{name} <{address}>さんが書きました:",
    outlook=("差出人:", "送信日時:", "宛先:", "件名:"),
    outlook_date="2026年11月3日 10:00",
    original="元のメッセージ",
    phone="iPhoneから送信",
)
CHINESE = Language(
    gmail="{name} <{address}> 于2026年11月3日周二 10:00写道：",
    apple="2026年11月3日 10:00，{name} <{address}> 写道：",
    thunderbird="在 2026/11/3 10:00, {name} 写道:",
    yahoo="在 2026年11月3日 星期二 10:00:00 GMT+8, {name} <{address}> 写道：",
    outlook=("发件人:", "发送时间:", "收件人:", "主题:"),
    outlook_date="2026年11月3日 10:00",
    original="原始邮件",
    phone="发自我的 iPhone",
)

LANGUAGES = {
    "en": ENGLISH,
    "de": GERMAN,
    "fr": FRENCH,
    "es": SPANISH,
    "it": ITALIAN,
    "nl": DUTCH,
    "pt": PORTUGUESE,
    "sv": SWEDISH,
    "pl": POLISH,
    "ru": RUSSIAN,
    "ja": JAPANESE,
    "zh": CHINESE,
}
