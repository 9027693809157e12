from __future__ import annotations

from typing import TYPE_CHECKING

from webordinary.doors.users import Users

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.program import Program

SECRET = "seventeen rolls"


def test_the_line_lets_its_owner_in(program: Program, tmp_path: Path) -> None:
    line = program.run("password", "Scott@Example.org", stdin=f"{SECRET}\n".encode())

    (tmp_path / "users").write_text(line)
    assert SECRET not in line
    assert Users(tmp_path / "users").log_in("scott@example.org", SECRET) == "scott@example.org"
    assert Users(tmp_path / "users").log_in("scott@example.org", SECRET.upper()) is None


def test_a_password_that_can_be_guessed_is_refused(program: Program) -> None:
    assert "at least 8 letters" in program.run("password", "scott@example.org", stdin=b"rolls\n", code=1)


def test_a_user_is_known_by_a_mail_address(program: Program) -> None:
    assert "must be one mail address" in program.run("password", "Scott", stdin=b"", code=2)
