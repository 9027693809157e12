"""Spanish, as the program knows it."""

from __future__ import annotations

from webordinary.languages.agent_words import AgentWords
from webordinary.languages.language import NOTHING, Correspondence, Language, MailPrograms, Replies, SiteWords, When

_WHEN = When(
    months=(
        *("enero|ene", "febrero|feb", "marzo|mar", "abril|abr", "mayo|may", "junio|jun", "julio|jul", "agosto|ago"),
        *("septiembre|setiembre|sept|sep", "octubre|oct", "noviembre|nov", "diciembre|dic"),
    ),
    weekdays=("lunes", "martes", "miércoles|miercoles", "jueves", "viernes", "sábado|sabado", "domingo"),
    ahead=(("pasado mañana", 2), ("mañana", 1), ("hoy", 0)),
    next_before="próximo|este",
    next_after="próximo|que viene",
    article="el|la|día",
    ordinal="º",
    of="de",
    of_year="de|del",
    day_of="el|del",
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
    joins="y|o",
    lasting="durante|por",
    counts=(
        *(("un|una", 1), ("dos", 2), ("tres", 3), ("cuatro", 4), ("cinco", 5), ("seis", 6), ("siete", 7)),
        *(("ocho", 8), ("nueve", 9), ("diez", 10)),
    ),
    units=(("días?|dias?", 1), ("semanas?", 7)),
    per="a|por|la",
    closed="cerrad[oa]s?|cerramos|cerraremos|cierre|cerrará|(?:de|en) vacaciones",
    opens="abrimos|abriremos|abiert[oa]s?|abre|abrirá|apertura|horarios?",
    costs="cuestan?|costará|precios?",
    numbers="cinco|seis|siete|ocho|nueve|diez|once|doce|mediodía",
    orders=(
        r"muestr\w*|mostrar|sustitu\w*|reemplaz\w*|publi(?:car|que|quen|cad|ca)|quit\w*|pon(?:er|ga|gan|ed)?"
        r"|ocult\w*|retir\w*|us(?:ar|e|en|a|ad)"
    ),
    moves=r"cambi\w*|mov\w*|muev\w*|pas(?:ar|e|en|ad)",
    adds=r"añad\w*|escrib\w*|anunci\w*",
    publish=(
        r"public(?:ar|ad|a)(?:lo|la|los|las)?(?: (?:esto|todo|el cambio|los cambios))?|publíque\w*|publique\w*"
        "|poner(?:lo|la)? en línea|subir(?:lo|la)?"
    ),
    take_down=r"(?:quit|retir|elimin|borr)\w*",
    take_back=r"(?:quit|quít|retir|retír|elimin|elimín|borr|bórr)\w*(?:lo|la|los|las)",
    polite="por favor|pued(?:e|en|es)|podría[ns]?|también|y|luego|hola|gracias|solo|sólo|solamente",
    no_wish="era|estaba|estuvo|estuvimos|fue|fuimos|no|nunca|si|por qué",
    shows="muestr|mostrar",
    event="cerrará",
    over="durante",
    back=r"vuelta|reabr\w*|volvemos",
    afterwards=r"vuelta|normalmente|nuevo|habitual\w*|este tiempo|estos días",
    to_be_read=r"(?:escrib|anunci|indi[qc]|menci|inform|avis|diga|decir|pon)\w*\b[^.;:]*\bque\b",
    next_week="(?:toda )?(?:la próxima semana|la semana próxima|la semana que viene)",
    this_week="(?:toda )?esta semana",
    weekend="este fin de semana",
    in_month="en|todo|durante todo",
    again="todos los (?:{days}|días|meses|años|fines de semana)|todas las semanas|cada (?:{days}|día|semana|mes|año)",
    vague=(
        "(?:en|durante|por|para) (?:la |las |el |los )?(?:navidad(?:es)?|semana santa|fiestas|año nuevo|reyes"
        "|verano|invierno|otoño|primavera|vacaciones)|(?:el próximo (?:mes|fin de semana|año)|el mes que viene"
        "|el fin de semana que viene)|(?:durante |por )?(?:unos|algunos|varios) días|(?:unas|algunas"
        "|varias) semanas|(?:en )?(?:nochebuena|nochevieja|el día de (?:navidad|año nuevo|reyes))|esta (?:mañana"
        r"|tarde|noche)|el (?:día )?\d{1,2}"
    ),
    weekly="los (?:{days})",
    either="el fin de semana",
    always="a partir de ahora|desde ahora|siempre|en adelante|en el futuro|ahora|definitivamente|para siempre",
    we="abrimos|cerramos|abriremos|cerraremos|estamos|estaremos|nosotros",
    changes=(
        r"cambi\w*|modific\w*|modifiqu\w*|sustitu\w*|reemplaz\w*|reemplac\w*|corrig\w*|corrij\w*|actuali[zc]\w*"
        r"|elimin\w*|borr\w*"
    ),
    also="también|además|por cierto",
    all_of_it=r"esto|eso|todo|\w{1,20}[éíáú]\w{1,4}(?:lo|la|los|las)|\w{2,20}adlo",
    small=(
        "a acabe ahora al alargar así aún bien cambiar con dejar deje dejen dejadlo del desde disculpe el en era"
        " error es esto está favor fecha gracias hasta hola la las lo los mantener mantenga mantened más mejor mi"
        " no nos o perdón perdona pero por prolongar prolongue prórroga puede que quería quiero quede queremos"
        " saludos sea ser sí si sino solo sólo también termine todavía usted vez y ya"
    ),
    abbreviations=NOTHING,
)
_REPLIES = Replies(
    ok="vale|publicar|publica|publique|aprobar|aprobado|apruebo|de acuerdo|aceptar",
    undo="deshacer|deshaz|deshazlo|revertir",
    stop="parar|pare|detener|cancelar|cancela",
    status="estado",
    again="reintentar|repetir|otra vez|de nuevo",
    help="ayuda",
    yes="si|claro|si claro|claro que si|por supuesto",
    mine="soy yo|fui yo|he sido yo|es mio|lo escribi yo|lo he escrito yo|es correcto|correcto",
    publish=(
        "publiquelo|publicalo|puede publicarlo|puedes publicarlo|adelante|hagalo|por mi ok|ok por mi parte"
        "|por mi parte ok|esta ok|estoy de acuerdo|de acuerdo por mi parte|puede publicarse|por mi bien"
        "|por mi parte bien|conforme"
    ),
    praise=(
        "perfecto|muy bien|esta bien|esta perfecto|estupendo|queda bien|queda perfecto|se ve bien|se ve genial"
        "|me gusta|me parece bien|me parece perfecto|excelente|fenomenal|suena bien|esta genial|exacto"
        "|asi esta bien"
    ),
    no="no",
    doubt=(
        "quiza|quizas|tal vez|todavia no|aun no|mas tarde|espere|espera|un momento|no se|no estoy seguro"
        "|no estoy segura|entendido|todo bien|recibido"
    ),
    take_back=(
        "deshaz esto|deshaz el cambio|deshacer el cambio|deshaga el cambio|deshaga esto|deshagalo|deshacer esto"
        "|deshacer este cambio|revierte el cambio|revertir el cambio|revierta el cambio|como antes|como estaba"
        "|como estaba antes|tal como estaba|tal y como estaba|como era antes|todo como antes|dejalo como estaba"
        "|dejelo como estaba|dejalo como antes|dejelo como antes|dejarlo como estaba|ponlo como estaba"
        "|pongalo como estaba|ponlo como antes|pongalo como antes|vuelve a poner el texto anterior"
        "|vuelva a poner el texto anterior|vuelva a poner el texto antiguo|vuelve a poner el texto antiguo"
        "|pon el texto anterior|ponga el texto anterior|ponga el texto antiguo|pon el texto antiguo"
        "|ponga otra vez el texto anterior|volver al texto anterior|vuelva al texto anterior"
        "|vuelve al texto anterior|volver a la version anterior|vuelva a la version anterior"
        "|vuelve a la version anterior|restaurar el texto anterior|restaure el texto anterior"
        "|restaura el texto anterior|recupere el texto anterior|recuperar el texto anterior"
        "|quiero el texto anterior|quiero el texto antiguo"
    ),
    leave=(
        "no publicar|no publiques|no publique|no lo publiques|no lo publique|no publicarlo|no la publique|para"
        "|detengalo|cancelalo|cancelelo|cancela esto|cancele|cancelar esto|cancela el cambio|cancelar el cambio"
        "|anula|anular"
    ),
    reasons=(
        "fue un error|era un error|es un error|estaba mal|esta mal|mi error|perdon|lo siento|me equivoque"
        "|he cambiado de opinion|cambie de opinion"
    ),
    thanks=(
        "gracias|muchas gracias|mil gracias|muchisimas gracias|gracias por todo|gracias por su ayuda"
        "|gracias por la ayuda"
    ),
    courtesies="saludos|un saludo|cordialmente|saludos cordiales|por favor|buen dia",
    polite="por favor",
    greetings="hola|buenos dias|buenas tardes|buenas noches|buenas",
    only_here=(
        "vale|publicar|aprobar|aprobado|de acuerdo|aceptar|deshacer|deshaz|revertir|parar|detener|cancelar|estado"
        "|reintentar|repetir|otra vez|de nuevo|ayuda|si|claro|si claro|claro que si|por supuesto|adelante|gracias"
        "|muchas gracias|perfecto|muy bien|no publicar|no lo publique|me parece bien"
    ),
    own_letters=NOTHING,
    everywhere="en todas partes",
    choice="opcion|respuesta|numero|la|el",
    nth=("primera|primero|primer", "segunda|segundo", "tercera|tercero|tercer", "cuarta|cuarto", "quinta|quinto"),
)
_PROGRAMS = MailPrograms(
    wrote="escribió|escribio",
    originals="mensaje original",
    forwards="mensaje reenviado|inicio del mensaje reenviado",
    authors="de|remitente",
    subjects="asunto",
    answered="re",
    forwarded="rv",
    phone_lines=(
        "enviado (?:desde|de|con|por) (?:mi |el )?{any}{thing}{rest}|(?:obtener|obtenga|consiga|descargar) {app}{where}"
    ),
    phone_where="para|en",
    absences=(
        "respuesta automática|respuesta automatica|fuera de la oficina|fuera de oficina|ausente de la oficina"
        "|autorespuesta"
    ),
    perhaps_absences="ausente|ausencia",
    is_absent=NOTHING,
    of_itself="(?:este es un mensaje|[eé]sta es una respuesta) automátic[oa]",
    ticket=NOTHING,
    received=NOTHING,
    notice=(r"mensaje|\bcorreo", "confidencial", "destinatari[oa]", "elim[ií]n|borr|destruy"),
    scanned=(
        r"libre de virus\.?\s?(?:www\.)?(?:avast|avg)\.com.{0,300}"
        "|este correo electrónico ha sido comprobado.{0,200}(?:virus|malware).{0,300}"
    ),
    environment=r"medio\sambiente",
)
_LETTERS = Correspondence(
    greetings=r"hola|buen[oa]s\s\w{1,10}|estimad\w{1,3}",
    sign_offs=r"un\ssaludo|saludos(?:\scordiales)?|atentamente|cordialmente",
    thanks="gracias",
    asks=(
        r"abrimos|cerramos|por\sfavor|puede[sn]?|podría[sn]?|queremos|quiero|y\sdespués|además|cambi(?:a|ar|e|en)"
        "|reempla(?:za|zar|ce)|sustitu(?:ye|ir|ya)|añad(?:e|ir|a)|agreg(?:a|ar|ue)|borr(?:a|ar|e)|elimin(?:a|ar"
        "|e)|quit(?:a|ar|e)|pon|poner|ponga|actuali(?:za|zar|ce)|corrig(?:e|ir)|corrija"
    ),
    labels="teléfono|móvil",
    mail_labels="correo",
    streets=r"(?:calle|c/|avda?\.|avenida|plaza|paseo)\s?[^\d]{2,50}?,?\s?\d{1,4}",
    title_prefixes=NOTHING,
    titles="gerente|directora?|propietari[oa]|dueñ[oa]",
    registers=r"n\.?i\.?f\.?|c\.?i\.?f\.?",
    names_join="de|del|la|y",
    name_titles=NOTHING,
    spoken_of=(
        "número|datos|direcci|teléfon|móvil|equipo|compañer|nombre|empresa|abajo|siguient|mudanza|mudamos|nuev|añad"
    ),
    no_name="horario",
    pictures="foto|imagen",
    speaks_of_pictures="foto|ícono|adjunt",
    nth_picture=("primera", "segunda", "tercera", "cuarta", "quinta", "última|otra"),
    picture_shows="muestran?",
    picture_of="de|del",
    picture_goes="en|para",
    the="la",
    articles="nuestr[oa]s?|el|la|un|una",
    pointing="esta",
    is_="es|son",
    it="esta",
    and_="y",
    no_caption=r"pon\w*|a[ñn]ad\w*|página|gracias",
    notice_closed=r"cerrad[oa]s?|de\s+vacaciones",
    notice_orders=r"pon|ponga\w*|escrib\w*|muestr\w*|cambi\w*",
    relative_days="hoy|(?:pasado )?mañana|próxim[oa]|esta|este|que viene",
)
_SITE = SiteWords(
    few=(
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis"
        " diecisiete dieciocho diecinueve"
    ),
    tens="veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    compound="{ten} y {unit}",
    one="uno",
    hundreds=NOTHING,
    thousands="{unit} mil",
    more_numbers=(
        *(("cien", 100), ("veintiuno", 21), ("veintidos", 22), ("veintitres", 23), ("veinticuatro", 24)),
        *(("veinticinco", 25), ("veintiseis", 26), ("veintisiete", 27), ("veintiocho", 28), ("veintinueve", 29)),
    ),
    too_common="uno|once",
    in_context=NOTHING,
    noons="mediodía",
    midnights=NOTHING,
    half_past="y media",
    quarter_past="y cuarto",
    quarter_to="menos cuarto",
    half_past_before=NOTHING,
    half_to_before=NOTHING,
    quarter_past_before=NOTHING,
    quarter_to_before=NOTHING,
    early="de la mañana",
    late="de la tarde|de la noche",
    oclock="horas?|h",
    before_times="las",
    after_times=(
        "ahora cada con del desde hasta hoy los las mañana pero por todos lunes martes miércoles jueves viernes"
        " sábado sábados domingo domingos abierto cerrado"
    ),
    occasions="festivo",
    small_words=(
        "como cuando desde esta está este esto gracias hacer hola nuestra nuestro para pero página sitio sobre"
        " texto todo todos con del las los por que una más mis muy sin sus"
    ),
    costs="cuesta cuestan precio ahora",
    everywhere="todas las páginas|todo el sitio|en todas partes|cada página",
    dollars="dólares",
    pounds="libras",
    francs=NOTHING,
    euros="euros?",
    percent="por ciento",
    phone_labels="móvil|teléfono",
    speaks_of_phone="teléfono|número",
    speaks_of_mail="correo|dirección",
    speaks_of_link="enlace",
    speaks_of_account="cuenta",
    speaks_of_code="número",
    speaks_of_look="tamañ|negrita|cursiva|fuente|ocult|aspecto|fondo|azul|rojo|verde",
    moves=r"mueve|mover|orden\b",
    addresses=r"(?:Calle|C/|Avenida|Avda\.?|Plaza|Paseo)\s(?:[a-zé]{1,8}\s){0,3}{capital}(?:\s{capital})?,?\s\d{1,4}\b",
    streets_short=((r"\bavenida\b|\bavda\.", "avda"), (r"\bc/", "calle ")),
)
_AGENT = AgentWords(
    hours=r"\babrimos\b|\bcerramos\b|\bhorarios?\b",
    opens=r"abr[ie]\w*|abiert\w*",
    closes=r"cerr\w*|cierr\w*",
    closed="cerrad[oa]s?",
    in_doubt="navidad|nunca|no|cuando",
    around_hours="abrimos cerramos ahora desde hasta las los el nuestro nuestros horario y son es",
    other_wishes="precio teléfono",
    hour_words="una dos tres cuatro cinco seis siete ocho nueve diez once doce",
    before_time=r"(?:a|desde|hasta|de)\slas?|a|hasta",
    until_time=r"hasta(?:\slas?)?",
    through_time=r"a|(?:a|hasta)\slas?|hasta",
    part_of_day="tarde|noche",
    morning="mañana",
    through_days="a|al|hasta",
    every_day="todos los días",
    working_days="entre semana",
    weekends="fin(?:es)? de semana",
    phone="teléfono|número",
    place_picture=(
        r"(?:pon(?:ga|er)?|añad(?:a|ir|e)|coloque)\s(?:la|esta|una)\s(?:nueva\s)?foto(?P<about>)\s(?:en"
        r"|a)\sla\spágina\s(?P<page>.{1,60}?)"
    ),
    polite=r"por\sfavor|puede(?:n|s)?",
    polite_last=r"gracias|por\sfavor",
    change=r"cambi\w*|reemplaz\w*|sustitu\w*",
    into="por|en|a",
    on_page="en",
    about_hours=r"abierto\w*|horarios?",
    about_events=r"taller\w*|concierto\w*|curso\w*",
    call=r"teléfono|llam\w*",
    opens_at=r"abrimos\sa\slas",
    closes_at=r"cerramos\sa\slas",
    we_are="estamos",
    closed_days=r"los\s\w+s?",
    from_day=r"a\spartir\sde(?:l)?",
    from_terms="ahora",
    instead=r"en\svez\sde",
    because="porque",
    home="inicio",
    before_page="la|el|página|de",
    behind_page=NOTHING,
)
SPANISH = Language(
    code="es",
    name="Spanish",
    marker="responda por encima de esta marca",
    detected_by=(
        "el los las y nuestro nuestra nuestros nuestras usted su sus es está están son por pero hola gracias"
        " ahora tenemos abrimos una unos unas del al este esta estos estas muy más también hay horario cambiar"
        " poner añadir pueden quiero queremos lunes martes miércoles jueves viernes sábado domingo cerrado"
        " abierto página con"
    ),
    when=_WHEN,
    replies=_REPLIES,
    programs=_PROGRAMS,
    letters=_LETTERS,
    site=_SITE,
    agent=_AGENT,
)
