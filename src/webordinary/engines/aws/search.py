"""Search on AWS: the newest requests and mails are read one after the other; there is no index of words."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from webordinary.engines.aws.listing import LOOKED_AT
from webordinary.engines.stored_text import storable
from webordinary.mail.tokens import hide_tokens
from webordinary.overview.filters import JobsAsked, MailsAsked
from webordinary.overview.search import SearchHit, SearchHits, SearchKind, excerpt_of, has_all, terms_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from webordinary.engines.aws.overview import DynamoOverview
    from webordinary.jobs.job import Job
    from webordinary.overview import MailView
    from webordinary.overview.search import SearchTerm


@dataclass(frozen=True, slots=True)
class DynamoSearch:
    """Looks at the newest rows of the tables; the words of answers lie in S3, and nobody reads them for this."""

    overview: DynamoOverview

    def find(
        self,
        words: str,
        *,
        projects: tuple[str, ...] | None = None,
        after: str | None = None,
        limit: int = 50,
    ) -> SearchHits:
        terms = terms_of(storable(words))
        if not terms or projects == ():
            return SearchHits(())
        jobs = self.overview.find_jobs(JobsAsked(projects=projects), limit=LOOKED_AT)
        mails = self.overview.find_mails(MailsAsked(projects=projects), limit=LOOKED_AT)
        found = sorted((*_in_jobs(jobs.items, terms), *_in_mails(mails.items, terms)), key=lambda hit: hit.at)[::-1]
        names = [hit.id for hit in found]
        first = names.index(after) + 1 if after in names else 0
        part = list(islice(found, first, first + limit))
        ends = [page.items[-1].received_at for page in (jobs, mails) if page.after is not None and page.items]
        is_more = first + limit < len(found)
        return SearchHits(part, part[-1].id if is_more else None, max(ends, default=None))

    def catch_up(self) -> bool:
        """There is no index."""
        return True


def _in_jobs(jobs: Iterable[Job], terms: Sequence[SearchTerm]) -> Iterable[SearchHit]:
    for job in jobs:
        request, person = job.request, job.request.reply_to or job.request.by or None
        files = " ".join(each.name for each in request.attachments)
        words = hide_tokens("\n".join((request.text, job.summary, job.error or "", files, request.cut)))
        if has_all("\n".join((job.subject, person or "", words)), terms):
            excerpt = excerpt_of(words, terms)
            yield SearchHit(
                SearchKind.REQUEST, job.id, job.received_at, job.subject, excerpt, job.id, job.lane.project, person
            )


def _in_mails(mails: Iterable[MailView], terms: Sequence[SearchTerm]) -> Iterable[SearchHit]:
    for mail in mails:
        words = mail.reason or ""
        if mail.job is None and has_all("\n".join((mail.subject, mail.sender or "", words)), terms):
            excerpt = excerpt_of(words, terms)
            yield SearchHit(
                SearchKind.MAIL, mail.id, mail.received_at, mail.subject, excerpt, None, mail.project, mail.sender
            )
