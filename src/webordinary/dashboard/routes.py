"""The table of all routes; what is not in it does not exist."""

from __future__ import annotations

from webordinary.dashboard.pages import answers, job, needs_you, one_mail, openid, say_ok, sign_in

PAGES = (
    *needs_you.PAGES,
    *job.PAGES,
    *one_mail.PAGES,
    *answers.PAGES,
    *say_ok.PAGES,
    *sign_in.PAGES,
    *openid.PAGES,
)
