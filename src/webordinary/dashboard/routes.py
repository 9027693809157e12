"""The table of all routes; what is not in it does not exist."""

from __future__ import annotations

from webordinary.dashboard.pages import job, needs_you, openid, sign_in

PAGES = (*needs_you.PAGES, *job.PAGES, *sign_in.PAGES, *openid.PAGES)
