"""English, as the program knows it."""

from __future__ import annotations

from webordinary.languages.agent_words import AgentWords
from webordinary.languages.language import NOTHING, Correspondence, Language, MailPrograms, Replies, SiteWords, When

_WHEN = When(
    months=(
        *("january|jan", "february|feb", "march|mar", "april|apr", "may", "june|jun", "july|jul", "august|aug"),
        *("september|sept|sep", "october|oct", "november|nov", "december|dec"),
    ),
    weekdays=(
        *("monday|mon", "tuesday|tues|tue", "wednesday|weds|wed", "thursday|thurs|thur|thu", "friday|fri"),
        *("saturday|sat", "sunday|sun"),
    ),
    ahead=(("the day after tomorrow", 2), ("tomorrow", 1), ("today", 0)),
    next_before="next|coming|this coming|this",
    next_after=NOTHING,
    article="the",
    ordinal="st|nd|rd|th",
    of="of",
    of_year="of",
    day_of="on",
    at="at",
    oclock=r"o'clock|am|pm|a\.m\.?|p\.m\.?|h",
    noon="noon|midday",
    range_from="from|starting on|starting|on",
    range_to="to|until|till|til|through|thru|up to",
    between="between",
    between_and="and",
    until="until|till|til|through|up to",
    since="from|starting from|starting on|starting|as of|as from|effective from|effective|beginning on|beginning",
    loose_since="from",
    onwards="onwards|onward|on",
    on="on",
    including="and including|including",
    that="that|because|as|since|we",
    plus="and|as well as",
    joins="and|or",
    lasting="for",
    counts=(
        *(("a|one", 1), ("two", 2), ("three", 3), ("four", 4), ("five", 5), ("six", 6), ("seven", 7), ("eight", 8)),
        *(("nine", 9), ("ten", 10)),
    ),
    units=(("days?", 1), ("weeks?", 7), ("fortnight", 14)),
    per="a|each|every|per",
    closed="close(?! to)|clos(?:es|ed|ure)|shut|away|on (?:holidays?|vacation|leave)|company holidays?",
    opens="open(?:s|ed|ing)?|hours",
    costs="costs?|prices?",
    numbers="five|six|seven|eight|nine|ten|eleven|twelve|noon",
    orders="show|display|replace|hide|remove|take down|take off|put up|put|publish|use|swap|switch|make|close",
    moves="change|move|shift|update|set|rename",
    adds="add|insert|write|announce|post",
    publish=(
        "publish (?:it|this|that|these|them|everything|all(?: of (?:it|this))?|the (?:change|changes|page|text"
        "|notice))|(?:it |this |that )?(?:should |shall |must |can )?go(?:es)? (?:live|online)|(?:put"
        "|bring) (?:it|this|that|these|them|everything|the (?:change|changes|page|text|notice)) (?:live|online)"
    ),
    take_down=(
        "(?:take|bring) (?:it|this|that|them) (?:down|back|off|offline)|(?:remove|delete|revert|undo) (?:it|this"
        "|that|them)"
    ),
    take_back=(
        "(?:take|bring) (?:it|this|that|them) (?:down|back|off|offline)|(?:remove|delete|revert|undo) (?:it|this"
        "|that|them)"
    ),
    polite=(
        "please|kindly|(?:can|could|would|will) you(?: please)?|also|and|then|hello|hi|thanks|thank you|only|just"
        "|we (?:would )?(?:want|like) you to"
    ),
    no_wish=r"was|were|had|did|been|used to|not|never|no longer|cannot|if|whether|why|\w+n't",
    shows="show|display",
    event="closes",
    over="over|during",
    back="back|again",
    afterwards="again|back|as usual|normal(?:ly)?|regular|resume",
    to_be_read=r"(?:writ|wrote|say|announc|mention|tell|notice|note|state|inform)\w*\b[^.;:]*\bthat\b",
    next_week="(?:all |the whole )?(?:of )?next week",
    this_week="(?:for )?(?:the rest of )?this week",
    weekend="(?:this|this coming|the coming) weekend",
    in_month="in|during|all|throughout",
    again="(?:every|each)(?: other| second)? (?:{days}|week(?:end|day)?|month|year|day|morning|evening)",
    vague=(
        "(?:over|at|during|for|around) (?:the )?(?:christmas|xmas|easter|new year(?:'s)?|holidays|holiday season"
        "|festive season|summer|winter|thanksgiving|whitsun)(?: (?:break|holidays?|season|period|time))?|(?:in"
        "|this|next) (?:the )?(?:summer|winter|autumn|spring|fall)|next (?:weekend|month|year)|for (?:(?:a few"
        "|several|some|a couple of|the next few) (?:days|weeks)|a while)|(?:on )?(?:christmas (?:eve|day)"
        "|boxing day|new year's (?:eve|day)|good friday|easter (?:sunday|monday))|this (?:morning|afternoon"
        r"|evening)|tonight|on the \d{1,2}(?:st|nd|rd|th)|in (?:calendar )?week \d{1,2}"
    ),
    weekly="(?:on )?(?:{days})s",
    either="(?:at|on|over|for) the weekend",
    always="from now on|always|permanently|for good|for ever|forever|in future|in the future|generally|now",
    we="we|we're|we'll|i|i'm|i'll",
    changes="change|update|set|rename|replace|swap|correct|fix|raise|lower|remove|delete",
    also="also|too|besides|in addition|additionally|by the way|and another thing",
    all_of_it="it|this|these|those|them|everything|all of it",
    small=(
        "a actually after again all already also and as better but can could day days dear do end ends even"
        " extend extended extending for from go hello hey hi i instead is it its just keep kept leave let lets"
        " live longer make may me meant mistake move must my no not now of ok oh on only oops or please postpone"
        " prolong rather regards run say shall should show shown so sorry start starts stay stop take thank"
        " thanks that the then there this time to too until up was we will would yes you"
    ),
    abbreviations=r"st|a\.m|p\.m|e\.g|i\.e",
    month_may_lead=True,
)
_REPLIES = Replies(
    ok="ok|okay|publish|approve|approved",
    undo="undo|revert",
    stop="stop|cancel",
    status="status",
    again="again|try again|retry",
    help="help",
    yes="yes|yep|yeah|yup|sure|of course|absolutely|yes yes",
    mine=(
        "it is|it was|i did|i do|it's me|it is me|it was me|that's me|that was me|i wrote it|i wrote this"
        "|i wrote that|it's mine|it is mine|it's from me|it is from me|that's right|correct"
    ),
    publish=(
        "publish it|publish this|publish that|you can publish it|you may publish it|go ahead|do it|put it live"
        "|make it live|put it online|go live|i approve|approve it|ok from my side|ok from me|ok for me|ok by me"
        "|ok with me|it's ok|that's ok|this is ok|it is ok|all ok|good to go|ready to go|ready to publish"
        "|ok to publish|fine by me|fine with me|fine for me|fine from my side|good from my side|good for me"
        "|works for me|approved from my side|you have my ok|you can go live|please go live"
    ),
    praise=(
        "good|great|perfect|fine|wonderful|super|excellent|brilliant|fantastic|awesome|lovely|beautiful|amazing"
        "|looks good|looks great|looks perfect|looks fine|looks nice|looks fantastic|looks amazing|looks lovely"
        "|looks wonderful|looks excellent|looks super|looks right|looks good to me|looks great to me"
        "|looks fine to me|that's fine|that's perfect|that's great|this is perfect|this is great|it's perfect"
        "|it is perfect|it's great|that looks good|this looks good|it looks good|that looks great"
        "|this looks great|it looks great|it looks perfect|this looks perfect|that looks perfect|sounds good"
        "|sounds great|sounds perfect|very good|very nice|well done|great job|good job|great work|good work"
        "|exactly|exactly right|just right|i like it|i love it|love it|lgtm"
    ),
    no="no|nope|no no",
    doubt=(
        "maybe|perhaps|not yet|not now|not sure|i'm not sure|i am not sure|i don't know|later|wait|please wait"
        "|one moment|hold on|hm|hmm|mm|hmmm|nice|interesting|all good|alright|all right|i see|got it|understood"
        "|noted|seen|received|let me think"
    ),
    take_back=(
        "undo it|undo this|undo that|undo the change|undo this change|undo that change|undo the last change"
        "|please undo|revert it|revert this|revert that|revert the change|revert this change|take it back"
        "|take this back|take that back|take the change back|put it back|change it back|roll it back|roll back"
        "|could you undo this|as it was|as it was before|as before|like before|like it was|like it was before"
        "|the way it was|how it was before|the way it was before|back to how it was|back to the way it was"
        "|back to what it was|back to the old text|back to the old version|put the old text back"
        "|put back the old text|put the old version back|put the old one back|put back the old version"
        "|put it back as it was|put it back the way it was|put it back to how it was|put it back like it was"
        "|put everything back|put everything back as it was|change it back to how it was"
        "|change it back to the old text|change it back as it was|make it as it was|make it as it was before"
        "|make it like it was before|make it like before|restore it|restore the old text|restore the old version"
        "|restore the previous text|restore the previous version|bring back the old text|bring the old text back"
        "|bring back the old version|go back to the old text|go back to the old version|go back to how it was"
        "|i want the old text back|i want the old version back|i would like the old text back|leave it as it was"
        "|keep it as it was|leave it like it was|leave everything as it was"
    ),
    leave=(
        "no stop|stop it|stop this|stop that|please stop|stop stop|stop please|cancel it|cancel this|cancel that"
        "|please cancel|cancel the change|cancel this change|cancel the request|cancel my request|drop it"
        "|forget it|don't do it|don't publish|don't publish it|don't publish this|don't publish that"
        "|don't publish yet|do not publish|do not publish it|do not publish this|do not publish that"
        "|don't go live|do not go live|not publish"
    ),
    reasons=(
        "it was wrong|that was wrong|this was wrong|it's wrong|that's wrong|this is wrong|it is wrong|wrong"
        "|it was a mistake|that was a mistake|this was a mistake|my mistake|my fault|sorry|i made a mistake"
        "|i was wrong|i changed my mind|i've changed my mind|i have changed my mind|that's not what i wanted"
        "|that was not what i wanted"
    ),
    thanks=(
        "thanks|thank you|thank you very much|thank you so much|thanks a lot|thanks so much|many thanks|thx|ty"
        "|cheers|thanks again|thank you again|thanks a million|thank you all|thanks for your help"
        "|thank you for your help|thanks for the help|thanks for the quick help|thank you for the quick help"
        "|much appreciated|thanks everyone"
    ),
    courtesies=(
        "regards|best|best regards|bye|kind regards|warm regards|best wishes|please|have a nice day|have a great day"
    ),
    polite="please",
    greetings=(
        "hi|hello|hey|hi there|hello there|dear all|hi all|hello all|hi team|hello team|dear team|good morning"
        "|good afternoon|good evening|good day"
    ),
    only_here=NOTHING,
    own_letters=NOTHING,
    everywhere="everywhere",
    choice="the|option|choice|number|no",
    nth=(
        *("first|1st|first one", "second|2nd|second one", "third|3rd|third one", "fourth|4th|fourth one"),
        "fifth|5th|fifth one",
    ),
)
_PROGRAMS = MailPrograms(
    wrote="wrote|writes",
    originals="original message|reply message|original mail|original email",
    forwards="forwarded message|begin forwarded message|forwarded mail",
    authors="from",
    subjects="subject",
    answered="re",
    forwarded="fwd?",
    phone_lines=(
        "sent from (?:my |the )?{any}{device}{rest}|sent (?:from|with|via"
        "|by) (?:the )?{app}(?: secure email)?(?: app)?{where}|(?:get|download) {app}{where}"
        "|yahoo mail: search, organize, conquer"
    ),
    phone_where="for|on",
    absences=(
        "auto-reply|auto reply|autoreply|auto response|auto-response|automatic reply|automatic response"
        "|out of office|out-of-office|vacation reply|away from my mail|undeliverable"
        "|undelivered mail returned to sender|delivery status notification (failure)|delivery status notification"
        "|mail delivery failed|delivery failure|failure notice|mail delivery system|out of the office"
        "|out of office reply|out of office autoreply"
    ),
    perhaps_absences="vacation|on vacation|ooo|auto",
    is_absent="is (?:currently )?out of (?:the )?office",
    of_itself=(
        "this is an? auto(?:mated|matic|matically generated|-?generated)?[ -](?:reply|response|message|e-?mail"
        "|notification|answer|acknowledge?ment)|this (?:e-?mail|message|reply|response) (?:was|is"
        "|has been) (?:sent automatically|(?:automatically |auto-?)(?:generated|sent|created))"
    ),
    ticket="ticket|case|request|incident",
    received=(
        r"(?:request|ticket|case|enquiry|inquiry|message)\b.{0,60}\bhas been (?:received|created|opened|registered"
        "|logged)"
    ),
    notice=(
        r"\be-?mails?\b|\bmessages?\b",
        "confidenti|privileged",
        "recipient|addressee|intended (?:solely|only)",
        r"\bdelete|destroy|notify|prohibit",
    ),
    scanned=(
        r"virus-free\.?\s?(?:www\.)?(?:avast|avg)\.com.{0,300}|this (?:e-?mail|message) (?:has been"
        "|was) (?:checked|scanned).{0,200}(?:virus|malware).{0,300}|(?:please )?(?:consider"
        "|think of) the environment before printing.{0,100}"
    ),
    environment=r"before\sprinting|think\sbefore\syou\sprint|print\sthis\se?-?mail",
)
_LETTERS = Correspondence(
    greetings=r"hi|hello|hey|dear|good\s(?:morning|afternoon|evening|day)",
    sign_offs=(
        r"(?:with\s)?(?:my\s)?(?:(?:best|kind|kindest|warm|warmest|many)\s)*(?:regards|wishes)"
        r"|sincerely(?:\syours)?|yours(?:\s(?:sincerely|faithfully|truly))?|best|cheers"
    ),
    thanks=r"(?:many\s)?thanks|thank\syou",
    asks=(
        r"please|pls|can\syou|could\syou|would\syou|we\s(?:need|want|would\slike)|i\s(?:need|want|would\slike)"
        r"|we\s(?:now\s)?(?:open|close)|(?:then|and|also|now|next)[,:]?\s(?:the|we|on|in|at|for)\b|change|replace"
        "|add|remove|delete|update|put|move|show|hide|write|rename|swap|upload|publish|correct|insert|set"
    ),
    labels="tel(?:ephone)?|phone|fax|mobile?|cell|office|direct|whatsapp|main|[ptfmoc]",
    mail_labels="(?:e-?)?mail|[e@]",
    streets=(
        r"(?:[^\W\d_][\w.'\u2019-]*\s){0,4}?[^\W\d_]*(?:street|road|lane|avenue"
        r"|square)\s?\d{1,4}\s?[a-z]?(?:\s?-\s?\d{1,4})?"
        r"|\d{1,4}[a-z]?,?\s(?:[^\W\d_][\w.'\u2019-]*\s){0,4}?(?:street|st\.?|road|rd\.?|lane|avenue|ave\.?"
        r"|square)|\d{1,5}[a-z]?,?\s(?-i:[A-Z][\w.'\u2019-]*\s){1,4}?(?:blvd\.?|boulevard|drive|dr\.?|way|court"
        r"|ct\.?|place|pl\.?|highway|hwy\.?|parkway|terrace|close|mews|gardens|st|ave|rd|ln\.?|street|road|lane"
        r"|avenue)(?:,?\s(?:suite|ste\.?|unit|apt\.?|floor|#)\s?\w{1,6})?|(?:suite|unit|flat|floor"
        r"|apt\.?)\s\w{1,6}|p\.?o\.?\sbox\s\d{1,7}"
    ),
    title_prefixes="assistant|general|managing|sales|marketing|office",
    titles=(
        r"owner|manager|director|ceo|cto|cfo|founder|chef|head\sof\s\w{2,20}|president|partner|vice\spresident"
        "|co-?founder|co-?owner|proprietor"
    ),
    registers=r"vat(?:\sno\.?)?|company\s(?:no|number)\.?",
    names_join="and",
    name_titles="[Dd]r|[Pp]rof|mr|mrs|ms",
    spoken_of=(
        r"address|contact|telephone|phone|tel\b|fax|mobil|number|e-?mail|imprint|team|colleague|staff|employee"
        r"|partner|sponsor|name|firm|compan|signatur|footer|below|following|mov(?:e|ed|ing)\b|new\b|add\b"
    ),
    no_name="hours|open|closed|please|change|remove",
    pictures="photo(?:graph)?|picture|image|pic",
    speaks_of_pictures=r"pictur|photo|\bpics?\b|imag|logo|\bicon|banner|graphic|screenshot|attach",
    nth_picture=("first|1st", "second|2nd", "third|3rd", "fourth|4th", "fifth|5th", "last|other"),
    picture_shows=r"shows?|is\sof|are\sof|depicts?",
    picture_of="of|showing",
    picture_goes="on|onto|to|for|at|in|below",
    the="the",
    articles="the|our|my|an?",
    pointing="this|that|these",
    is_="is|are",
    it="it|they|this|these",
    and_="and",
    no_caption=r"please|put|place|add|use|show|change|replace|remove|page|site|thank\w*|regards|hello|hi|dear",
    notice_closed=r"closed|on\s+holidays?|on\s+vacation",
    notice_orders="please|can|could|put|write|add|show|tell|say|set|change|replace|remove|hide",
    relative_days="today|tomorrow|next|this|coming",
)
_SITE = SiteWords(
    few=(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen"
    ),
    tens="twenty thirty forty fifty sixty seventy eighty ninety",
    compound="{ten}-{unit}",
    one="one",
    hundreds="{unit} hundred",
    thousands="{unit} thousand",
    more_numbers=(("hundred", 100),),
    too_common="one",
    in_context=NOTHING,
    noons="noon|midday",
    midnights="midnight",
    half_past=NOTHING,
    quarter_past=NOTHING,
    quarter_to=NOTHING,
    half_past_before="half past|half",
    half_to_before=NOTHING,
    quarter_past_before="quarter past",
    quarter_to_before="quarter to",
    early="in the morning",
    late="in the afternoon|in the evening|at night|tonight",
    oclock="o.clock",
    before_times="around at till until",
    after_times=(
        "and but daily during each every for from instead not now only please rather sharp than then this till"
        " today tomorrow tonight until when while with all again always both also too that these monday mondays"
        " tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays sunday"
        " sundays weekdays weekends open opens close closes"
    ),
    occasions="holiday noon evening",
    small_words=(
        "about also change from have hello home into just make more page please section sentence site some text"
        " thank thanks that their them then there they this what when will with would your and are but can for"
        " has its not now our out the was you all any had her his how new off one per set she too two who why"
    ),
    costs="cost costs price priced",
    everywhere="everywhere|all (?:the |our |my )?pages|every page|(?:whole|entire) (?:web)?site|throughout",
    dollars="dollars?",
    pounds="pounds?",
    francs="francs?",
    euros="euros?",
    percent="percent|per cent",
    phone_labels="tel|phone|fax|mobile|whatsapp|number|call",
    speaks_of_phone=r"phone|tel\b|number|mobil|fax",
    speaks_of_mail="mail|address",
    speaks_of_link="link|website|web",
    speaks_of_account="iban|account|bank",
    speaks_of_code="code|wallet|bitcoin|ethereum|crypto|number",
    speaks_of_look=(
        "colou?r|size|bold|italic|font|hid(?:e|den)|style|design|layout|look|cent(?:re|er)|background|bigger"
        r"|smaller|larger|blue|red\b|green"
    ),
    moves=r"moved?|swap|reorder|order of|to the (?:top|bottom)\b",
    addresses=(
        r"\d{1,5}[a-zA-Z]?\s(?:{capital}\s){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Square|Sq)\b\.?"
        r"|{capital}\s(?:Street|St|Road|Rd|Avenue|Ave|Lane|Square|Sq)\b\.?\s\d{1,5}\b"
    ),
    streets_short=((r"\bstreet\b|\bst\.", "st"), (r"\broad\b|\brd\.", "rd"), (r"\bavenue\b|\bave\.", "ave")),
)
_AGENT = AgentWords(
    hours=(
        r"\bwe(?:['\u2019](?:re|ll)|\sare|\swill|\sshall)?(?:\s(?:now|be|only|also|always|going\sto|then"
        r"|only))*\s(?:open|clos)(?:e|ing)?\b|\b(?:shop|store|bakery|caf[eé]|restaurant|office|studio|salon|bar"
        r"|business)\s(?:now\s)?(?:opens|closes)\b|\b(?:opening|business|closing|office|shop|store)[\s-](?:hours?"
        r"|times?)\b|\bhours\b|^open\b"
    ),
    opens=r"open\w*|start\w*",
    closes=r"clos\w*|shut\w*",
    closed="closed",
    in_doubt=(
        r"tomorrow|today|tonight|yesterday|this\s(?:week|month|\w+day)|next\s(?:week|month|\w+day)|christmas"
        r"|easter|new\syear\w*|holidays?|january|february|march|april|june|july|august|september|october|november"
        r"|december|no\slonger|never|not|no|if|whether|when|why|would|might|maybe|perhaps|used\sto|until\snow"
    ),
    around_hours=(
        "we our us the a new now open opens opening close closes closing hours hour time times are is be will at"
        " on in and from to of shop store bakery please update change set website site page so that as well both"
        " also only again always future already later earlier just every all day days currently until till re ll"
        " regular move shift it they make sure says say should for this your my with"
    ),
    other_wishes=(
        "cost costs price prices phone number title heading photo picture image add remove delete replace put"
        " called named sell offer"
    ),
    hour_words="one two three four five six seven eight nine ten eleven twelve",
    before_time="at|from|until|till?|to|by",
    until_time="until|till?",
    through_time="until|till?|to",
    part_of_day="afternoon|evening|night",
    morning="morning",
    through_days="to|until|till?|thru|through",
    every_day="every ?day|daily|all week|seven days a week",
    working_days="week-?days?|working days?",
    weekends="week-?ends?",
    phone="(?:tele)?phone|mobile|tel",
    place_picture=NOTHING,
    polite=(
        r"please|kindly|(?:could|can|would|will)\s(?:you|someone)|(?:i|we)(?:['\u2019]d"
        r"|\swould)\s(?:also\s)?like(?:\syou)?\sto|(?:i|we)\s(?:want|need)(?:\syou)?\sto"
    ),
    polite_last=r"please|thanks|thank\syou",
    change="change|replace|swap|update|rename|correct|fix|turn",
    into="to|with|by|into|for",
    on_page="on|in|at|of|from|to|onto|for|under",
    about_hours=r"open\w*|hours|clos\w+",
    about_events=(
        r"workshops?|class(?:es)?|courses?|events?|concerts?|meetings?|markets?|tastings?|deliver\w*|happy hour"
        "|lunch|breakfast|brunch"
    ),
    call="(?:tele)?phone|tel|call|ring|mobile",
    opens_at=r"opens?(?:\s\w{1,12})?\s(?:at|from)",
    closes_at=r"clos(?:e|es|ing)\sat|open\s(?:until|till?)",
    we_are=r"(?:we|the\s\w+)(?:['\u2019]re|\s(?:are|is|will\sbe))?(?:\s(?:now|always))?",
    closed_days=r"(?:on\s)?\w+days(?:\sand\s\w+days)?|every\s\w+day",
    from_day=r"from|starting(?:\sfrom)?|beginning|as\sof|effective",
    from_terms=(
        "week|month|now|today|tomorrow|january|february|march|april|may|june|july|august|september|october"
        "|november|december"
    ),
    instead=r"instead\sof|rather\sthan|not",
    because=r"because|due\sto|since|owing\sto",
    home="home|front|start|main|index|landing|first|welcome",
    before_page="the|our|my|your|page",
    behind_page="page|site",
)
ENGLISH = Language(
    code="en",
    name="English",
    marker="reply above this line",
    detected_by=(
        "the and we our you your is are was with from of at this that these it its not please now have has will"
        " be would should could can new open closed opening to on my hello hi thanks thank change put add remove"
        " page website they their as instead here there which what when"
    ),
    when=_WHEN,
    replies=_REPLIES,
    programs=_PROGRAMS,
    letters=_LETTERS,
    site=_SITE,
    agent=_AGENT,
)
