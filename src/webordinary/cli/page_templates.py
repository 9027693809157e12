"""Whether the pages of a site are templates: such a project has to say that mails may change them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from webordinary.errors import WebOrdinaryError
from webordinary.findings import Check, warn
from webordinary.routing.project import Project
from webordinary.routing.secrets import Secrets
from webordinary.site.content import TEMPLATE_FOLDERS, TEMPLATES, ending_of
from webordinary.workspace.access import Access
from webordinary.workspace.adopt import names_in

_STYLES = frozenset({"less", "styl"})
_PARTS_OF_PAGES = TEMPLATE_FOLDERS | {"components", "_components"}


def find_page_template(names: Iterable[str]) -> str | None:
    """Return a file that is a page and a template at once, if the site has one; layouts and the like are none."""
    found = [name for name in names if ending_of(name) in TEMPLATES - _STYLES and _is_page(PurePosixPath(name))]
    return min(found, key=lambda name: ("/pages/" not in f"/{name}", name), default=None)


def _is_page(path: PurePosixPath) -> bool:
    return _PARTS_OF_PAGES.isdisjoint(folder.casefold() for folder in path.parts[:-1])


def page_template_of(access: Access, branch: str) -> str | None:
    """Ask a repository; one that cannot be asked now says so where it is built."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            return find_page_template(names_in(access, branch, Path(folder) / "names.git"))
    except WebOrdinaryError:
        return None


def check_templates(project: Project, secrets: Secrets) -> Iterator[Check]:
    """Say it when owners cannot change their pages because these are templates: it was not asked for once."""
    if project.rules.templates or project.rules.allowed_paths:
        return
    page = page_template_of(Access(project.repository, project.git, secrets), project.branch)
    if page is not None:
        yield warn(
            project.id,
            f"its pages are templates such as {page}, which mails may not change:"
            " write `templates = true` into its [[project]], or `allowed_paths`",
        )
