"""The table of all routes; what is not in it does not exist."""

from __future__ import annotations

from webordinary.dashboard.pages import actions, job, needs_you, one_mail, sign_in

PAGES = (*actions.PAGES, *needs_you.PAGES, *job.PAGES, *one_mail.PAGES, *sign_in.PAGES)
