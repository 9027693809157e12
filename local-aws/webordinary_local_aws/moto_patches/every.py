"""Every patch of moto by its name, in the order in which they are applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary_local_aws.moto_patches import (
    answers,
    executions,
    letters,
    queues,
    rights,
    stacks,
    tables,
    templates,
)

if TYPE_CHECKING:
    from collections.abc import Collection

PATCHES = (
    answers.early_answers,
    answers.early_beats,
    answers.late_answers,
    answers.retried_tokens,
    answers.endless_waiting,
    answers.kept_causes,
    executions.stopped_executions,
    executions.errors_of_branches,
    executions.quick_repetitions,
    queues.long_polls,
    queues.remembered_duplicates,
    queues.spent_receipts,
    tables.whole_transactions,
    templates.flows_of_templates,
    templates.lifetimes_of_templates,
    templates.notices_of_templates,
    letters.proven_identities,
    letters.accounts_in_the_sandbox,
    rights.policies_of_buckets,
    rights.rights_of_roles,
    stacks.resources_of_templates,
    stacks.roles_of_tasks,
)


def apply(without: Collection[str] = ()) -> None:
    """Patch moto in this process, leaving out what is named; `all` leaves out every one."""
    names = {patch.__name__ for patch in PATCHES}
    if unknown := set(without) - names - {"all"}:
        raise ValueError(f"there is no patch called {', '.join(sorted(unknown))}")
    for patch in PATCHES:
        if patch.__name__ not in without and "all" not in without:
            patch()
