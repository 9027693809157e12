"""Which pages the site has, where each lies, and under which heading of the menu it stands."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

# Every page, in the order in which somebody wants to read; one that is missing here fails the build.
MENU: dict[str, tuple[str, ...]] = {
    "Begin": (
        "README.md",
        "docs/quickstart.md",
        "docs/howto/setup.md",
        "docs/how-it-works.md",
        "docs/compared-with.md",
        "docs/what-it-costs.md",
        "docs/owners/README.md",
    ),
    "Mail": (
        "docs/howto/mail-in.md",
        "docs/howto/mailboxes.md",
        "docs/howto/hooks.md",
        "docs/howto/senders.md",
        "docs/howto/words.md",
        "docs/howto/mail-out.md",
        "docs/howto/answers.md",
    ),
    "Sites": (
        "docs/howto/content.md",
        "docs/howto/agents.md",
        "docs/howto/targets.md",
        "docs/howto/web-servers.md",
        "docs/howto/timed.md",
        "docs/howto/photos.md",
        "docs/howto/pictures.md",
    ),
    "Run it": (
        "docs/howto/operate.md",
        "docs/howto/upgrade.md",
        "docs/howto/container.md",
        "docs/howto/dashboard.md",
        "docs/howto/figures.md",
        "docs/howto/api.md",
        "docs/howto/privacy.md",
        "SECURITY.md",
    ),
    "On AWS": ("docs/howto/aws.md", "docs/howto/deploy-aws.md", "docs/howto/operate-aws.md"),
    "Look up": (
        "docs/concepts.md",
        "docs/reference/command-line.md",
        "docs/reference/configuration.md",
        "CHANGELOG.md",
    ),
    "Take part": (
        "CONTRIBUTING.md",
        "docs/architecture.md",
        "docs/howto/extend.md",
        "docs/decisions/README.md",
        "AGENTS.md",
    ),
}
# Below a page of the menu, and not in it themselves.
_BELOW = ("docs/decisions/[0-9]*.md", "docs/owners/[a-z]*.md")


@dataclass(frozen=True, slots=True)
class Shelved:
    """A page of the repository and its place in the site."""

    source: Path
    name: str
    group: str

    @property
    def target(self) -> str:
        """Return where it lies in the site: as in the repository, without the folder `docs`."""
        path = Path(self.name.removeprefix("docs/").lower()).with_suffix(".html")
        return str(path.with_name("index.html") if path.stem == "readme" else path)

    @property
    def is_letter(self) -> bool:
        """Tell whether it is one of the pages that an agency sends to its clients: one printed side each."""
        return self.name.startswith("docs/owners/") and self.source.stem != "README"

    @property
    def language(self) -> str:
        return self.source.stem if self.is_letter else "en"


def pages() -> list[Shelved]:
    """Return every page: those of the menu first, then what lies below them."""
    listed = [Shelved(ROOT / name, name, group) for group, names in MENU.items() for name in names]
    below = [file for pattern in _BELOW for file in sorted(ROOT.glob(pattern))]
    return listed + [Shelved(file, str(file.relative_to(ROOT)), "") for file in below]


def forgotten() -> list[str]:
    """Return the documents that no reader of the site would find."""
    known = {page.source for page in pages()}
    return [
        str(file.relative_to(ROOT)) for file in sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")]) if file not in known
    ]
