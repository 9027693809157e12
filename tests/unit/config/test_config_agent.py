"""Each site has its own agent, sandbox and budget over what the installation says; prices are corrected for all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.config.test_config_git import BAKERY, read
from webordinary.config.agent import AgentChoice, ModelKey
from webordinary.errors import Misconfigured
from webordinary.routing.project import AgentSettings, Budget, ModelPrice

CLAUDE = '[agent]\nkind = "claude"\nkey = "sk-of-everybody"\nmodel = "haiku"\nnotes = "Be brief."\n'
ACP = '[agent]\nkind = "acp"\ncommand = "opencode acp"\nkey = "sk-of-everybody"\nenvironment = ["A=secret"]\n'
KEY = ModelKey("sk-of-one-site")


def chosen(everybodys: str, own: str) -> AgentChoice:
    config = read(everybodys + BAKERY + own)
    project = config.projects[0]
    return config.agent.over(project.agent, KEY if project.agent.has_key else None)


def test_without_a_word_of_its_own_a_site_has_what_the_installation_says() -> None:
    config = read(CLAUDE + "[budget]\nusd = 1\nturns = 5\n" + BAKERY)
    project = config.projects[0]
    assert project.agent == AgentSettings()
    assert project.sandbox is None
    assert config.agent.over(project.agent) == config.agent
    assert project.rules.budget == Budget(usd=1, turns=5)


def test_a_site_sets_key_by_key_what_is_different_there() -> None:
    agent = chosen(CLAUDE, '[project.agent]\nmodel = "opus"\nmodels = ["*opus*"]\nnotes = "Be long."\n')
    assert (agent.kind, agent.model, agent.models, agent.notes) == ("claude", "opus", ("*opus*",), "Be long.")
    assert agent.key == "sk-of-everybody"
    assert chosen(CLAUDE, '[project.agent]\nnotes = ""\n').notes == "", "it may also say nothing"
    budget = read("[budget]\nusd = 1\nturns = 5\n" + BAKERY + "[project.budget]\nturns = 9\n").projects[0].rules.budget
    assert budget == Budget(usd=1, turns=9)
    assert read(BAKERY + '[project.sandbox]\nmode = "landlock"\n').projects[0].sandbox == "landlock"


def test_a_key_is_never_sent_to_another_server_than_the_one_it_opens() -> None:
    elsewhere = '[project.agent]\naddress = "https://gateway.example/"\n'
    with pytest.raises(Misconfigured, match=r"`project\.agent\.key_file` is needed: the agent of amelia asks a model"):
        read(CLAUDE + BAKERY + elsewhere)
    agent = chosen(CLAUDE, f'{elsewhere}key_file = "keys/amelia"\n')
    assert (agent.address, agent.key) == ("https://gateway.example/", KEY)
    gateway = CLAUDE + 'address = "https://gateway.example/"\n'
    agent = chosen(gateway, '[project.agent]\nprovider = "login"\nkey_variable = "AMELIAS"\n')
    assert (agent.address, agent.key) == (None, KEY)
    agent = chosen(gateway, '[project.agent]\nprovider = "anthropic"\n')
    assert (agent.address, agent.key) == ("https://gateway.example/", "sk-of-everybody"), "it is the same server"
    agent = chosen(gateway, '[project.agent]\nprovider = "bedrock"\n')
    assert (agent.address, agent.key) == (None, None)


def test_another_kind_begins_without_what_only_the_other_one_understands() -> None:
    agent = chosen(ACP, '[project.agent]\nkind = "claude"\n')
    assert (agent.kind, agent.command, agent.environment, agent.key) == ("claude", (), (), "sk-of-everybody")
    agent = chosen(ACP, '[project.agent]\nkind = "command"\ncommand = "mine"\n')
    assert (agent.command, agent.environment) == (("mine",), ())
    agent = chosen(ACP, '[project.agent]\nmodels = ["*opus*"]\n')
    assert (agent.command, agent.environment) == (("opencode", "acp"), ("A=secret",))


def test_a_project_says_where_its_key_lies_and_never_the_key() -> None:
    own = read(CLAUDE + BAKERY + '[project.agent]\nkey_file = "keys/amelia"\n').projects[0].agent
    assert own == AgentSettings(key_file="/srv/keys/amelia")
    assert own.has_key
    with pytest.raises(Misconfigured, match=r"there is no key `project\.agent\.key`"):
        read(CLAUDE + BAKERY + '[project.agent]\nkey = "sk-in-the-open"\n')
    with pytest.raises(Misconfigured, match="cannot stand beside `key_file`"):
        read(CLAUDE + BAKERY + '[project.agent]\nkey_file = "a"\nsecret = "b"\n')


@pytest.mark.parametrize(
    ("everybodys", "own", "complaint"),
    [
        ("", '[project.agent]\nkind = "claude"\n', r"`project\.agent\.key_file` is needed"),
        (
            "",
            '[project.agent]\nkind = "command"\n',
            r"`project\.agent\.kind` is \"command\", so .* must name the program",
        ),
        (CLAUDE, "[project.agent]\noptions = { a = 1 }\n", r"`project\.agent\.options` is not asked for"),
        (
            CLAUDE,
            '[project.agent]\nmodel = "opus"\n',
            r"`project\.agent\.model` is \"opus\", which `models` does not let through; add .* \"\*claude-opus-\*\"",
        ),
        (CLAUDE, '[project.agent]\nmodel = "claude-opus-4-1"\n', r"add a pattern .* \"claude-opus-4-1\""),
        (CLAUDE, '[project.agent]\nmodels = ["*opus*"]\n', r"`project\.agent\.model` is \"haiku\", which"),
        ("", '[project.agent]\ncommand = "opencode acp"\n', r"`project\.agent\.command` is not .*\"scripted\".*`kind`"),
        ("", '[project.agent]\nmodel = "opus"\n', r"`project\.agent\.model` is not asked for with"),
        (CLAUDE, '[project.agent]\nenvironment = ["A=b"]\n', r"`project\.agent\.environment` is not asked for with"),
        (ACP, '[project.agent]\nprogram = "/opt/claude"\n', r"`project\.agent\.program` is not asked for with"),
        (
            CLAUDE,
            '[project.agent]\nkind = "command"\ncommand = "mine"\nkey_variable = "MINE"\n',
            r"`project\.agent\.key_variable` is not asked for with",
        ),
        (
            CLAUDE,
            '[project.agent]\nprovider = "bedrock"\nkey_file = "k"\n',
            r"`project\.agent\.key_file` is not asked for with `provider = \"bedrock\"`",
        ),
        (
            CLAUDE,
            '[project.sandbox]\nmode = "uid"\n',
            r"`project\.sandbox\.mode` is \"uid\", and .*; set it to \"auto\"",
        ),
        (
            '[sandbox]\nmode = "uid"\n',
            '[project.agent]\nkind = "claude"\nkey_file = "k"\n',
            r"`project\.agent\.kind` is \"claude\", which the sandbox \"uid\" cannot hold; set `project\.sandbox",
        ),
        (
            "",
            '[project.budget]\nwhen_spent = "wait"\n',
            r"`project\.budget\.when_spent` is .* `agency\.address` must say",
        ),
        ('[budget]\nwhen_spent = "wait"\n', "", r"`budget\.when_spent` is \"wait\", so `agency\.address` must say"),
        ("", '[project.budget]\nusd = "much"\n', r"`project\.budget\.usd` must be a number from 0 to 1,000,000"),
    ],
)
def test_what_could_never_work_is_refused_with_what_to_do(everybodys: str, own: str, complaint: str) -> None:
    with pytest.raises(Misconfigured, match=complaint):
        read(everybodys + BAKERY + own)


@pytest.mark.parametrize(
    ("model", "models"),
    [
        ("sonnet", '["claude-*"]'),
        ("opus", '["*"]'),
        ("opus", '["eu.anthropic.*"]'),
        ("opus", '["*claude-opus-5*"]'),
        ("sonnet[1m]", '["*sonnet*"]'),
        ("claude-opus-4-1", '["claude-opus-4-*"]'),
        ("opusplan", '["*opus*", "*sonnet*"]'),
    ],
)
def test_a_model_that_is_let_through_by_any_of_its_names_is_taken(model: str, models: str) -> None:
    assert chosen(CLAUDE, f'[project.agent]\nmodel = "{model}"\nmodels = {models}\n').model == model


def test_a_sandbox_of_its_own_lets_an_agent_work_where_that_of_all_would_not() -> None:
    own = '[project.agent]\nkind = "claude"\nkey_file = "k"\n[project.sandbox]\nmode = "auto"\n'
    assert read('[sandbox]\nmode = "uid"\n' + BAKERY + own).projects[0].sandbox == "auto"


def test_prices_are_corrected_for_every_project_and_cost_of_the_cache_follows_from_reading() -> None:
    config = read('[[price]]\nmodel = "Acme-1"\ninput = 4\noutput = 20\n' + BAKERY)
    assert config.projects[0].prices == (ModelPrice("acme-1", 4, 20, 5, 0.4),)
    both = '[[price]]\nmodel = "a"\ninput = 1\noutput = 2\ncache_write = 3\ncache_read = 0\n'
    assert read(both + BAKERY).projects[0].prices == (ModelPrice("a", 1, 2, 3, 0),)
    with pytest.raises(Misconfigured, match=r"`price\.model` is \"a\", which another"):
        read(both + both + BAKERY)


def test_paths_of_a_project_begin_at_the_folder_of_the_file() -> None:
    agent = chosen(CLAUDE, '[project.agent]\nprogram = "bin/claude"\n')
    assert agent.program == Path("/srv/bin/claude")
