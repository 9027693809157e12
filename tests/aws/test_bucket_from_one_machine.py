"""A site in a bucket that speaks S3, published by an installation that is otherwise one machine."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from tests.rigs.embedded import make_repository, with_place
from webordinary.child import run
from webordinary.config import example_config, load_config, project_block, with_project
from webordinary.engines.aws.sites import S3Sites
from webordinary.engines.choose import open_engine

if TYPE_CHECKING:
    from pathlib import Path

    from tests.aws.conftest import Place


def configured(folder: Path, bucket: str, endpoint: str) -> Path:
    where = f'target = "s3"\nto = "{bucket}"\nurl = "https://www.bakery.example/"\n'
    repository = str(make_repository(folder, "amelia"))
    block = project_block(id="amelia", repository=repository, editors=(("scott", "scott@example.org"),))
    text = example_config() + f'\n[aws]\nregion = "us-east-1"\nendpoint = "{endpoint}"\n'
    path = folder / "webordinary.toml"
    path.write_text(with_project(text, with_place(block, where)), encoding="utf-8")
    return path


@pytest.mark.thorough
def test_a_project_of_one_machine_is_published_into_a_bucket(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    bucket = place.buckets.sites
    config = load_config(configured(tmp_path, bucket.name, place.clients.s3.meta.endpoint_url), {})
    sites = open_engine(config, config.limits).sites
    built = tmp_path / "built"
    built.mkdir()
    (built / "index.html").write_text("We open at nine", encoding="utf-8")
    sites.add_release("amelia", "c1", built)
    sites.switch_live("amelia", "c1", lane="amelia#scott", fence=1, descends=lambda _new, _old: False)
    sites.show_preview("amelia", "0f1e2d", built)

    assert S3Sites(bucket).live("amelia") == sites.live("amelia") == "c1"
    assert [release.commit for release in sites.releases("amelia")] == ["c1"]
    # Visitors of the site are somebody else's; previews are shown here.
    assert (config.data / "previews" / "amelia" / "0f1e2d" / "index.html").read_text() == "We open at nine"
    assert not list(bucket.stored("amelia/previews/"))


def test_without_the_extra_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    path = configured(tmp_path, "sites-of-amelia", "http://127.0.0.1:1")
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
    wanted = 'A site with target = "s3" needs boto3, which is not installed: pip install "webordinary[aws]"\n'
    assert finished.stdout.decode() == wanted, finished.stderr.decode()
