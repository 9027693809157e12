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
    search,
    setup,
    sign_in,
    trail,
)

# What there is before a configuration; everything else needs one.
FIRST_PAGES = (*setup.PAGES, *setup.AT_THE_DOOR, *sign_in.PAGES)
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
    *search.PAGES,
    *projects.PAGES,
    *project.PAGES,
    *add_project.PAGES,
    *change_project.PAGES,
    *setup.PAGES,
    *people.PAGES,
    *search.PAGES,
    *trail.PAGES,
    *calendar.PAGES,
    *bulk.PAGES,
    *sign_in.PAGES,
    *openid.PAGES,
)
