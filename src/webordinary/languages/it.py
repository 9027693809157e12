"""Italian, as the program knows it."""

from __future__ import annotations

from webordinary.languages.agent_words import AgentWords
from webordinary.languages.language import NOTHING, Correspondence, Language, MailPrograms, Replies, SiteWords, When

_WHEN = When(
    months=(
        *("gennaio|gen", "febbraio|feb", "marzo|mar", "aprile|apr", "maggio|magg", "giugno|giu", "luglio|lug"),
        *("agosto|ago", "settembre|sett", "ottobre|ott", "novembre|nov", "dicembre|dic"),
    ),
    weekdays=(
        *("lunedì|lunedi", "martedì|martedi", "mercoledì|mercoledi", "giovedì|giovedi", "venerdì|venerdi"),
        *("sabato", "domenica"),
    ),
    ahead=(("dopodomani", 2), ("domani", 1), ("oggi", 0)),
    next_before="prossim[oa]|quest[oa]",
    next_after="prossim[oa]",
    article="il|la|l'|giorno",
    ordinal="º|°",
    of="di",
    of_year="del",
    day_of="di|del|dell'|il",
    at="alle ore|alle|dalle ore|dalle|ore",
    oclock="ore|h",
    noon="mezzogiorno",
    range_from="a partire dal|a partire da|dal giorno|dal|dall'|dalla|da",
    range_to="fino al|fino all'|fino alla|fino a|al giorno|al|all'|alla|a",
    between="tra|fra",
    between_and="e",
    until="fino al|fino all'|fino alla|fino a|sino al|sino all'|sino a",
    since="a partire dal|a partire dall'|a partire da|a decorrere dal|dal|dall'|dalla|da",
    loose_since="dal|dall'|dalla|da",
    onwards="in poi",
    on="il|l'",
    including="compreso|compresa|incluso|inclusa",
    that="che|perché|poiché|noi|siamo",
    plus="e|nonché",
    joins="e|o",
    lasting="per",
    counts=(
        *(("un|uno|una", 1), ("due", 2), ("tre", 3), ("quattro", 4), ("cinque", 5), ("sei", 6), ("sette", 7)),
        *(("otto", 8), ("nove", 9), ("dieci", 10)),
    ),
    units=(("giorn[oi]", 1), ("settiman[ae]", 7)),
    per="alla|al|a",
    closed="chius[oaie]|chiudiamo|chiuderemo|chiuderà|chiusura|(?:in )?ferie|in vacanza",
    opens="apriamo|apriremo|apert[oaie]|apre|aprirà|apertura|orari|orario",
    costs="costano|costa|costerà|prezz[oi]",
    numbers="cinque|sei|sette|otto|nove|dieci|undici|dodici|mezzogiorno",
    orders=(
        r"mostr\w*|sostitu\w*|pubblic(?:a|are|ate|hi)|nascond\w*|tolg\w*|togli\w*|rimuov\w*|mett(?:i|a|ere|ete)"
        r"|us(?:a|are|ate|i)|espon\w*"
    ),
    moves=r"cambi\w*|modific\w*|spost\w*|aggiorn\w*",
    adds=r"aggiung\w*|scriv\w*|annunci\w*|inseri\w*",
    publish=(
        r"pubblic(?:a|are|ate|hi)(?:lo|la|li|le)?(?: (?:questo|tutto|la modifica|le modifiche))?"
        r"|mett(?:i|a|ere|ete)(?:lo|la|li|le)? online|(?:va|vada|andare) online"
    ),
    take_down=r"(?:tolg|togli|rimuov|elimin|cancell|annull)\w*",
    take_back=(
        r"(?:togli|rimuov|elimin|cancell)\w{0,4}(?:lo|la|li|le)"
        r"|(?:lo|la|li|le) (?:tolga|rimuova|elimini|cancelli|togliete|rimuovete|eliminate|cancellate)"
    ),
    polite=(
        r"per favore|per cortesia|per piacere|cortesemente|gentilmente|può|puoi|potete|potrebbe|potreste|anche|e|poi"
        r"|ciao|salve|buongiorno|buonasera|grazie|solo|soltanto|(?:la|vi) prego di"
    ),
    no_wish="era|eravamo|erano|è stat[oa]|siamo stati|fu|non|mai|se|come mai",
    shows="mostr|espon",
    event="chiuderà",
    over="durante|sotto",
    back=r"di nuovo|riapr\w*|torniamo|ritorno",
    afterwards=r"di nuovo|nuovamente|al solito|come sempre|normal\w*|regolar\w*|solit[oaie]|questo periodo",
    to_be_read=r"(?:scriv|annunci|indic|menzion|inform|avvis|segnal|dica|dire|dici)\w*\b[^.;:]*\bche\b",
    next_week="(?:tutta )?la (?:prossima settimana|settimana prossima|settimana che viene)",
    this_week="(?:tutta )?questa settimana",
    weekend="questo (?:fine settimana|weekend|week-end)",
    in_month="in|a|ad|nel mese di|per tutto|tutto",
    again=(
        "ogni (?:{days}|giorno|settimana|mese|anno|mattina|sera|weekend|fine settimana)"
        "|tutti i (?:{days}|giorni|mesi|weekend)|tutte le (?:settimane|mattine|sere|domeniche)"
    ),
    vague=(
        "(?:a|per|durante|sotto) (?:il |le |la |l')?(?:natale|pasqua|capodanno|ferragosto|feste|festività|vacanze)"
        "|(?:sotto|durante) le feste|durante l'(?:estate|inverno|autunno)|per l'estate|d'estate|d'inverno"
        "|in (?:estate|inverno|autunno|primavera)|quest'(?:estate|inverno|autunno)|questa primavera"
        "|(?:il )?(?:prossimo (?:mese|weekend|fine settimana|anno)|mese prossimo|anno prossimo)"
        "|(?:per )?(?:qualche (?:giorno|settimana)|alcuni giorni|alcune settimane)"
        "|(?:la )?vigilia di natale|(?:il )?giorno di natale|santo stefano|pasquetta|la notte di capodanno"
        r"|stamattina|stasera|questo pomeriggio|questa (?:mattina|sera)|il (?:giorno )?\d{1,2}"
    ),
    weekly=r"(?:il|la|di) (?:{days})(?! (?:prossim|\d))",
    either="(?:nel|il) (?:fine settimana|weekend)",
    always="d'ora in poi|da ora in poi|da adesso in poi|sempre|definitivamente|per sempre|in futuro|adesso|ora",
    we="apriamo|chiudiamo|apriremo|chiuderemo|siamo|saremo|noi|abbiamo",
    changes=r"cambi\w*|modific\w*|sostitu\w*|corregg\w*|aggiorn\w*|elimin\w*|cancell\w*|alz\w*|abbass\w*",
    also="anche|inoltre|tra l'altro|a proposito",
    all_of_it="questo|ciò|tutto|(?:pubblica|mostra|metti)(?:lo|la|li|le)|(?:pubblicate|mostrate|mettete)(?:lo|la|li|le)",
    small=(
        "a adesso ai al alla allora alle anche ancora anzi avanti bene buongiorno buonasera che ci ciao come con cosa"
        " così da dal dalla data del della di dica dovrebbe e è errore era fare favore fine fino finisca finire"
        " giorni giorno grazie già ha ho il in inizi inizia invece io l la lascia lasci lasciare lasciate lo ma meglio"
        " mi modifica no noi non o ok ora per perfetto però piacere più poi possibile potete potrebbe prolungare"
        " prolunghi prolungate proroga può qui questa questo resti restare sarebbe saluti sbagliato scusa scusi"
        " scusate se si sì sia solo soltanto sono sposti spostare spostate tenere tenga tenete tutto un va vi volevo"
        " vorrei vogliamo online"
    ),
    abbreviations="ecc",
)
_REPLIES = Replies(
    ok="ok|pubblica|pubblicare|pubblichi|pubblicate|approva|approvo|approvato|d'accordo",
    undo="annulla|annullare|annulli|annullate|annullalo|ripristina|ripristinare",
    stop="stop|ferma|fermare|fermati|fermate|fermi|fermatevi|interrompi|interrompere|basta",
    status="stato|stato delle richieste|a che punto siamo",
    again="riprova|riprovare|riprovate|riprovi|ancora|ancora una volta|di nuovo|un'altra volta|ripeti|ripetere",
    help="aiuto",
    yes="si|certo|si certo|certamente|si grazie|si si|assolutamente|naturalmente|ovviamente|esatto",
    mine=(
        "sono io|sono stato io|sono stata io|si sono io|l'ho scritta io|l'ho scritto io|l'ho mandata io|e mia|e mio"
        "|e da parte mia|e corretto|corretto"
    ),
    publish=(
        "va bene|va bene cosi|d'accordo|sono d'accordo|pubblica|pubblicalo|pubblicala|pubblicatelo|pubblicatela"
        "|pubblicare|potete pubblicare|puoi pubblicare|puo pubblicare|pubblichi pure|pubblica pure|procedi|procedete"
        "|proceda|procedi pure|proceda pure|approvato|per me va bene|per me ok|ok per me|a posto|vada pure|fai pure"
        "|faccia pure|fate pure|puo andare online|mettilo online|mettetelo online|lo metta online|volentieri"
        "|con piacere|da parte mia va bene|da parte mia ok|confermo|ok cosi"
    ),
    praise=(
        "perfetto|ottimo|benissimo|molto bene|bene|bene cosi|eccellente|bellissimo|molto bello|bello|mi piace"
        "|mi piace molto|tutto bene|e perfetto|e ottimo|cosi va bene|fantastico|magnifico|splendido|stupendo"
        "|ottimo lavoro|bel lavoro|complimenti|sembra perfetto|suona bene|proprio cosi|giusto|tutto giusto"
    ),
    no="no|no no",
    doubt=(
        "forse|non ancora|non adesso|non ora|piu tardi|non so|non lo so|non sono sicuro|non sono sicura|un momento"
        "|un attimo|aspetta|aspetti|aspettate|ricevuto|capito|ho capito|vediamo|ci penso|fammi pensare"
    ),
    take_back=(
        "annulla|annullare|annulla la modifica|annulli la modifica|annullate la modifica|annulla tutto|annulla questo"
        "|annullare la modifica|annulla l'ultima modifica|torna indietro|torni indietro|tornare indietro"
        "|come prima|com'era prima|com'era|rimetti il vecchio testo|rimettere il vecchio testo|rimetta il vecchio testo"
        "|rimettete il vecchio testo|rimetti com'era|rimetta com'era|rimettilo com'era|tutto come prima"
        "|torna come prima|di nuovo come prima|lascia com'era|lasci com'era|lasciate com'era"
        "|ripristina il vecchio testo|ripristinare il vecchio testo|ripristini il vecchio testo"
        "|ripristina la versione precedente|ripristini la versione precedente|torna alla versione precedente"
        "|voglio il vecchio testo|vorrei il vecchio testo"
    ),
    leave=(
        "ferma|fermati|fermi tutto|ferma tutto|fermate tutto|non pubblicare|non pubblicate|non pubblichi"
        "|non pubblicarlo|non pubblicarla|non lo pubblichi|non la pubblichi|per ora non pubblicare|stop a tutto"
        "|lascia stare|lasci stare|lasciate stare|lascia perdere|lasci perdere|lasciate perdere|non metterlo online"
        "|non metta online|no ferma|no fermati"
    ),
    reasons=(
        "era sbagliato|e sbagliato|sbagliato|era un errore|e un errore|e stato un errore|un errore mio|colpa mia"
        "|errore mio|mi sono sbagliato|mi sono sbagliata|ho cambiato idea|scusa|scusi|scusate|mi scusi|mi dispiace"
        "|non e quello che volevo"
    ),
    thanks=(
        "grazie|grazie mille|molte grazie|tante grazie|grazie tante|grazie infinite|mille grazie|grazie ancora"
        "|grazie a voi|grazie a lei|grazie per l'aiuto|grazie dell'aiuto|la ringrazio|vi ringrazio|ringrazio"
    ),
    courtesies=(
        "per favore|per cortesia|per piacere|cordiali saluti|distinti saluti|cari saluti|un caro saluto|un saluto"
        "|saluti|cordialmente|buona giornata|buona serata|a presto|buon lavoro"
    ),
    polite="per favore|per cortesia|per piacere",
    greetings="ciao|ciao a tutti|buongiorno|buongiorno a tutti|buonasera|buon pomeriggio|salve|gentile team|caro team",
    only_here=(
        "grazie|grazie mille|molte grazie|va bene|va bene cosi|perfetto|certo|certamente|pubblica|pubblicare|per favore"
        "|ottimo|benissimo|annulla|annullare|ferma|fermare|stato|riprova|riprovare|aiuto|procedi|approvato|mi piace"
        "|non pubblicare|come prima"
    ),
    own_letters="ì",
    everywhere="ovunque|dappertutto",
    choice="opzione|scelta|numero|n|la|il|risposta",
    nth=("prima|primo", "seconda|secondo", "terza|terzo", "quarta|quarto", "quinta|quinto"),
)
_PROGRAMS = MailPrograms(
    wrote="scritto|scrive",
    originals="messaggio originale",
    forwards="messaggio inoltrato|inizio messaggio inoltrato|inizio del messaggio inoltrato",
    authors="da|mittente",
    subjects="oggetto",
    answered="rif",
    forwarded="i|inoltra",
    phone_lines=r"inviato da(?:l| mio| il mio)?{any}{thing}{rest}|(?:scarica|ottieni) {app}{where}",
    phone_where="per|su",
    absences=(
        "risposta automatica|messaggio automatico|fuori sede|fuori ufficio|fuori dall'ufficio|assente dall'ufficio"
        "|assenza dall'ufficio|avviso di assenza|notifica di assenza"
    ),
    perhaps_absences="assente|assenza|ferie|in ferie",
    is_absent="è (?:attualmente )?(?:fuori ufficio|assente|in ferie)",
    of_itself=(
        r"quest(?:a è una risposta automatica|o è un messaggio automatico"
        r"|a (?:e-?mail|mail) è stata (?:generata|inviata) automaticamente)"
    ),
    ticket="richiesta|segnalazione",
    received=r"(?:richiesta|segnalazione|messaggio|ticket)\b.{0,60}\bè stat[oa] (?:ricevut|apert|registrat|creat)[oa]",
    notice=(
        r"messaggio|\be-?mail\b",
        "riservat|confidenzial",
        "destinatari[oa]",
        "cancell|elimin|distrugg|vietat|proibit|avvisar",
    ),
    scanned=(
        r"privo di virus\.?\s?(?:www\.)?(?:avast|avg)\.com.{0,300}"
        r"|questa e-?mail è stata (?:controllata|esaminata).{0,200}(?:virus|malware).{0,300}"
    ),
    environment=r"prima\sdi\sstampare|l'ambiente",
)
_LETTERS = Correspondence(
    greetings=r"ciao|buongiorno|buon\sgiorno|buonasera|buon\spomeriggio|salve|gentil[ei]|egregi\w|cari|carissim[oaie]",
    sign_offs=r"(?:un\s)?(?:(?:cordiali|distinti|cari|tanti|caro|cordiale)\s)?salut[oi]|a\spresto",
    thanks=r"(?:molte\s|mille\s|tante\s)?grazie(?:\smille)?|la\sringrazio|vi\sringrazio",
    asks=(
        r"per\s(?:favore|cortesia|piacere)|può|puoi|potete|potrebbe|potreste|vorrei|vorremmo|vogliamo|desideriamo"
        r"|apriamo|chiudiamo|e\spoi|inoltre|cambi(?:a|are|ate|i)|modific(?:a|are|ate|hi)|sostitu(?:ire|isci|isca|ite)"
        r"|aggiung(?:i|ere|a|ete)|tolg(?:a|ano)|togli(?:ere|ete)?|rimuov(?:i|ere|a|ete)|elimin(?:a|are|ate|i)"
        r"|cancell(?:a|are|ate|i)|mett(?:i|a|ere|ete)|scriv(?:i|a|ere|ete)|aggiorn(?:a|are|ate|i)|corregg(?:i|ere|a|ete)"
        r"|spost(?:a|are|ate|i)|inseri(?:re|sci|sca|te)|pubblic(?:a|are|ate|hi)"
    ),
    labels="cellulare|telefono|cell|tel|fax|ufficio|numero\\sverde",
    mail_labels="posta|pec",
    streets=r"(?:via|viale|piazza|corso|largo|vicolo)\s[^\d]{2,40}?,?\s?\d{1,4}\s?(?:/?[a-z])?",
    title_prefixes="vice|assistente",
    titles="titolare|proprietari[oa]|direttore|direttrice|responsabile|amministratore|amministratrice|chef",
    registers=r"p\.?\s?iva|partita\siva|cod(?:ice|\.)\sfiscale|sede\slegale",
    names_join="di|del|della|de|e",
    name_titles=r"sig(?:\.ra|ra)?|dott(?:\.ssa|ssa)?|ing|avv|geom|rag|arch",
    spoken_of=(
        r"indirizz|contatt|telefon|cellular|numer[oi]|e-?mail|note\slegali|squadra|collegh|collabor|dipendent|ragione\ssociale"
        r"|nome|ditta|aziend|firma|piè\sdi\spagina|sotto|seguent|trasloc|trasferit|nuov|aggiung"
    ),
    no_name="orari|aperto|chiuso|per\\sfavore|cambiare|modificare",
    pictures="foto|immagin[ei]",
    speaks_of_pictures="immagin|foto|allegat|schermat",
    nth_picture=("prima", "seconda", "terza", "quarta", "quinta", "ultima|altra"),
    picture_shows="mostra(?:no)?|raffigura(?:no)?",
    picture_of="di|del|della|dei|delle|dello",
    picture_goes="sulla|nella|alla|su|per",
    the="la|le|l['\u2019]",
    articles="il|lo|la|i\\snostri|gli|le|un|uno|una|nostr[oaie]|mi[oa]|l['\u2019]",
    pointing="questa|queste|questo|ecco",
    is_="è|sono",
    it="essa|questa|queste",
    and_="e",
    no_caption=r"per\sfavore|mett\w*|aggiung\w*|pagina|sito|grazie|saluti|ciao|buongiorno",
    notice_closed=r"chius[oaie]|in\s+ferie|in\s+vacanza",
    notice_orders=r"per\sfavore|può|potete|mett\w*|scriv\w*|aggiung\w*|mostr\w*|cambi\w*|sostitu\w*|rimuov\w*|togli\w*",
    relative_days=r"oggi|(?:dopo)?domani|prossim[oa]|quest[oa]",
)
_TENS = ("vent", "trent", "quarant", "cinquant", "sessant", "settant", "ottant", "novant")
_SITE = SiteWords(
    few=(
        "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici"
        " diciassette diciotto diciannove"
    ),
    tens="venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    compound="{ten}{unit}",
    one="uno",
    hundreds="{unit}cento",
    thousands="{unit}mila",
    more_numbers=(
        ("cento", 100),
        *(
            (f"{ten}{unit}", 10 * tens + number)
            for tens, ten in enumerate(_TENS, 2)
            for unit, number in (("uno", 1), ("otto", 8))
        ),
        *((f"{ten}{'i' if tens == 2 else 'a'}tré", 10 * tens + 3) for tens, ten in enumerate(_TENS, 2)),  # noqa: PLR2004 - venti
    ),
    # "Due" is an English word, "otto" a German name, and "sei" means "you are".
    too_common="uno|due|sei|otto",
    in_context="due|sei|otto",
    noons="mezzogiorno",
    midnights="mezzanotte",
    half_past="e mezz[ao]",
    quarter_past="e un quarto",
    quarter_to="meno un quarto",
    half_past_before=NOTHING,
    half_to_before=NOTHING,
    quarter_past_before=NOTHING,
    quarter_to_before=NOTHING,
    early="di mattina|del mattino|la mattina",
    late="di pomeriggio|del pomeriggio|di sera|la sera|di notte",
    oclock="h",
    before_times="dalle ore",
    after_times=(
        "adesso anche aperto apriamo chiuso chiudiamo dal dalla dalle domani dopo fino invece oggi ogni però poi sempre"
        " soltanto tutti tutte lunedì martedì mercoledì giovedì venerdì sabato domenica feriali festivi"
    ),
    occasions="festivi mezzogiorno sera",
    small_words=(
        "alla alle allo anche buongiorno cambiare che chi ciao con cosa dal dalla dalle degli dei del della delle"
        " dello favore frase gli grazie hanno loro modificare nei nel nella nelle non nostra nostre nostri nostro"
        " oppure pagina per perché però più poi può quale quando quella quelle quelli quello questa queste questi"
        " questo saluti sempre senza sezione siamo sito sono suo sua sul sulla sulle testo tra tutta tutte tutti tutto"
        " una uno vorrei vostra vostro"
    ),
    costs="costa costano prezzo prezzi adesso ora",
    everywhere="ovunque|dappertutto|tutte le pagine|ogni pagina|tutto il sito|intero sito|in tutto il sito",
    dollars="dollar[oi]",
    pounds="sterlin[ae]",
    francs="franchi",
    euros="euro",
    percent="per cento|percento",
    phone_labels="telefono|cellulare|tel|fax|numero",
    speaks_of_phone="telefon|cellular|numero|fax",
    speaks_of_mail=r"mail|indirizzo|posta\b",
    speaks_of_link="link|collegament",
    speaks_of_account=r"\bconto\b|iban|banca",
    speaks_of_code="codice|numero",
    speaks_of_look=(
        r"colore|colori|grandezz|grassett|corsiv|caratter|nascond|aspetto|sfondo|grafica|più grande|più piccol|blu\b"
        r"|ross[oa]|verde"
    ),
    moves=r"sposta|scambi|invert|ordine|in cima\b|in fondo\b",
    addresses=(
        r"(?:Via|Viale|Piazza|Corso|Largo|Vicolo)\s(?:[a-z]{1,8}\s){0,3}{capital}(?:\s{capital})?,?\s\d{1,4}\b(?![\s./:-]?\d)"
    ),
    streets_short=((r"\bp\.?zza\b", "piazza"), (r"\bv\.?le\b", "viale")),
)
_AGENT = AgentWords(
    hours=r"\bapriamo\b|\bchiudiamo\b|\borari[o]?\b|\bsiamo\saperti\b",
    opens=r"apriamo|apre|aprono|apert\w*",
    closes=r"chiud\w*",
    closed="chius[oaie]",
    in_doubt=(
        "domani|oggi|stasera|natale|pasqua|capodanno|ferragosto|festività|non|quando|forse|gennaio|febbraio"
        "|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre"
    ),
    around_hours=(
        "adesso ora apriamo chiudiamo siamo aperti aperto il la le i gli nostro nostri nuovo nuovi orario orari di"
        " apertura alle dalle al dal ogni sempre solo anche e invece da sono è per favore"
    ),
    other_wishes="costa prezzo telefono numero titolo foto immagine aggiungere togliere",
    hour_words="una due tre quattro cinque sei sette otto nove dieci undici dodici",
    before_time=r"alle\sore|alle|all['\u2019]|dalle\sore|dalle|fino\salle",
    until_time=r"fino\salle",
    through_time=r"alle\sore|alle|fino\salle",
    part_of_day="pomeriggio|sera|notte",
    morning="mattina|mattino",
    through_days="a|al|fino a|fino al",
    every_day="tutti i giorni|ogni giorno",
    working_days="nei giorni feriali|giorni feriali",
    weekends="nel fine settimana|nel weekend",
    phone="telefono|cellulare|numero",
    place_picture=(
        r"(?:mett(?:a|i|ere|ete)|aggiung(?:a|i|ere|ete)|inseri(?:sca|sci|re|te))\s(?:la|questa|una|le|queste)\s"
        r"(?:nuova\s)?foto(?P<about>)\s(?:sulla|nella|alla|su)\spagina\s(?P<page>.{1,60}?)"
    ),
    polite=r"per\s(?:favore|cortesia|piacere)|può|puoi|potete|potrebbe|potreste",
    polite_last=r"grazie|per\s(?:favore|cortesia|piacere)",
    change=r"sostitu\w*|cambi\w*|modific\w*",
    into="con|in",
    on_page="sulla|nella|su",
    about_hours=r"apert\w*|orari\w*",
    about_events=r"cors[oi]|eventi?|concert[oi]|mercat[oi]|laborator[io]\w*|degustazion[ei]",
    call=r"telefon\w*|chiam\w*",
    opens_at=r"apriamo\salle|apert[oi]\sdalle",
    closes_at=r"chiudiamo\salle|apert[oi]\sfino\salle",
    we_are=r"(?:siamo|noi\ssiamo)(?:\s(?:adesso|sempre|ora))?",
    closed_days=r"(?:il|la|di|ogni|tutti\si|tutte\sle)\s\w+",
    from_day=r"dal|a\spartire\sda(?:l)?|da(?=\s\w{1,7}(?:ì|di|to|ca|so|gi|ni)\b)",
    from_terms="adesso|oggi|domani",
    instead=r"invece\s(?:che|di|delle|dalle)|al\sposto\sdelle",
    because=r"perché|poiché|a\scausa",
    home="iniziale|pagina iniziale",
    before_page="la|il|pagina|di|dei|delle",
    behind_page=NOTHING,
)
ITALIAN = Language(
    code="it",
    name="Italian",
    marker="scriva sopra questa riga",
    detected_by=(
        "il gli di che non per sono della delle dei nel nella con è ci una orario apriamo grazie ciao siamo alle dal"
        " nostro nostra più anche questo questa lunedì martedì mercoledì giovedì venerdì sabato domenica dalle"
        " buongiorno adesso può sul sulla aperto chiuso chiusi aperti nostri cambiare mettere aggiungere"
        " pagina sito saluti favore ogni vorrei"
    ),
    when=_WHEN,
    replies=_REPLIES,
    programs=_PROGRAMS,
    letters=_LETTERS,
    site=_SITE,
    agent=_AGENT,
)
