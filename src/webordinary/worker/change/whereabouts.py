"""Where words come from that a mail asks for and may not change: told to the owner, and to the agency with the line."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from webordinary.jobs.journal import Journal, Noted, Step
from webordinary.jobs.lines import ElsewhereLine, KindLine, write_lines
from webordinary.jobs.reported import WhyStopped
from webordinary.reply.outbox import Letter
from webordinary.site.content import PAGES, Limit, ending_of, judge_source, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from webordinary.clock import Clock
    from webordinary.engine import Engine
    from webordinary.jobs.job import Ending, Job
    from webordinary.jobs.reported import ProtectedPlace, Unfound
    from webordinary.routing.project import Project, Rules
    from webordinary.site.read.index import SiteIndex
    from webordinary.worker.run import Run
    from webordinary.workspace.checkout import Checkout

# The fact of an answer that says so.
ELSEWHERE = "elsewhere"
_MOST_FILES = 20_000
_MOST_TOLD = 12
_LONGEST_TOLD = 160
_LONGEST_REQUEST = 600
# No visitor ever reads these.
_NEVER_SHOWN = frozenset({Limit.AGENT, Limit.NAME, Limit.SERVER})
_LOCKS = re.compile(r"(?:.*[-_.])?lock(?:\.[a-z]+)?|npm-shrinkwrap\.json", re.IGNORECASE)
# How the owner is told what a file is; a file that is none of these is kept by others, whatever it is.
_KINDS = {Limit.BUILD: "settings", Limit.TEMPLATE: "template", Limit.PROGRAM: "program"}
_MARKS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "\u00a0": " "})  # noqa: RUF001 - pages write them


@dataclass(frozen=True, slots=True)
class Texts:
    """The files of a site by what a mail alone may do with them."""

    open: tuple[str, ...]
    closed: Mapping[str, str]


def texts_of(checkout: Checkout, project: Project) -> Texts:
    """Judge each file as a change of it would be judged; what the build writes is no source."""
    is_built = bool(project.build) and project.output not in {"", "."}
    output = f"{project.output.strip('/')}/" if is_built else ""
    paths = [path for path in checkout.files() if not (output and path.startswith(output))]
    if len(paths) > _MOST_FILES:
        # Pages first: an archive of a hundred thousand files must not hide them.
        paths = sorted(paths, key=lambda path: ending_of(path) not in PAGES)[:_MOST_FILES]
    # A page outside of what the project allows is content all the same: the agency is asked about the finished change.
    rules = replace(project.rules, allowed_paths=())
    judged = {path: _judge(path, project, rules) for path in paths}
    closed = {
        path: _KINDS.get(limit, "other")
        for path, limit in judged.items()
        if limit is not None and limit not in _NEVER_SHOWN and not _LOCKS.fullmatch(path.rpartition("/")[2])
    }
    return Texts(tuple(path for path, limit in judged.items() if limit is None), closed)


def _judge(path: str, project: Project, anywhere: Rules) -> Limit | None:
    limit = judge_source(path, project.rules, project.build)
    return limit if limit is not Limit.PLACE else judge_source(path, anywhere, project.build)


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Finds out for one attempt what of the unfound is on the site all the same."""

    engine: Engine
    clock: Clock
    agency: str | None

    def look_again(self, run: Run, live: Callable[[], SiteIndex]) -> None:
        """Hold what was not found against the live site, once, and let the journal say what is told of it."""
        job = run.job
        unfound = job.journal.unfound
        if unfound is None or Journal.elsewhere in job.journal:
            return
        index = live()
        known = [(each, place) for each in unfound if (place := _on_site(each, index)) is not None]
        lines = [_line(each, page, told=self.agency is not None) for each, page in known[:_MOST_TOLD]]
        noted = [Journal.elsewhere(write_lines(lines))]
        if known:
            wanted = [line for each, page in known[:_MOST_TOLD] for line in _lines(each, page)]
            noted.append(Journal.elsewhere_wanted(write_lines(wanted)))
            noted += _without(job, [each.told for each, _ in known])
        run.journal(Step.LOOKED_FOR, *noted)

    def tell(self, job: Job, ending: Ending) -> Ending:
        """Let the answer say it too, and tell the agency, once."""
        if not job.journal.elsewhere:
            return ending
        if self.agency is not None:
            asked = " ".join(job.request.text.split())[:_LONGEST_REQUEST]
            asker = job.request.reply_to or job.request.by or job.lane.user
            facts = {
                "project": job.lane.project,
                "asker": asker,
                "wanted": job.journal.elsewhere_wanted,
                "request": asked,
            }
            letter = Letter(f"{job.id}.elsewhere", "elsewhere", self.agency, "change_wanted", facts)
            self.engine.outbox.add(letter, self.clock.now())
        return replace(ending, facts={**ending.facts, ELSEWHERE: job.journal.elsewhere})


def _without(job: Job, told: list[str]) -> list[Noted]:
    """Take the sentences out of what the agent says that are known better now."""
    noted = [Journal.summary(_lines_without(job.journal.summary, told))]
    asked = job.journal.question
    if asked is not None:
        left = asked.text
        for each in told:
            left = left.replace(each, "").strip()
        noted.append(Journal.question(replace(asked, text=left)))
        if not left:
            noted.append(Journal.stopped(WhyStopped.ELSEWHERE))
    return noted


def _lines_without(text: str, told: list[str]) -> str:
    return "\n".join(line for line in text.split("\n") if line not in told)


def _on_site(each: Unfound, index: SiteIndex) -> str | None:
    """Return a page of the built site on which the words stand; what stands on none is no finding."""
    looked_for = [each.words, *(place.before for place in each.places)]
    if each.places and not any(place.before for place in each.places):
        return next(iter(index.pages), None)
    wanted = [plain for words in looked_for if (plain := _plain(words))]
    return next(
        (path for path, page in index.pages.items() if any(_has(text, wanted) for text in page.words)),
        None,
    )


def _has(text: str, wanted: list[str]) -> bool:
    here = _plain(text)
    return any(words in here for words in wanted)


def _plain(text: str) -> str:
    return " ".join(text.translate(_MARKS).split()).strip("\"' ").casefold()


def _line(each: Unfound, page: str, *, told: bool) -> ElsewhereLine:
    """Return the fact for the owner: what kind of place it is, who knows of it, the words and where they stand."""
    place = each.places[0] if each.places else None
    kind = "built" if place is None else place.why or "other"
    where = page if place is None else place.path
    return ElsewhereLine(kind, "told" if told else "untold", _short(each.words), _short(shown(where)))


def _lines(each: Unfound, page: str) -> list[KindLine]:
    if not each.places:
        return [KindLine("built", (_short(each.words), shown(page)))]
    return [_wanted(each, place) for place in each.places]


def _wanted(each: Unfound, place: ProtectedPlace) -> KindLine:
    if not place.before:
        return KindLine("page", (_short(each.words), shown(place.path)))
    return KindLine("line", (shown(place.path), str(place.line), _short(place.before), _short(place.after)))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_TOLD else f"{line[: _LONGEST_TOLD - 1]}…"
