"""A conflict: two changes of the same lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.errors import JobFailed
from webordinary.workspace.extent import told

if TYPE_CHECKING:
    from webordinary.workspace.clash import Clash

_MOST_TOLD = 20


class MergeConflict(JobFailed):
    """The same lines were changed in two ways, and only a person can say which is right."""

    def __init__(self, files: tuple[str, ...], clashes: tuple[Clash, ...] = ()) -> None:
        self.files = files
        self.clashes = clashes
        named = ", ".join(map(told, files[:3])) or "the site"
        super().__init__(
            f"Meanwhile something else changed the same place in {named}; please say how it should read now."
        )

    @property
    def there_now(self) -> str:
        """What a visitor reads at the places now, line by line."""
        return "\n".join(dict.fromkeys(clash.ours for clash in self.clashes if clash.ours))

    @property
    def before_it(self) -> str:
        """What the places would have become."""
        return "\n".join(dict.fromkeys(clash.theirs for clash in self.clashes if clash.theirs))

    @property
    def places(self) -> str:
        """The files, line by line, as an answer names them."""
        return "\n".join(map(told, self.files[:_MOST_TOLD]))
