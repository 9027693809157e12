from __future__ import annotations

import json
from typing import Any

import pytest

from webordinary.agent.errand import read_errand
from webordinary.agent.prices import NO_CORRECTIONS, UNKNOWN, PriceList
from webordinary.agent.spending import UsageReader
from webordinary.errors import Refused
from webordinary.routing.project import ModelPrice

MODELS = ("claude-sonnet-*",)
ASKED = {"model": "claude-sonnet-4-5", "messages": [{"role": "user", "content": "hi"}], "max_tokens": 10}


def ask(address: str = "/v1/messages?beta=true", method: str = "POST", **changed: Any) -> bytes:  # noqa: ANN401 - any JSON
    return ask_with(changed, address, method)


def ask_with(changed: dict[str, Any], address: str = "/v1/messages", method: str = "POST") -> bytes:
    return read_errand(method, address, json.dumps({**ASKED, **changed}).encode(), MODELS).body


def test_a_plain_question_passes_as_it_is() -> None:
    assert json.loads(ask()) == ASKED


@pytest.mark.parametrize(
    "address",
    [
        "/v1/messages/batches",
        "/v1/messages/",
        "/v1/messages?beta=true&x=1",
        "/v1//messages",
        "/v1/messages/../files",
        "/v1/messages%2fbatches",
        "/v1/files",
        "http://elsewhere.example/v1/messages",
        "/v1/complete",
    ],
)
def test_only_the_exact_addresses_pass(address: str) -> None:
    with pytest.raises(Refused, match="not one of the addresses"):
        ask(address)


def test_no_other_method_passes() -> None:
    with pytest.raises(Refused, match="not one of the addresses"):
        ask(method="DELETE")


@pytest.mark.parametrize("model", ["claude-opus-4-5", "", None, 7, ["claude-sonnet-4-5"]])
def test_only_named_models_pass(model: object) -> None:
    with pytest.raises(Refused, match="is not one of those that are allowed"):
        ask(model=model)


@pytest.mark.parametrize("field", ["mcp_servers", "container", "service_tier", "inference_geo", "x"])
def test_fields_that_lead_out_of_the_sandbox_do_not_pass(field: str) -> None:
    with pytest.raises(Refused, match=f"the field '{field}' may not be used"):
        ask_with({field: []})


@pytest.mark.parametrize(
    "kind",
    ["web_search_20250305", "web_fetch_20250910", "code_execution_20250825", "mcp_toolset", "computer_20250124", 7],
)
def test_tools_that_run_elsewhere_do_not_pass(kind: object) -> None:
    with pytest.raises(Refused, match="would run outside of the sandbox"):
        ask(tools=[{"name": "Read", "input_schema": {}}, {"type": kind, "name": "x"}])


def test_tools_that_the_agent_runs_itself_pass() -> None:
    tools = [
        {"name": "Read", "input_schema": {}},
        {"type": "custom", "name": "x"},
        {"type": "bash_20250124", "name": "b"},
    ]
    assert json.loads(ask(tools=tools))["tools"] == tools


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b'"x"', b"[" * 100_000])
def test_whatever_is_no_question_does_not_pass(body: bytes) -> None:
    with pytest.raises(Refused):
        read_errand("POST", "/v1/messages", body, MODELS)


def test_what_was_checked_is_what_goes_out() -> None:
    twice = b'{"model": "claude-opus-4-5", "messages": [], "model": "claude-sonnet-4-5"}'
    assert read_errand("POST", "/v1/messages", twice, MODELS).body.count(b"model") == 1


def test_each_model_has_its_price_whatever_a_cloud_puts_before_its_name() -> None:
    assert NO_CORRECTIONS.price_of("us.anthropic.claude-sonnet-4-5-20250929-v1:0") == NO_CORRECTIONS.price_of(
        "claude-sonnet-4-5"
    )
    assert NO_CORRECTIONS.price_of("claude-opus-4-5").output == 25
    assert NO_CORRECTIONS.price_of("claude-opus-4-1-20250805").output == 75
    assert NO_CORRECTIONS.price_of("something-new") == UNKNOWN


def test_the_cost_counts_what_was_read_from_and_written_to_the_cache() -> None:
    usage = {
        "input_tokens": 1_000_000,
        "cache_creation_input_tokens": 1_000_000,
        "cache_read_input_tokens": 1_000_000,
        "output_tokens": 1_000_000,
        "service_tier": "standard",
    }
    assert NO_CORRECTIONS.cost_of("claude-haiku-4-5", usage) == pytest.approx(2.35 + 5)
    assert NO_CORRECTIONS.cost_of("claude-sonnet-4-5", {"input_tokens": -5, "output_tokens": "9"}) == 0


def test_the_agency_corrects_a_price_and_names_a_model_that_nobody_knew() -> None:
    corrected = PriceList(
        (
            ModelPrice("claude-haiku", 2, 8, 3, 0.5),
            ModelPrice("acme-", 10, 20, 10, 1),
            ModelPrice("acme-small", 1, 2, 1, 0),
        )
    )
    usage = dict.fromkeys(
        ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"), 1_000_000
    )
    assert corrected.cost_of("us.anthropic.claude-haiku-4-5", usage) == pytest.approx(2 + 3 + 0.5 + 8)
    assert corrected.cost_of("acme-small-2", usage) == pytest.approx(4), "the most telling beginning counts"
    assert corrected.price_of("claude-sonnet-4-5") == NO_CORRECTIONS.price_of("claude-sonnet-4-5")
    assert corrected.unknown_among(("*claude-sonnet-*", "acme-large", "gpt-*", "*")) == ["gpt-*", "*"]
    assert corrected.cost_of("gpt-9", {"output_tokens": 1_000_000}) == pytest.approx(75), "never nothing"


def test_what_may_be_spent_is_counted_by_the_corrected_prices() -> None:
    prices = PriceList((ModelPrice("claude-sonnet", 0, 1000, 0, 0),))
    errand = read_errand("POST", "/v1/messages", json.dumps({**ASKED, "max_tokens": 1000}).encode(), MODELS, prices)
    assert errand.most == pytest.approx(1)
    assert errand.cost({"input_tokens": 5_000_000, "output_tokens": 100}) == pytest.approx(0.1)


def test_the_cost_counts_what_is_dearer_than_it_looks() -> None:
    kept_long = {"cache_creation_input_tokens": 1_000_000, "ephemeral_1h_input_tokens": 1_000_000}
    assert NO_CORRECTIONS.cost_of("claude-haiku-4-5", kept_long) == pytest.approx(2)
    rounds = {"output_tokens": 1, "iterations": [{"output_tokens": 1_000_000}, {"output_tokens": 1_000_000}, "?"]}
    assert NO_CORRECTIONS.cost_of("claude-haiku-4-5", rounds) == pytest.approx(10)
    assert NO_CORRECTIONS.cost_of(
        "claude-sonnet-4-5", {"input_tokens": 300_000, "output_tokens": 100_000}
    ) == pytest.approx(4.05)


def test_usage_is_read_with_its_parts() -> None:
    reader = UsageReader()
    whole = {"usage": {"output_tokens": 7, "cache_creation": {"ephemeral_1h_input_tokens": 9}, "iterations": [{}]}}
    reader.note(json.dumps(whole).encode())
    assert reader.usage == {"output_tokens": 7, "ephemeral_1h_input_tokens": 9, "iterations": [{}]}


_FROM_ELSEWHERE = {"type": "url", "url": "https://example.com/?what=was-read"}


@pytest.mark.parametrize(
    "block",
    [
        {"type": "image", "source": _FROM_ELSEWHERE},
        {"type": "document", "source": _FROM_ELSEWHERE},
        {"type": "document", "source": {"type": "file", "file_id": "file_1"}},
        {"type": "document", "source": {"type": "content", "content": [{"type": "image", "source": _FROM_ELSEWHERE}]}},
        {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "image", "source": _FROM_ELSEWHERE}]},
        {"type": "container_upload", "file_id": "file_1"},
    ],
)
def test_nothing_passes_that_the_servers_of_the_model_would_fetch(block: dict[str, Any]) -> None:
    for asked in (
        {**ASKED, "messages": [{"role": "user", "content": [block]}]},
        {**ASKED, "system": [block]},
        {**ASKED, "messages": [{"role": "user", "content": block}]},
    ):
        with pytest.raises(Refused):
            read_errand("POST", "/v1/messages", json.dumps(asked).encode(), MODELS)


def test_what_a_tool_was_told_is_only_words() -> None:
    used = {"type": "tool_use", "id": "t", "name": "Edit", "input": {"source": _FROM_ELSEWHERE}}
    pages = {"type": "text", "text": "t", "citations": None}
    shown = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ""}}
    messages = [{"role": "assistant", "content": [used]}, {"role": "user", "content": [pages, shown]}]
    assert read_errand("POST", "/v1/messages", json.dumps({**ASKED, "messages": messages}).encode(), MODELS)


def test_speed_at_six_times_the_price_does_not_pass() -> None:
    assert read_errand("POST", "/v1/messages", json.dumps({**ASKED, "speed": "standard"}).encode(), MODELS)
    with pytest.raises(Refused):
        read_errand("POST", "/v1/messages", json.dumps({**ASKED, "speed": "fast"}).encode(), MODELS)
