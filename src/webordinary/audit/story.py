"""The trail in plain words, one line for each thing that happened."""

from __future__ import annotations

from webordinary.audit.entry import Entry, EventType

_WORDS = {
    EventType.MAIL_RECEIVED: "a mail arrived by {door} ({size}), safe as {mail}",
    EventType.MAIL_HELD: "the mail {mail} of {sender} is held, nothing will be done: {text}",
    EventType.MAIL_REFUSED: "the mail {mail} of {sender} was refused: {text}",
    EventType.MAIL_FROM_STRANGER: "the mail {mail} of {sender} was refused, who is no editor: {text}",
    EventType.MAIL_QUARANTINED: "the mail {mail} in the name of {sender} is forged and was put aside: {text}",
    EventType.MAIL_DROPPED: "the mail {mail} in the name of {sender} is forged and was dropped: {text}",
    EventType.MAIL_IGNORED: "the mail {mail} of {sender} was refused in silence: {text}",
    EventType.MAIL_LIMITED: "the mail {mail} of {sender} is one too many: {text}",
    EventType.MAIL_OF_THANKS: "the mail {mail} of {sender} starts nothing: {text}",
    EventType.MAIL_ANSWERED: "the mail {mail} of {sender} is answered at once and starts nothing: {text}",
    EventType.MAIL_CONFIRMED: "the mail {mail} of {sender} confirms another one: {text}",
    EventType.MAIL_RELEASED: "the held mail {mail} of {sender} was released ({method})",
    EventType.MAIL_TURNED_AWAY: "the held mail {mail} was turned away: {text}",
    EventType.MAIL_AUTOMATIC: "the mail {mail} of {sender} is automatic and was ignored: {text}",
    EventType.MAIL_REPEATED: "the mail {mail} of {sender} came before: {text}",
    EventType.PROPOSAL_CLOSED: "the proposal of {job} is closed by {by} ({standing}): {text}",
    EventType.SCHEDULE_CLOSED: "what {job} had planned is off the list ({phase}), by {by}",
    EventType.MAIL_REPLAYED: "{by} lets {of} be decided again, as {mail}",
    EventType.JOB_ACCEPTED: "it asks for {job} in the lane {lane}: {text}",
    EventType.JOB_QUEUED: "{job} waits for its turn in {lane}",
    EventType.JOB_STARTED: "{worker} started {job}",
    EventType.JOB_RESUMED: "{worker} goes on with {job}, attempt {attempt}",
    EventType.JOB_DONE: "{job} is done ({outcome}): {text}",
    EventType.JOB_FAILED: "{job} failed: {text}",
    EventType.JOB_STOPPED: "{job} was stopped: {text}",
    EventType.JOB_DEAD: "{job} was given up: {text}",
    EventType.JOB_PARKED: "{job} was set aside for {by}",
    EventType.JOB_GIVEN_BACK: "{worker} gave {job} back, it keeps its place",
    EventType.JOB_RETRIED: "{job} will be tried again in {wait_s} s: {text}",
    EventType.JOB_REDRIVEN: "{by} asked for {repeats} again, as {job}",
    EventType.INTERRUPT_ASKED: "{job} shall make way for {by}: {why}",
    EventType.STOP_ASKED: "{by} asked {job} to stop",
    EventType.LANE_CLAIMED: "{worker} claimed the lane {lane} under fence {fence}",
    EventType.LANE_RELEASED: "{worker} released the idle lane {lane}",
    EventType.LANE_GIVEN_BACK: "{worker} gave the lane {lane} back",
    EventType.LEASE_LAPSED: "the lease on {lane} has lapsed",
    EventType.AGENT_SAID: "the agent says: {text}",
    EventType.COMMIT_POINT: "the commit point is passed, from here it is finished ({commit})",
    EventType.COMMIT_REOPENED: "back before the commit point: {text}",
    EventType.SETTLED: "the commit of {job} was settled: {text}",
    EventType.ANSWERED: "the {kind} for {job}{mail} was sent: {text}",
    EventType.ANSWER_DELAYED: "the {kind} for {job}{mail} could not be sent yet: {text}",
    EventType.ANSWER_GIVEN_UP: "the {kind} for {job}{mail} was given up: {text}",
    EventType.ANSWER_HELD: "the {kind} for {job} waits for the agency's eye: {text}",
    EventType.ANSWER_EDITED: "{by} put other words into the {kind} for {job}",
    EventType.ANSWER_RELEASED: "{by} let the {kind} for {job} go out",
    EventType.ANSWER_TAKEN_BACK: "{by} took the {kind} for {job} back, it is not sent: {text}",
    EventType.MAIL_BOUNCED: "a mail to {address} came back ({letter}): {text}",
    EventType.BOUNCES_CLEARED: "{by} lets {address} be written to again",
    EventType.CALLED_BACK: "the caller that waited for {job} was told",
    EventType.WORKER_STARTED: "{worker} is ready",
    EventType.WORKER_GONE: "{worker} is gone: {text}",
    EventType.CONFIGURATION_READ: "the configuration was read again: {text}",
    EventType.CONFIGURATION_BROKEN: "the configuration cannot be read, and everything goes on as before: {text}",
    EventType.PROJECT_PAUSED: "{project} is paused: {text}",
    EventType.PROJECT_RESUMED: "{by} let {project} go on",
    EventType.HISTORY_ACCEPTED: "{by} accepted {accepted} as the live branch of {project}, instead of {replaced}",
    EventType.MONEY_ALLOWED: "{by} let {project} spend {usd} USD more on {day}",
    EventType.FENCES_RAISED: "the fences were raised after a restore",
    EventType.ACTED: "{by} did `{action}` to the {about} {target}",
    EventType.WEBHOOK_GIVEN_UP: "a receiver was not told of `{event}` ({id}): {text}",
    EventType.PERSON_FORGOTTEN: "{by} had a person forgotten, known by the mark {mark}",
}
_STEPS = {
    "checked out": "checked out on the branch {branch}",
    "came from git": "somebody pushed to the live branch, which goes live first ({git_commit})",
    "released from git": "what was pushed is live ({git_released})",
    "agent started": "the agent begins to edit",
    "timed": "it holds from {publish_at} until {revert_at}",
    "edited": "the agent is finished, {committed}: {summary}",
    "built": "the site is built",
    "build broke": "the build failed after {build_s} s: {broke}",
    "repair started": "round {repairs} of repair begins, the agent is told what was found: {found}",
    "repair ended": "round {repaired} of repair has ended ({repair_end}): {summary}",
    "reduced": "what the request does not need is left out: {left_out}",
    "previewed": "there is a preview at {preview}",
    "kept": "kept for its time ({kept_commit})",
    "reverted": "the change is taken back on the branch ({revert})",
    "pushed": "pushed to the live branch ({commit})",
    "published": "published, the site is live",
    "pictured": "{pictured} of the changed pages: {no_pictures}",
}
_SHORT_COMMIT = 9


def tell(entry: Entry) -> str:
    """Say in one line what happened."""
    words = _STEPS.get(entry.text, "{text}") if entry.what is EventType.STEP else _WORDS[entry.what]
    return " ".join(words.format_map(_Facts(entry)).split()).rstrip(" :").replace(" ()", "")


# Letters that answer nothing go to the agency, but for this one.
_READERS = {"welcome": "a new editor"}
_LETTERS = frozenset({EventType.ANSWERED, EventType.ANSWER_DELAYED, EventType.ANSWER_GIVEN_UP})


def _reader(entry: Entry) -> str:
    return _READERS.get(entry.facts.get("kind", ""), "the agency")


class _Facts(dict[str, str]):
    """What the words may name; what an entry does not know is left empty."""

    def __init__(self, entry: Entry) -> None:
        about = {"lane": entry.lane, "job": entry.job, "worker": entry.worker, "fence": entry.fence, "text": entry.text}
        super().__init__({name: str(value) for name, value in about.items() if value is not None})
        # An answer belongs to its job; its mail is named only when there was no job.
        if not (entry.what in _LETTERS and entry.job):
            self["mail"] = entry.mail or (_reader(entry) if entry.what in _LETTERS else "")
        self.update(entry.facts)
        self["sender"] = self.get("sender") or "an unknown sender"
        self["committed"] = "its work is committed ({commit})" if self.get("commit") else "it has changed no file"
        self["pictured"] = "pictures" if self.get("pictures") else "no pictures"
        if "bytes" in self:
            self["size"] = f"{self['bytes']} bytes"
        if "commit" in self:
            self["commit"] = self["commit"][:_SHORT_COMMIT]
            self["committed"] = self["committed"].format(commit=self["commit"])

    def __missing__(self, name: str) -> str:
        return ""
