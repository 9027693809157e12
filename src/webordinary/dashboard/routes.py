"""The table of all routes; what is not in it does not exist."""

from __future__ import annotations

from webordinary.dashboard.pages import (
    actions,
    add_project,
    answers,
    bulk,
    calendar,
    change_project,
    job,
    jobs,
    mails,
    needs_you,
    now,
    one_mail,
    openid,
    people,
    project,
    projects,
    say_ok,
    sign_in,
    trail,
)

PAGES = (
    *actions.PAGES,
    *needs_you.PAGES,
    *now.PAGES,
    *mails.PAGES,
    *one_mail.PAGES,
    *jobs.PAGES,
    *job.PAGES,
    *answers.PAGES,
    *say_ok.PAGES,
    *projects.PAGES,
    *project.PAGES,
    *add_project.PAGES,
    *change_project.PAGES,
    *people.PAGES,
    *trail.PAGES,
    *calendar.PAGES,
    *bulk.PAGES,
    *sign_in.PAGES,
    *openid.PAGES,
)
