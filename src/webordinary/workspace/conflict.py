"""A conflict: two changes of the same lines."""

from __future__ import annotations

from webordinary.errors import JobFailed
from webordinary.workspace.extent import told

_MOST_TOLD = 20


class MergeConflict(JobFailed):
    """The same lines were changed in two ways, and only a person can say which is right."""

    def __init__(self, files: tuple[str, ...]) -> None:
        self.files = files
        named = ", ".join(map(told, files[:3])) or "the site"
        super().__init__(
            f"Meanwhile something else changed the same place in {named}; please say how it should read now."
        )

    @property
    def places(self) -> str:
        """The files, line by line, as an answer names them."""
        return "\n".join(map(told, self.files[:_MOST_TOLD]))
