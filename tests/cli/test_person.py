"""`webordinary export` and `webordinary forget`, as an operator uses them."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

from tests.cli.test_deliver import SCOTT, mail

if TYPE_CHECKING:
    from tests.cli.program import Program

EVE = "eve@elsewhere.example"


def test_a_stranger_is_exported_and_forgotten(any_bakery: Program) -> None:
    any_bakery.run("deliver", "-", "--as", EVE, stdin=mail("I have a secret wish.", sender=EVE))
    said = any_bakery.run("export", EVE, "--to", "eve.zip")
    assert "mails" in said
    assert "eve.zip, which only you may read" in said
    assert (any_bakery.folder / "eve.zip").stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(any_bakery.folder / "eve.zip") as archive:
        index = archive.read("README.txt").decode()
        kept = archive.namelist()
        (name,) = [each for each in kept if each.startswith("mails/")]
        assert b"secret wish" in archive.read(name)
        assert EVE in archive.read("records/mails.json").decode()
    assert all(each in index for each in kept if each != "README.txt")
    assert "is there already" in any_bakery.run("export", EVE, "--to", "eve.zip", code=1)

    assert "Nothing was removed; say --yes" in any_bakery.run("forget", EVE, "--json", code=1)
    assert any_bakery.read("forget", EVE, "--yes")["forgotten"]["mails"] == 1
    assert "was forgotten on" in any_bakery.run("forget", EVE)
    assert EVE not in any_bakery.run("show", "trail")
    assert "person forgotten" in any_bakery.run("show", "trail", "--json")


def test_who_still_edits_a_site_or_has_work_that_is_not_over_is_not_forgotten(bakery: Program) -> None:
    bakery.run("deliver", "-", "--as", SCOTT, stdin=mail())
    assert "still an editor or approver of amelia" in bakery.run("forget", SCOTT, "--yes", code=1)
    path = bakery.folder / "webordinary.toml"
    path.write_text(path.read_text().replace(SCOTT, "somebody@example.org"))
    (job,) = bakery.read("show", "jobs")
    said = bakery.run("forget", SCOTT, "--yes", code=1)
    assert f"Not over yet: request {job['id']}" in said
    assert "--end" in said
    assert bakery.read("show", "jobs") == [job]
    said = bakery.run("forget", SCOTT, "--yes", "--end")
    assert "All of this is gone" in said
    assert "backups made earlier" in said
    assert bakery.read("show", "jobs") == []


def test_nobody_is_forgotten_without_a_yes(bakery: Program) -> None:
    bakery.run("deliver", "-", "--as", EVE, stdin=mail(sender=EVE))
    assert "Nothing was removed" in bakery.run("forget", EVE, code=1, stdin=b"n\n")
    assert "All of this is gone" in bakery.run("forget", EVE, stdin=b"y\n")
    assert "Nothing is kept about this person." in bakery.run("forget", "nobody@example.org")
    assert "no mail address" in bakery.run("forget", "nobody", code=1)
