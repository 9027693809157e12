"""Every repair of the local server by its name, in the order in which they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.testing.aws import (
    fixes_answers,
    fixes_executions,
    fixes_letters,
    fixes_queues,
    fixes_rights,
    fixes_stacks,
    fixes_tables,
    fixes_templates,
)

if TYPE_CHECKING:
    from collections.abc import Collection

FIXES = (
    fixes_answers.early_answers,
    fixes_answers.early_beats,
    fixes_answers.late_answers,
    fixes_answers.retried_tokens,
    fixes_answers.endless_waiting,
    fixes_answers.kept_causes,
    fixes_executions.stopped_executions,
    fixes_executions.errors_of_branches,
    fixes_queues.long_polls,
    fixes_queues.remembered_duplicates,
    fixes_queues.spent_receipts,
    fixes_tables.whole_transactions,
    fixes_templates.flows_of_templates,
    fixes_templates.lifetimes_of_templates,
    fixes_templates.notices_of_templates,
    fixes_letters.proven_identities,
    fixes_letters.accounts_in_the_sandbox,
    fixes_rights.policies_of_buckets,
    fixes_rights.rights_of_roles,
    fixes_stacks.resources_of_templates,
    fixes_stacks.roles_of_tasks,
)


def apply(without: Collection[str] = ()) -> None:
    """Repair the server in this process, leaving out what is named; `all` leaves out every one."""
    names = {fix.__name__ for fix in FIXES}
    if unknown := set(without) - names - {"all"}:
        raise ValueError(f"there is no repair called {', '.join(sorted(unknown))}")
    for fix in FIXES:
        if fix.__name__ not in without and "all" not in without:
            fix()
