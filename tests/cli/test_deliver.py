from __future__ import annotations

from typing import TYPE_CHECKING

from tests.pictures import photo
from webordinary.testing.mail import write_mail

if TYPE_CHECKING:
    from tests.cli.program import Program

TO = "amelia@edit.localhost"
SCOTT = "scott@example.org"


def mail(text: str = "We open at nine now.", sender: str | None = SCOTT) -> bytes:
    return write_mail(sender=sender, to=TO, text=text, message_id="<one@phone.example.org>")


def test_a_mail_in_the_name_of_an_editor_is_queued(any_bakery: Program) -> None:
    (any_bakery.folder / "mail.eml").write_bytes(mail())

    said = any_bakery.run("deliver", "mail.eml", "--as", SCOTT)

    (job,) = any_bakery.read("show", "jobs")
    assert f"queued as {job['id']} of amelia" in said
    assert (job["project"], job["user"], job["state"]) == ("amelia", "scott", "queued")


def test_a_mail_that_nobody_vouches_for_is_held(any_bakery: Program) -> None:
    decided = any_bakery.run("deliver", "-", stdin=mail())

    assert "held" in decided
    assert "because" in decided
    assert any_bakery.read("show", "jobs") == []


def test_what_was_decided_can_be_read_by_a_program(bakery: Program) -> None:
    (bakery.folder / "mail.eml").write_bytes(mail())

    decided = bakery.read("deliver", "mail.eml", "--as", SCOTT)

    (job,) = bakery.read("show", "jobs")
    assert decided["outcome"] == "queued"
    assert decided["job"] == job["id"]
    assert decided["thread"] == job["thread"]


def test_a_stranger_is_turned_away_without_a_bounce(any_bakery: Program) -> None:
    said = any_bakery.run("deliver", "-", "--as", "eve@elsewhere.example", stdin=mail(sender="eve@elsewhere.example"))

    assert "stranger" in said
    (kept,) = any_bakery.read("show", "mail")
    assert kept["outcome"] == "stranger"
    assert "not an editor" in kept["reason"]


def test_the_same_mail_twice_is_one_job(any_bakery: Program) -> None:
    any_bakery.run("deliver", "-", "--as", SCOTT, stdin=mail())

    assert "repeated" in any_bakery.run("deliver", "-", "--as", SCOTT, stdin=mail() + b"\n")
    assert len(any_bakery.read("show", "jobs")) == 1


def test_a_mail_without_from_gets_a_reason(bakery: Program) -> None:
    said = bakery.run("deliver", "-", stdin=mail(sender=None))

    assert "because" in said
    assert bakery.read("show", "jobs") == []


def test_an_empty_mail_gets_a_reason(bakery: Program) -> None:
    assert "no text" in bakery.run("deliver", "-", "--as", SCOTT, stdin=mail(text=""))


def test_a_mail_of_no_bytes_at_all_gets_a_reason(bakery: Program) -> None:
    assert "because" in bakery.run("deliver", "-")


def test_a_mail_for_nobody_here_can_be_given_a_recipient(bakery: Program) -> None:
    raw = write_mail(sender=SCOTT, to="somebody@example.net", text="We open at nine now.")

    assert "refused" in bakery.run("deliver", "-", "--as", SCOTT, stdin=raw)
    assert "queued" in bakery.run("deliver", "-", "--as", SCOTT, "--to", TO, stdin=raw)


def test_a_mail_of_thirty_megabytes_is_refused_and_the_trail_says_so(bakery: Program) -> None:
    (bakery.folder / "mail.eml").write_bytes(mail() + b"0" * 30 * 1024 * 1024)

    said = bakery.run("deliver", "mail.eml", "--as", SCOTT, code=1)

    assert "larger than 25 MB" in said
    (entry,) = [each for each in bakery.read("show", "trail") if each["what"] == "mail refused"]
    assert "larger than 25 MB" in entry["text"]


def test_a_file_that_is_not_there_is_a_sentence(bakery: Program) -> None:
    assert "nowhere.eml cannot be read" in bakery.run("deliver", "nowhere.eml", code=1)


def test_a_sender_must_be_an_address(bakery: Program) -> None:
    assert "must be one mail address" in bakery.run("deliver", "-", "--as", "Scott", code=2)


def test_what_became_of_each_file_can_be_looked_up(bakery: Program) -> None:
    files = (("oven.jpg", "image/jpeg", photo("JPEG")), ("counter.jpg", "image/jpeg", photo("JPEG")[:200]))
    raw = write_mail(sender=SCOTT, to=TO, text="Put the photo on the about page.", files=files)
    (bakery.folder / "mail.eml").write_bytes(raw)

    decided = bakery.read("deliver", "mail.eml", "--as", SCOTT)

    oven, counter = bakery.read("show", "job", decided["job"])["files"]
    assert (oven["name"], oven["fate"], len(oven["versions"])) == ("oven.jpg", "photo", 2)
    assert (counter["fate"], counter["problem"]) == ("refused", "unreadable")
    assert "counter.jpg unreadable" in bakery.run("show", "job", decided["job"])


def test_a_mail_server_is_told_to_keep_a_mail_that_cannot_be_taken_in(bakery: Program) -> None:
    path = bakery.folder / "webordinary.toml"
    good = path.read_text()
    path.write_text(good + "\nnonsense")

    assert "may be handed over again" in bakery.run("deliver", "-", "--from", SCOTT, "--to", TO, stdin=mail(), code=75)

    path.write_text(good)
    (bakery.folder / "data" / "webordinary.db").write_text("no database at all")
    assert "restore a backup" in bakery.run("deliver", "-", stdin=mail(), code=75)


def test_a_mail_server_is_told_that_a_mail_is_too_large(bakery: Program) -> None:
    assert "larger than 25 MB" in bakery.run("deliver", "-", stdin=mail() + b"0" * 26 * 1024 * 1024, code=65)


def test_a_bounce_from_a_mail_server_is_ignored(bakery: Program) -> None:
    assert "automatic" in bakery.run("deliver", "-", "--from", "", "--to", TO, stdin=mail())


def test_what_was_cut_from_a_mail_can_be_seen(bakery: Program) -> None:
    bakery.run("deliver", "-", "--as", SCOTT, stdin=mail(text="We open at nine.\n\n-- \nScott\nBakery"))

    (job,) = bakery.read("show", "jobs")
    found = bakery.read("show", "job", job["id"])
    assert (found["request"], found["cut"]) == ("We open at nine.", "-- \nScott\nBakery")
    assert "cut      -- \n         Scott\n" in bakery.run("show", "job", found["id"])
