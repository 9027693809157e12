"""The tables of receivers that are told what happens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from webordinary.values import Section, WebAddress
from webordinary.worker.hooks.hook import HookEvent, Webhook

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webordinary.config.lines import KeyPath


class WebhookSection(Section, frozen=True, kw_only=True):
    """A program that is told by a signed POST when something happens; tried again for a day until it answers 2xx."""

    url: WebAddress
    """Where it listens; `https://`, or `http://` if it is `private`."""
    secret_file: Path
    """A file that holds the secret both sides know, on one line; each event is signed with it."""
    events: tuple[HookEvent, ...] = (HookEvent.JOB_FINISHED, HookEvent.NEEDS_YOU)
    """What it is told of: `job finished`, `needs you`."""
    private: bool = False
    """Whether its host may be this machine or in a private network; otherwise nothing is sent there."""

    def hook(self, folder: Path) -> Webhook:
        """Return it as those who send need it."""
        return Webhook(str(self.url), frozenset(self.events), folder / self.secret_file, self.private)


def complaints_about_webhooks(hooks: tuple[WebhookSection, ...]) -> Iterator[tuple[KeyPath, str]]:
    """Say what cannot work, with its place in the file."""
    for index, hook in enumerate(hooks):
        path: KeyPath = ("webhook", index)
        if hook.url.lower().startswith("http://") and not hook.private:
            yield (*path, "url"), "must begin with https://, or `private = true` say that its host is one of your own"
        if "@" in hook.url.partition("://")[2].partition("/")[0]:
            yield (*path, "url"), "must have no user and no password in it; the signature says who sends"
        if not hook.events:
            yield (*path, "events"), "must name at least one event; remove the table if there is nothing to tell"
        if any(other.url == hook.url for other in hooks[:index]):
            yield (*path, "url"), "stands in an earlier [[webhook]] already"
