"""French, as the program knows it."""

from __future__ import annotations

from webordinary.languages.agent_words import AgentWords
from webordinary.languages.language import NOTHING, Correspondence, Language, MailPrograms, Replies, SiteWords, When

_WHEN = When(
    months=(
        *("janvier|janv", "février|fevrier|févr|fév", "mars", "avril|avr", "mai", "juin", "juillet|juil"),
        *("août|aout", "septembre|sept", "octobre|oct", "novembre|nov", "décembre|decembre|déc|dec"),
    ),
    weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    ahead=(("après-demain", 2), ("demain", 1), ("aujourd'hui", 0)),
    next_before="ce",
    next_after="prochain",
    article="le|la",
    ordinal="er",
    of="de",
    of_year="de",
    day_of="le|du",
    at="à|dès",
    oclock="heures|heure|h",
    noon="midi",
    range_from="du|de|à partir du|à partir de",
    range_to="au|à|jusqu'au|jusqu'à",
    between="entre",
    between_and="et",
    until="jusqu'au|jusqu'à|jusque",
    since="à partir du|à partir de|à compter du|à compter de|dès le|dès",
    loose_since=NOTHING,
    onwards=NOTHING,
    on="le",
    including="inclus",
    that="que|car|nous|parce que",
    plus="et|ainsi que",
    joins="et|ou",
    lasting="pendant|pour|durant",
    counts=(
        *(("un|une", 1), ("deux", 2), ("trois", 3), ("quatre", 4), ("cinq", 5), ("six", 6), ("sept", 7)),
        *((NOTHING, 8), ("neuf", 9), ("dix", 10)),
    ),
    units=(("jours?", 1), ("semaines?", 7)),
    per="par",
    closed="ferm(?:é|ée|és|ées|ons|erons|eture)|en vacances|congés?",
    opens="ouvr(?:ons|e|ent|ir)|ouverts?|ouvertes?|ouverture|horaires?",
    costs="coûtent|coûte|coute|prix|tarifs?",
    numbers="cinq|six|sept|huit|neuf|dix|onze|douze|midi",
    orders=r"affich\w*|remplac\w*|montr\w*|publi(?:er|ez|e)|masqu\w*|retir\w*|enlev\w*|mett(?:re|ez)|mets|utilis\w*",
    moves=r"chang\w*|modifi\w*|déplac\w*|pass(?:er|ez)",
    adds=r"ajout\w*|écri\w*|annonc\w*",
    publish=(
        "publi(?:er|ez|e)(?:-le|-la|-les)?(?: (?:ceci|cela|le tout|la modification|les modifications|tout))?"
        "|m(?:ettre|ettez|ets)(?:-le|-la|-les)? en ligne"
    ),
    take_down=r"(?:retir\w*|enlev\w*|supprim\w*|annul\w*)(?:-le|-la|-les)?",
    take_back=r"(?:retir|enlev|supprim)\w*-(?:le|la|les)|(?:le|la|les) (?:retirer|enlever|supprimer)",
    polite=(
        "merci de|veuillez|s'il vous plaît|s'il te plaît|svp|stp|pouvez-vous|pourriez-vous|peux-tu|aussi|et|puis"
        "|bonjour|merci|à|seulement|uniquement"
    ),
    no_wish=r"était|étions|étaient|avons été|ne|n'\w+|pas|jamais|si|pourquoi",
    shows="affich|montr",
    event=NOTHING,
    over="pendant|durant",
    back=r"retour|rouvr\w*|reprise",
    afterwards=r"retour|normalement|nouveau|habituel\w*|période",
    to_be_read=r"(?:écri|annonc|indiqu|mention|inform|avis|dire|dis|dites)\w*\b[^.;:]*\bqu(?:e\b|[\u2019'])",
    next_week="(?:toute )?la semaine prochaine",
    this_week="(?:toute )?cette semaine",
    weekend="ce week-end|ce weekend",
    in_month="en|tout le mois de|tout le mois d'|au mois de|au mois d'",
    again=(
        "tous les (?:(?:{days})s|jours|mois|matins|soirs|week-ends|ans)|toutes les semaines|chaque (?:{days}|jour"
        "|semaine|mois|week-end|année|matin|soir)"
    ),
    vague=(
        r"(?:à|pour|pendant|durant) (?:noël|pâques|(?:les )?(?:fêtes|vacances)(?: (?:de |d'|scolaires)\w*)?|l'été"
        "|le nouvel an)|(?:le )?(?:jour de noël|réveillon|jour de l'an)|la veille de noël|cet après-midi"
        r"|ce (?:matin|soir)|le \d{1,2}(?:er)?|(?:en|cet) (?:été|hiver|automne)|au printemps|le (?:mois"
        "|week-end) prochain|l'an prochain|(?:pendant |pour )?(?:quelques|plusieurs) (?:jours|semaines)"
    ),
    weekly=r"(?:les (?:{days})s?|le (?:{days}))(?! (?:prochain|\d))",
    either="le week-end|le weekend",
    always="désormais|dorénavant|toujours|à l'avenir|maintenant|définitivement|pour de bon|dès maintenant",
    we="nous|je",
    changes=r"chang\w*|modifi\w*|remplac\w*|corrig\w*|mett(?:re|ez) à jour|supprim\w*|augment\w*|baiss\w*",
    also="aussi|également|en plus|de plus|par ailleurs|d'ailleurs",
    all_of_it=r"cela|ceci|ça|tout|\w{1,20}-(?:le|la|les)",
    small=(
        "à alors au aussi avec bien bonjour ça ce cela cette changer commence déjà demande désolé désolée du"
        " encore en erreur est et finalement fin finisse il je jour jours jusqu jusque l laisse laisser laissez"
        " la le les ligne mais merci mieux n nous non ou oui pardon pas peut plaît plus plutôt pour pouvez"
        " prolonge prolonger prolongez puis que qu rester reste s salut seulement si stp svp te tu va veuillez"
        " voulais vous dire date"
    ),
    abbreviations="août",
)
_REPLIES = Replies(
    ok="publier|publiez|publie|d'accord|approuver|approuve|valider|valide",
    undo="annuler|annulez|annule",
    stop="arreter|arretez|arrete",
    status="statut|etat",
    again="encore|reessayer|recommencer|a nouveau|reessayez",
    help="aide",
    yes="oui|ouais|bien sur|oui bien sur|evidemment",
    mine=(
        "c'est moi|c'etait moi|c'est bien moi|c'etait bien moi|c'est de moi|c'est mon message|c'est exact|je l'ai ecrit"
    ),
    publish=(
        "publiez-la|publiez-le|publiez la|publiez le|vous pouvez publier|vous pouvez la publier"
        "|vous pouvez le publier|avec plaisir|allez-y|mettez en ligne|mettez-la en ligne|ok pour moi|c'est ok"
        "|c'est ok pour moi|bon pour moi|c'est bon pour moi|je suis d'accord|je valide|j'approuve"
        "|vous pouvez y aller|on publie"
    ),
    praise=(
        "parfait|tres bien|c'est parfait|c'est bon|c'est bien|c'est tres bien|bien|super bien|excellent travail"
        "|impeccable|magnifique|genial|formidable|ca me va|cela me va|ca me convient|cela me convient|tres joli"
        "|ca marche|nickel|c'est super|exactement"
    ),
    no="non",
    doubt=(
        "peut-etre|pas encore|pas maintenant|plus tard|attendez|un moment|je ne sais pas|compris|bien recu|tout va bien"
    ),
    take_back=(
        "annulez cela|annulez ca|annulez la modification|annuler la modification|annulez cette modification"
        "|annule ca|annuler cette modification|annulez tout|revenez en arriere|revenir en arriere|annulez-la"
        "|annulez-le|comme avant|comme c'etait|comme c'etait avant|comme auparavant|tel que c'etait"
        "|tout comme avant|remettez comme avant|remettez comme c'etait|remettez comme c'etait avant"
        "|remets comme avant|remettre comme avant|remettez tout comme avant|remettez l'ancien texte"
        "|remets l'ancien texte|remettre l'ancien texte|remettez l'ancienne version|remets l'ancienne version"
        "|remettre l'ancienne version|retablissez l'ancien texte|retablir l'ancien texte"
        "|retablissez l'ancienne version|retablir l'ancienne version|revenez a l'ancien texte"
        "|revenir a l'ancien texte|revenez a l'ancienne version|revenir a l'ancienne version"
        "|reprenez l'ancien texte|je veux l'ancien texte|je voudrais l'ancien texte|laissez comme c'etait"
        "|laissez comme avant"
    ),
    leave=(
        "ne publiez pas|ne pas publier|ne le publiez pas|ne la publiez pas|ne publie pas|arretez tout|arretez ca"
        "|arretez cela|ne mettez pas en ligne|ne pas mettre en ligne"
    ),
    reasons=(
        "c'etait une erreur|c'est une erreur|c'est faux|c'etait faux|mon erreur|desole|desolee|je me suis trompe"
        "|je me suis trompee|j'ai change d'avis|pardon"
    ),
    thanks=(
        "merci|merci beaucoup|merci bien|un grand merci|merci a vous|mille mercis|merci pour votre aide|merci d'avance"
    ),
    courtesies=(
        "cordialement|bien cordialement|salutations|svp|bonne journee|s'il vous plait|s'il te plait|bonne soiree"
    ),
    polite="s'il vous plait|s'il te plait|svp",
    greetings="bonjour|bonsoir|salut",
    only_here=(
        "publier|publiez|d'accord|approuver|approuve|valider|valide|annuler|annulez|arreter|arretez|statut|etat"
        "|encore|reessayer|recommencer|a nouveau|aide|oui|ouais|bien sur|oui bien sur|avec plaisir|allez-y|merci"
        "|parfait|ne publiez pas|ne pas publier|c'est parfait|tres bien|ca me va"
    ),
    own_letters=NOTHING,
    everywhere="partout",
    choice="numero|n°|n|choix|reponse|la|le",
    nth=("premiere|premier|1re|1er", "deuxieme|seconde|2e", "troisieme|3e", "quatrieme|4e", "cinquieme|5e"),
)
_PROGRAMS = MailPrograms(
    wrote="écrit",
    originals="message d'origine|message original|courriel original",
    forwards="message transféré|début du message transféré|début du message réexpédié|message transmis",
    authors="de|expéditeur",
    subjects="objet",
    answered="rép",
    forwarded="tr",
    phone_lines=(
        "provenance : courrier{where}|(?:envoyé|envoye) (?:de|depuis|à partir de|avec|via) (?:mon |ma "
        "|l'appareil )?{any}{thing}{rest}|(?:obtenez|télécharger|téléchargez) {app}{where}"
    ),
    phone_where="pour|sur",
    absences=(
        "réponse automatique|absence du bureau|absent du bureau|message d'absence|avis d'absence|réponse d'absence"
    ),
    perhaps_absences="absent|absence",
    is_absent=NOTHING,
    of_itself="ceci est (?:une réponse|un message) automatique",
    ticket=NOTHING,
    received=NOTHING,
    notice=("courriel", "confidenti", "destinataire", "détrui|supprim|avert|interdi"),
    scanned=(
        r"(?:garanti )?sans virus\.?\s?(?:www\.)?(?:avast|avg)\.com.{0,300}"
        "|cet e-?mail a été vérifié.{0,200}(?:virus|malware).{0,300}"
    ),
    environment="l'environnement",
)
_LETTERS = Correspondence(
    greetings="bonjour|bonsoir|salut",
    sign_offs=r"(?:bien\s)?cordialement|bien\sà\svous|(?:meilleures\s)?salutations",
    thanks="merci",
    asks=(
        r"nous\s(?:ouvrons|fermons)|s'il\s(?:vous|te)\splaît|svp|merci\sde|pouvez-vous|pourriez-vous|nous\svoulons"
        r"|je\svoudrais|et\sensuite|chang(?:ez|er)|remplac(?:ez|er)|ajout(?:ez|er)|supprim(?:ez|er)|enlev(?:ez|er)"
        "|mettez|mettre|modifi(?:ez|er)|corrig(?:ez|er)|retir(?:ez|er)|écrivez|déplac(?:ez|er)"
    ),
    labels="téléphone|tél|portable",
    mail_labels="courriel",
    streets=r"\d{1,4}(?:\s?(?:bis|ter))?,?\s(?:rue|avenue|boulevard|bd|place|quai|chemin|impasse)\s[^\d]{2,50}",
    title_prefixes=NOTHING,
    titles="gérante?|directeur|directrice|propriétaire",
    registers="siret|siren|rcs",
    names_join="de|la|le|et",
    name_titles="mme|m",
    spoken_of=r"numéro|mentions|coordonn|téléphon|équipe|collègue|nom\b|sociét|dessous|suivant|déménag|nouve|ajout",
    no_name="horair",
    pictures="photo|image",
    speaks_of_pictures="photo|icône|joint",
    nth_picture=("première|premiere", "deuxième|seconde", "troisième", "quatrième", "cinquième", "dernière"),
    picture_shows="montren?t?",
    picture_of="de|du",
    picture_goes="sur|pour|en",
    the="la|le|l['\u2019]",
    articles="notre|nos|le|la|les|un|une",
    pointing="voici|c['\u2019]",
    is_="est",
    it="elle",
    and_="et",
    no_caption=r"mett\w*|ajout\w*|merci",
    notice_closed=r"ferm[ée]e?s?|en\s+vacances",
    notice_orders="merci|mettez|écrivez|affichez|ajoutez|remplacez",
    relative_days="aujourd.hui|(?:après-)?demain|prochaine?|cette|ce",
)
_SITE = SiteWords(
    few=(
        "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept"
        " dix-huit dix-neuf"
    ),
    tens="vingt trente quarante cinquante soixante",
    compound="{ten}-{unit}",
    one="un",
    hundreds="{unit} cents",
    thousands="{unit} mille",
    more_numbers=(
        *(("vingt et un", 21), ("trente et un", 31), ("quarante et un", 41), ("cinquante et un", 51)),
        ("soixante et un", 61),
    ),
    too_common="un",
    in_context=NOTHING,
    noons="midi",
    midnights="minuit",
    half_past="et demie?",
    quarter_past="et quart",
    quarter_to="moins le quart",
    half_past_before=NOTHING,
    half_to_before=NOTHING,
    quarter_past_before=NOTHING,
    quarter_to_before=NOTHING,
    early="du matin",
    late="de l.apr[èe]s-midi|du soir",
    oclock="heures?|h",
    before_times=NOTHING,
    after_times=(
        "avec aujourd chaque dans demain ensuite jusqu jusque les maintenant mais pas plutôt pour puis sauf tous"
        " lundi mardi mercredi jeudi vendredi samedi dimanche ouvert fermé"
    ),
    occasions="férié midi soir",
    small_words=(
        "avec bonjour cette dans elle faire leur mais merci notre nous plus pour sont texte tous tout votre vous"
        " aux ces est les nos par pas qui son sur une mes que ses vos"
    ),
    costs="coûte coûtent prix passe",
    everywhere="partout|toutes les pages|tout le site|chaque page",
    dollars="dollars?",
    pounds=NOTHING,
    francs="francs?",
    euros="euros?",
    percent="pour cent",
    phone_labels="téléphone|tél",
    speaks_of_phone="téléphone|num[ée]ro",
    speaks_of_mail="courriel|adresse",
    speaks_of_link="lien",
    speaks_of_account="compte",
    speaks_of_code="num[ée]ro",
    speaks_of_look=r"couleur|taille|gras|italique|police|cach|aspect|fond|centr|bleu|rouge|vert\b",
    moves=r"déplace|invers|ordre|tout en (?:haut|bas)\b",
    addresses=(
        r"\d{1,4}(?:\s?bis|\s?ter)?,?\s(?:rue|avenue|boulevard|place|chemin|quai"
        r"|impasse)\s(?:[\w'\u2019]{1,15}\s){0,4}{capital}"
    ),
    streets_short=((r"\bbd\b\.?", "boulevard"),),
)
_AGENT = AgentWords(
    hours=r"\bnous\s(?:ouvrons|fermons)\b|\bon\s(?:ouvre|ferme)\b|\bhoraires?\b|\bouvert",
    opens=r"ouvr\w*|ouvert\w*",
    closes=r"ferm\w*",
    closed="fermés?",
    in_doubt="demain|noël|pas|jamais|quand",
    around_hours="nous ouvrons fermons maintenant désormais à et nos les horaires sont de du le la au ouvre ferme",
    other_wishes="prix téléphone",
    hour_words=(
        "une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept"
        " dix-huit dix-neuf vingt"
    ),
    before_time=r"à|dès|de|jusqu['\u2019]à",
    until_time=r"jusqu['\u2019]à",
    through_time=r"jusqu['\u2019]à|à",
    part_of_day="après-midi|soir",
    morning="matin",
    through_days="au|à",
    every_day="tous les jours",
    working_days="en semaine",
    weekends="week-?ends?",
    phone="téléphone|numéro",
    place_picture=(
        r"(?:met(?:s|tez|tre)|ajoute[zr]?|place[zr]?)\s(?:la|cette|une)\s(?:nouvelle\s)?photo(?P<about>)\s(?:sur|à"
        r"|en)\sla\spage\s(?P<page>.{1,60}?)"
    ),
    polite=r"s['\u2019]il\s(?:vous|te)\spla[iî]t|pouvez[- ]vous",
    polite_last=r"merci|s['\u2019]il\s(?:vous|te)\spla[iî]t",
    change=r"remplac\w*|modifi\w*",
    into="par|en",
    on_page="sur",
    about_hours=r"ouvert\w*|horaires?",
    about_events="ateliers?|cours",
    call=r"téléphone|appel\w*",
    opens_at=r"ouvrons\sà",
    closes_at=r"fermons\sà",
    we_are=r"nous(?:\ssommes)?",
    closed_days=r"tous\sles\s\w+s",
    from_day=r"à\spartir\sde",
    from_terms="maintenant",
    instead=r"au\slieu\sde",
    because=r"parce\sque",
    home="accueil",
    before_page="la|le|page|de",
    behind_page=NOTHING,
)
FRENCH = Language(
    code="fr",
    name="French",
    marker="votre texte au-dessus de cette ligne",
    detected_by=(
        "le les des et nous notre nos vous votre vos est sont avec pour dans sur pas merci maintenant avons"
        " ouvrons une du au aux ce cette ces il elle qui ne plus bonjour salut changer ajouter mettre peut pouvez"
        " je j l d c s n qu bien heures lundi mardi mercredi jeudi vendredi samedi dimanche fermé ouvert"
    ),
    when=_WHEN,
    replies=_REPLIES,
    programs=_PROGRAMS,
    letters=_LETTERS,
    site=_SITE,
    agent=_AGENT,
)
