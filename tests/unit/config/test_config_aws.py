from __future__ import annotations

import os
import sys
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from webordinary.child import run
from webordinary.config import EngineKind, Outgoing, OutgoingRoute, read_config
from webordinary.errors import Misconfigured
from webordinary.jobs.limits import Limits
from webordinary.routing.project import Project, SiteTarget

AWS = 'domain = "edit.example.com"\nengine = "aws"\n'
AMELIA = '[[project]]\nid = "amelia"\nrepository = "https://git.example.com/amelia.git"\n'
PLACE = Path("/srv/webordinary.toml")


def complaint(text: str) -> str:
    with pytest.raises(Misconfigured) as caught:
        read_config(text, PLACE, {})
    return str(caught.value).removeprefix("/srv/webordinary.toml")


def test_a_domain_and_the_engine_are_enough_on_aws() -> None:
    config = read_config(AWS, PLACE, {})

    assert config.engine is EngineKind.AWS
    assert (config.aws.prefix, config.aws.region, config.aws.account) == ("webordinary", None, None)
    assert config.outgoing == Outgoing(OutgoingRoute.SES)


def test_an_installation_on_aws_is_patient_as_the_protocol_says_it_should_be() -> None:
    limits = read_config(AWS, PLACE, {}).limits

    assert (limits.lease, limits.beat) == (timedelta(seconds=60), timedelta(seconds=20))
    assert (limits.idle_lease, limits.idle_beat) == (timedelta(minutes=5), timedelta(seconds=100))
    assert (limits.sweep, limits.drain, limits.drain_committing) == tuple(timedelta(seconds=n) for n in (60, 20, 90))
    assert (limits.patience, limits.deadline, limits.attempts) == (
        Limits().patience,
        Limits().deadline,
        Limits().attempts,
    )


def test_what_the_file_says_wins_over_what_the_engine_chooses() -> None:
    limits = read_config(AWS + '[workers]\nlease = "90 s"\nsweep = 1\n', PLACE, {}).limits

    assert (limits.lease, limits.sweep, limits.beat) == tuple(timedelta(seconds=n) for n in (90, 1, 20))


def test_everything_can_come_from_variables_as_a_function_has_no_file() -> None:
    told = {
        "WEBORDINARY_DOMAIN": "edit.example.com",
        "WEBORDINARY_ENGINE": "aws",
        "WEBORDINARY_AWS_PREFIX": "acme",
        "WEBORDINARY_AWS_MAIL_FROM": "site@edit.example.com",
        "AWS_REGION": "eu-central-1",
        "AWS_ACCOUNT_ID": "123456789012",
        "WORKSPACE_PATH": "/workspace",
    }
    config = read_config("", PLACE, told)

    assert (config.aws.prefix, config.aws.mail_from) == ("acme", "site@edit.example.com")
    assert (config.aws.region, config.aws.account) == ("eu-central-1", "123456789012")
    assert (config.data, config.workers.lease) == (Path("/workspace"), timedelta(seconds=60))


def test_the_file_knows_better_than_the_surroundings_which_region_is_meant() -> None:
    config = read_config(AWS + '[aws]\nregion = "eu-west-1"\n', PLACE, {"AWS_REGION": "us-east-1"})

    assert config.aws.region == "eu-west-1"


def test_the_surroundings_mean_nothing_to_the_embedded_engine() -> None:
    text = 'domain = "edit.example.com"\n[outgoing]\nurl = "maildir:out"\n'
    config = read_config(text, PLACE, {"AWS_REGION": "us-east-1", "WORKSPACE_PATH": "/workspace"})

    assert (config.aws.region, config.data) == (None, Path("/srv/data"))
    assert config.workers.idle_lease == Limits().idle_lease


def test_sites_are_in_the_bucket_of_the_installation() -> None:
    config = read_config(AWS + AMELIA + AMELIA.replace("amelia", "bob"), PLACE, {})

    assert [project.site for project in config.projects] == [SiteTarget("s3", "", None)] * 2


def test_previews_have_names_that_one_certificate_covers() -> None:
    def preview(lines: str = "") -> str:
        return read_config(AWS + lines, PLACE, {}).preview.address("t1", "amelia", 8080)

    assert preview() == "https://t1--amelia.edit.example.com/"
    assert preview("[preview]\nurl = 'https://{thread}.pre.example/'") == "https://t1.pre.example/"


def test_a_project_as_it_was_written_down_can_be_kept_in_a_table() -> None:
    (project,) = read_config(AWS + AMELIA + 'idle_release = "5 min"\n', PLACE, {}).projects

    assert msgspec.json.decode(msgspec.json.encode(project), type=Project) == project


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("[aws]\nprefix = 'Acme'", "4: `aws.prefix` must be 2 to 28 lower-case letters, digits and single"),
        ("[aws]\nprefix = ''", "4: `aws.prefix` must be 2 to 28"),
        (f"[aws]\nprefix = '{29 * 'a'}'", "4: `aws.prefix` must be 2 to 28"),
        ("[aws]\nregion = 'Frankfurt'", "4: `aws.region` must be the name of a region"),
        ("[aws]\naccount = 123456789012", "4: `aws.account` must be a text in quotation marks"),
        ("[aws]\naccount = '123'", "4: `aws.account` must be the twelve digits"),
        ("[aws]\nmail_from = 'us'", "4: `aws.mail_from` must be one mail address"),
        ("[aws]\nkey_value_store = 'sites'", "4: `aws.key_value_store` must be such as"),
        ("[aws]\nendpoint = 'local'", "4: `aws.endpoint` must be an address"),
        ("[outgoing]\nurl = 'maildir:out'", '4: `outgoing.url` must be "ses:" with `engine = "aws"`'),
        (
            AMELIA + "site.target = 'folder'",
            '6: `project.site.target` must be "s3", "git", "rsync"',
        ),
        (AMELIA + "site.to = 'amelia'", "6: `project.site.to` is not asked for with"),
        ("[workers]\nidle_beat = '5 min'", "4: `workers.idle_beat` must be shorter than `workers.idle_lease` (300 s)"),
        ("[workers]\nlease = '20 s'", "3: `workers.beat` must be shorter than `workers.lease` (20 s)"),
    ],
)
def test_what_aws_cannot_do_is_refused_with_its_line(lines: str, said: str) -> None:
    assert complaint(AWS + lines).startswith(f", line {said}")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("[outgoing]\nurl = 'ses:'", '3: `outgoing.url` can be "ses:" only with `engine = "aws"`'),
        (
            "[outgoing]\nurl = 'maildir:o'\n" + AMELIA + "site.target = 's3'",
            '7: `project.site.target` is "s3", so `to` must be the name of a bucket',
        ),
    ],
)
def test_what_only_aws_can_do_is_refused_elsewhere(lines: str, said: str) -> None:
    assert complaint('domain = "edit.example.com"\n' + lines).startswith(f", line {said}")


def test_without_the_extra_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    path = tmp_path / "webordinary.toml"
    path.write_text(AWS)
    words = f"""
import sys
from pathlib import Path
sys.modules["boto3"] = sys.modules["botocore"] = None
from webordinary.config import load_config
from webordinary.errors import Misconfigured
from webordinary.engines.installation import Installation
try:
    Installation.open(load_config(Path({str(path)!r}), {{}}))
except Misconfigured as said:
    print(said)
"""
    finished = run([sys.executable, "-c", words], cwd=tmp_path, env=dict(os.environ))

    assert finished.stdout.decode() == (
        'engine = "aws" needs boto3, which is not installed: pip install "webordinary[aws]"\n'
    ), finished.stderr.decode()
