from __future__ import annotations

from dataclasses import FrozenInstanceError
from datetime import timedelta
from pathlib import Path

import pytest

from webordinary.config import (
    Config,
    EngineKind,
    Outgoing,
    OutgoingRoute,
    SandboxMode,
    load_config,
    missing_repositories,
    read_config,
)
from webordinary.doors.smtp import Smtp
from webordinary.errors import Misconfigured
from webordinary.media import MediaLimits
from webordinary.routing.project import Budget, OnNewThread, PublishRule, Retention, Rules, SshAccess
from webordinary.site.targets.address import SshKeys
from webordinary.variants import read_options

SMALL = """\
domain = "edit.example.com"

[outgoing]
url = "maildir:outgoing"
"""

AMELIA = """
[[project]]
id = "amelia"
repository = "amelia.git"
"""

SCOTT = """
[[project.editor]]
user = "scott"
address = "Scott@Example.com"
"""


def read(text: str) -> Config:
    return read_config(text, Path("/srv/webordinary.toml"), {})


def complaint(text: str) -> str:
    with pytest.raises(Misconfigured) as caught:
        read(text)
    return str(caught.value).removeprefix("/srv/webordinary.toml")


def test_a_missing_file_says_which_command_makes_one(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="run `webordinary init`"):
        load_config(tmp_path / "webordinary.toml", {})


def test_a_folder_in_the_place_of_the_file_is_no_stack_trace(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="cannot be read: Is a directory"):
        load_config(tmp_path, {})


def test_a_file_that_is_not_utf_8_is_refused_with_the_byte(tmp_path: Path) -> None:
    (tmp_path / "webordinary.toml").write_bytes(b'domain = "caf\xe9"\n')
    with pytest.raises(Misconfigured, match=r"not UTF-8 text \(byte 13\)"):
        load_config(tmp_path / "webordinary.toml", {})


def test_a_file_saved_by_notepad_is_read(tmp_path: Path) -> None:
    (tmp_path / "webordinary.toml").write_bytes(b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode())
    assert load_config(tmp_path / "webordinary.toml", {}).domain == "edit.example.com"


def test_two_keys_are_enough_and_everything_else_has_its_default() -> None:
    config = read(SMALL)
    assert config.data == Path("/srv/data")
    assert (config.engine, config.timezone, config.language) == (EngineKind.EMBEDDED, "UTC", "en")
    assert config.outgoing == Outgoing(OutgoingRoute.MAILDIR, path=Path("/srv/outgoing"))
    assert config.find_doors(Smtp)[0].listen == ("127.0.0.1", 2525)
    assert (config.agent.kind, config.sandbox.mode) == ("scripted", SandboxMode.AUTO)
    assert config.projects == ()


def test_the_workers_follow_the_protocol_unless_told_otherwise() -> None:
    workers = read(SMALL).workers
    assert (workers.lease, workers.beat, workers.sweep) == tuple(timedelta(seconds=n) for n in (30, 5, 1))
    assert (workers.prepare_by, workers.deadline) == (timedelta(minutes=5), timedelta(minutes=20))
    assert (workers.patience, workers.idle_release) == (timedelta(hours=24), timedelta(minutes=30))
    assert (workers.attempts, workers.interruptions, workers.breaker) == (3, 2, 3)
    assert workers.backoff == (timedelta(seconds=10), timedelta(seconds=60))


def test_a_project_gets_its_rules_from_the_product() -> None:
    project = read(SMALL + AMELIA + SCOTT).projects[0]
    assert (project.name, project.branch, project.build, project.output) == ("amelia", "main", (), ".")
    assert project.repository == "/srv/amelia.git"
    assert (project.site.target, project.site.to) == ("folder", "/srv/data/sites/amelia")
    assert (project.rules.publish, project.rules.on_new_thread) == (PublishRule.AUTO, OnNewThread.INTERRUPT)
    assert (project.rules.budget, project.rules.retention) == (Budget(), Retention())
    assert (project.rules.max_files, project.rules.max_deleted_lines) == (20, 400)


def test_a_project_takes_what_it_does_not_say_from_the_installation() -> None:
    text = 'timezone = "Europe/Berlin"\nlanguage = "de"\n' + SMALL + "[workers]\nidle_release = '5 min'\n"
    project = read(text + AMELIA + SCOTT).projects[0]
    assert (project.rules.timezone, project.rules.language) == ("Europe/Berlin", "de")
    assert project.rules.idle_release == timedelta(minutes=5)
    assert project.editors[0].language == "de"


def test_a_project_and_an_editor_may_differ_from_the_installation() -> None:
    text = SMALL + AMELIA + 'timezone = "Europe/Paris"\nlanguage = "fr"\nidle_release = 0\n'
    project = read(text + SCOTT + 'language = "es"\ndefault_instruction = "Add to the gallery."\n').projects[0]
    assert (project.rules.timezone, project.rules.language) == ("Europe/Paris", "fr")
    assert project.rules.idle_release == timedelta(0)
    assert project.editors[0].language == "es"
    assert project.editors[0].default_instruction == "Add to the gallery."


def test_every_rule_of_a_project_can_be_set() -> None:
    rules = """\
on_new_thread = "queue"
approvers = ["scott", "boss@example.com"]
allowed_paths = ["content/**", "*.html"]
max_files = 3
max_deleted_lines = 0
budget = { usd = 1.5, turns = 10, minutes = 5, usd_a_day = 4 }
retention = { raw_mail = "7 days", interruptions = "1 day", releases = 5 }
"""
    made = read(SMALL + AMELIA + rules + SCOTT).projects[0].rules
    assert made.on_new_thread is OnNewThread.QUEUE
    assert made.approvers == ("Scott@Example.com", "boss@example.com")
    assert made.allowed_paths == ("content/**", "*.html")
    assert (made.max_files, made.max_deleted_lines) == (3, 0)
    assert made.budget == Budget(1.5, 10, 5, 4.0)
    assert made.retention == Retention(timedelta(days=7), timedelta(days=1), 5)


def test_a_build_is_a_list_of_words_or_one_line() -> None:
    assert read(SMALL + AMELIA + "build = \"npm run 'my build'\"").projects[0].build == (
        "npm",
        "run",
        "my build",
    )
    assert read(SMALL + AMELIA + 'build = ["make", "a b"]').projects[0].build == ("make", "a b")


@pytest.mark.parametrize("address", ["git@git.example.com:amelia.git", "https://git.example.com/a.git"])
def test_a_repository_elsewhere_stays_as_it_is(address: str) -> None:
    project = read(f'{SMALL}[[project]]\nid = "amelia"\nrepository = "{address}"').projects[0]
    assert (project.repository, project.local_repository) == (address, None)


def test_a_repository_that_is_not_there_is_named_with_its_project(tmp_path: Path) -> None:
    (tmp_path / "here.git").mkdir()
    text = SMALL + AMELIA + '[[project]]\nid = "here"\nrepository = "here.git"\n'
    config = read_config(text, tmp_path / "webordinary.toml", {})
    (sentence,) = missing_repositories(config)
    assert sentence.startswith(f"The repository of amelia is not at {tmp_path}/amelia.git; create it")


def test_nothing_in_a_configuration_can_be_changed_afterwards() -> None:
    config = read(SMALL + AMELIA)
    with pytest.raises(FrozenInstanceError):
        config.domain = "other.example.com"  # type: ignore[misc]  # the assignment must fail
    with pytest.raises(AttributeError):
        config.workers.count = 9  # type: ignore[misc]  # the assignment must fail


def test_a_project_is_found_by_its_id() -> None:
    config = read(SMALL + AMELIA)
    assert config.find_project("amelia") is config.projects[0]
    assert config.find_project("Amelia") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('lanugage = "de"\n' + SMALL, ", line 1: there is no key `lanugage`; did you mean `language`?"),
        (SMALL + "[smtp]\nListen = ':1'", ", line 6: there is no key `smtp.Listen`; did you mean `listen`?"),
        (SMALL + "[logs]\nqqq = 1", ", line 6: there is no key `logs.qqq`; known here: format."),
        (SMALL + "[[projects]]", ", line 5: there is no key `projects`; did you mean `project`?"),
        (
            SMALL + AMELIA + SCOTT + AMELIA.replace("amelia", "b") + SCOTT + "adress = 1",
            ", line 21: there is no key `project.editor.adress`; did you mean `address`?",
        ),
    ],
)
def test_an_unknown_key_is_refused_with_its_line(text: str, said: str) -> None:
    assert complaint(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = ", ", line 1: this is not TOML: invalid value."),
        (SMALL + "[smtp\n", ", line 5: this is not TOML: "),
        ("domain = 1\n\ndomain = 2\n", ", line 3: this is not TOML: cannot overwrite a value."),
        ("a = '''\n\nb", ", line 3: this is not TOML: "),
        ("a = " + "[" * 100_000, ": this is not a configuration: its lists are nested too deep."),
    ],
)
def test_a_slip_in_the_syntax_is_refused_with_its_line(text: str, said: str) -> None:
    assert complaint(text).startswith(said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ": `domain` is missing. The mail domain"),
        ('domain = "a.example"', ": `outgoing.url` is missing. Where answers go"),
        (SMALL + '\n[[project]]\nid = "a"', ", line 6: `project.repository` is missing. The site's git"),
        (
            SMALL + AMELIA + "\n[[project.editor]]\naddress = 'a@b'",
            ", line 10: `project.editor.user` is missing.",
        ),
    ],
)
def test_a_missing_key_is_named_with_its_meaning(text: str, said: str) -> None:
    assert complaint(text).startswith(said)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("[workers]\ncount = '2'", "6: `workers.count` must be a whole number from 0 to 1,000."),
        ("[workers]\ncount = -1", "6: `workers.count` must be a whole number from 0 to 1,000."),
        ("[workers]\ncount = true", "6: `workers.count` must be a whole number from 0 to 1,000."),
        ("[workers]\nlease = 'soon'", '6: `workers.lease` must be a duration such as "30 s"'),
        ("[workers]\nlease = 0", "6: `workers.lease` must be longer than 0."),
        ("[workers]\nlease = '4 s'", "5: `workers.beat` must be shorter than `workers.lease` (4 s)"),
        ("[workers]\nbackoff = [\n1,\n'x']", "8: `workers.backoff` must be a duration"),
        ("[workers]\nbackoff = []", "6: `workers.backoff` must have at least one duration"),
        ("[agent]\nkind = 'robot'", '6: `agent.kind` must be "scripted", "claude", "acp" or "command", not '),
        ("[agent]\nkind = 'command'", '6: `agent.kind` is "command", so `agent.command` must name'),
        ("[smtp]\ntrust_local = 'yes'", "6: `smtp.trust_local` must be true or false."),
        (
            "[dashboard]\nlisten = '127.0.0.1:8080'",
            '6: `dashboard.listen` is "127.0.0.1:8080", which `preview',
        ),
        ("[project]\nid = 'a'", "5: `project` must be a list of tables, each under [[project]]."),
        ("[preview]\nurl = 'https://{page}.example'", "6: `preview.url` must have {thread}"),
        (AMELIA + "budget = { usd = nan }", "9: `project.budget.usd` must be a number from 0"),
        (AMELIA + "language = 'pt'", '9: `project.language` must be "en", "de", "fr", "es", "it" or "nl", not \'pt\''),
        (AMELIA + "timezone = 'Berlin'", "9: `project.timezone` must be the name of a time zone"),
        (AMELIA + "build = 'a && b'", "9: `project.build` has '&&', but no shell runs it"),
        (AMELIA + "name = 'a\\nb'".replace("'", '"'), "9: `project.name` must be a text on one line"),
        (AMELIA + "output = '../x'", "9: `project.output` must be a path inside the repository"),
        (AMELIA + "branch = '--force'", "9: `project.branch` must be the name of a git branch"),
        (AMELIA + "branch = 'thread-1'", "9: `project.branch` must not begin with thread-"),
        (AMELIA + "approvers = ['bob']", '9: `project.approvers` names "bob", who is no editor'),
        (AMELIA + AMELIA, '11: `project.id` is "amelia", which another `project.id` already is'),
        (AMELIA.replace('"amelia"', '"re"'), '7: `project.id` cannot be "re", because mail to that name'),
        (AMELIA.replace('"amelia"', '"A b"'), "7: `project.id` must be lower-case letters, digits and"),
        (
            AMELIA.replace('"amelia.git"', '"ext::sh -c x"'),
            "8: `project.repository` must be a folder or a git",
        ),
        (AMELIA + SCOTT + SCOTT, '15: `project.editor.user` is "scott", which another'),
        (
            AMELIA + SCOTT + SCOTT.replace('"scott"', '"bob"').lower(),
            '16: `project.editor.address` is "scott@',
        ),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_its_line(lines: str, said: str) -> None:
    assert complaint(SMALL + lines).startswith(f", line {said}")


def test_claude_needs_a_key_unless_aws_vouches_for_us() -> None:
    assert "`agent.key` is needed" in complaint(SMALL + "[agent]\nkind = 'claude'")
    read(SMALL + "[agent]\nkind = 'claude'\nprovider = 'bedrock'")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("target = 'git'", '10: `project.site.target` is "git", so `url` must say'),
        ("target = 'git'\nto = 'there'\nurl = 'https://a.example'", "11: `project.site.to` is not asked for"),
        ("target = 'rsync'\nurl = 'https://a.example'", '10: `project.site.target` is "rsync", so `to` must name'),
        (
            "target = 'rsync'\nto = 'sites/amelia'\nurl = 'https://a.example'",
            "11: `project.site.to` must be a folder on",
        ),
        ("target = 'rsync'\nto = '-oProxyCommand=x:y'", "11: `project.site.to` must be"),
        ("target = 'rsync'\nto = 'a@b:~/x'", "11: `project.site.to` must be a folder on"),
        ("target = 'rsync'\nto = 'a@-b:x'", "11: `project.site.to` must be a folder on"),
        ("target = 'rsync'\nto = 'a@b:x'", '10: `project.site.target` is "rsync", so `url` must say'),
        ("ssh_key_variable = 'KEY'", '10: `project.site.ssh_key_variable` is only for `target = "rsync"`'),
        (
            "target = 'rsync'\nto = 'a@b:x'\nssh_key_file = 'k'\nssh_key_variable = 'KEY'",
            "13: `project.site.ssh_key_variable` cannot stand beside `ssh_key_file`",
        ),
    ],
)
def test_a_site_elsewhere_has_what_its_place_needs_and_nothing_else(lines: str, said: str) -> None:
    assert complaint(SMALL + AMELIA + "[project.site]\n" + lines).startswith(f", line {said}")


def test_a_site_on_another_machine_is_read() -> None:
    lines = "target = 'rsync'\nto = 'ssh://a@b:2222/srv/x'\nurl = 'https://a.example'\nssh_key_file = 'key'\n"
    (project,) = read(SMALL + AMELIA + "[project.site]\n" + lines + "known_hosts = 'hosts'").projects
    assert (project.site.target, project.site.to) == ("rsync", "ssh://a@b:2222/srv/x")
    assert read_options(SshKeys, project.site.options).access == SshAccess("/srv/key", None, "/srv/hosts")


def test_local_mail_is_trusted_only_in_a_demo_on_loopback() -> None:
    trusting = SMALL + "[smtp]\ntrust_local = true\n"
    assert read("demo = true\n" + trusting).find_doors(Smtp)[0].trust_local
    assert read("demo = true\n" + trusting + 'listen = "[::1]:0"').find_doors(Smtp)[0].trust_local
    assert complaint(trusting).startswith(", line 6: `smtp.trust_local` is only for a demo")
    everywhere = "demo = true\n" + trusting + 'listen = "0.0.0.0:25"'
    assert complaint(everywhere).startswith(", line 7: `smtp.trust_local` needs `smtp.listen` to be on loopback")


@pytest.mark.parametrize("other", ["public", "public/amelia", "."])
def test_two_sites_never_share_a_folder(other: str) -> None:
    first = AMELIA + '[project.site]\nto = "public"\n'
    second = AMELIA.replace('"amelia"', '"bob"') + f'[project.site]\nto = "{other}"\n'
    assert complaint(SMALL + first + second).startswith(", line 16: `project.site.to` shares a folder")


def test_the_sizes_of_photos_and_files_can_be_set() -> None:
    config = read(SMALL + "[media]\nlong_side = 800\nfile_megabytes = 5\n")
    assert config.media.limits() == MediaLimits(long_side=800, file_bytes=5_000_000)
    assert read(SMALL).media.limits() == MediaLimits()


def test_a_project_of_which_only_the_name_is_said_has_the_rules_of_the_house() -> None:
    (amelia,) = read(SMALL + AMELIA + SCOTT).projects
    assert (amelia.rules, amelia.rules.publish.value, amelia.rules.timezone) == (Rules(), "auto", "UTC")


@pytest.mark.parametrize("name", ["edit", "re", "postmaster", "abuse", "mailer-daemon"])
def test_a_project_cannot_have_a_name_to_which_other_mail_comes(name: str) -> None:
    assert name in complaint(SMALL + AMELIA.replace('"amelia"', f'"{name}"') + SCOTT)
