"""Short replies on every engine: an ok only to the one proposal they answer, and never instead of a request."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.contracts.test_one_word import DONE, FAILED, MARIA, Desk
from webordinary.audit.entry import EventType
from webordinary.jobs.about import approval_of, revert_of
from webordinary.jobs.job import Ending, Outcome, State
from webordinary.jobs.proposals import Standing
from webordinary.routing.project import Rules
from webordinary.worker.change.brought import brought_words

if TYPE_CHECKING:
    from tests.rigs.ports import Ports
    from webordinary.jobs.job import Job

pytestmark = [pytest.mark.one_engine, pytest.mark.above_the_store]

ASKED = Ending(State.DONE, Outcome.ASKED, template="question")


@pytest.fixture
def desk(ports: Ports) -> Desk:
    return Desk(ports)


def asks(desk: Desk, *choices: str, to: Job | None = None) -> Job:
    """Let the agent ask a question with these choices."""
    desk.says("The cake has a new price.", to=to)
    claimed = desk.ports.engine.claims.claim("w1", desk.ports.now)
    assert claimed is not None
    assert claimed.job is not None
    question = json.dumps({"text": "Which price?", "choices": choices})
    attempts = desk.ports.engine.attempts
    job = attempts.journal(claimed.claim, claimed.job, "edited", {"question": question}, desk.ports.now)
    attempts.finish(claimed.claim, job, replace(ASKED, summary="Which price?"), desk.ports.now)
    desk.ports.engine.claims.give_back(claimed.claim, desk.ports.now)
    return desk.ports.job(job.id)


def publishes(desk: Desk, *, to: Job | None = None) -> Job:
    desk.says("We open at nine.", to=to)
    return desk.ends(DONE, commit="aaa")


def about(desk: Desk, job: str | None) -> str | None:
    return desk.ports.job(job or "").about


def is_open(desk: Desk, job: Job) -> bool:
    found = desk.ports.engine.proposals.find(job.thread)
    return found is not None and found.standing is Standing.OPEN


@pytest.mark.parametrize(
    "words",
    [
        *("Perfect!", "Looks great, thanks!", "Great, thanks!", "sounds good", "Passt, danke!", "OK from my side"),
        *("Sì, grazie!", "Ja graag", "Tak, proszę", "Sim, obrigado!", "Parfait, merci !", "Me parece bien"),
    ],
)
def test_praise_and_a_yes_are_an_ok_to_the_proposal_that_they_answer(desk: Desk, words: str) -> None:
    proposed = desk.proposes()
    assert about(desk, desk.says(words, to=proposed).job) == approval_of(proposed.id)


@pytest.mark.parametrize("words", ["ok", "Ok!", "Yes", "Ja, gerne!"])
def test_an_ok_to_another_mail_of_the_conversation_is_asked_about_and_the_answer_to_that_counts(
    desk: Desk, words: str
) -> None:
    live = publishes(desk)
    proposed = desk.proposes(to=live)
    asked = desk.says(words, to=live)
    assert (asked.outcome, asked.answer, asked.job) == ("answered", "ok_or_undo", None)
    assert is_open(desk, proposed)
    ours = f"mail-0123456789ab.{asked.answer_kind}"
    assert about(desk, desk.says("ok", to=live, about=ours).job) == approval_of(proposed.id)
    desk.ends(FAILED)
    assert about(desk, desk.says("Perfect!", to=live, about=ours).job) == approval_of(proposed.id)
    desk.ends(FAILED)
    assert desk.says("undo", to=live, about=ours).answer == "withdrawn"


def test_praise_of_what_is_live_is_no_ok_to_what_waits_beside_it(desk: Desk) -> None:
    live = publishes(desk)
    proposed = desk.proposes(to=live)
    for words in ("Perfect!", "Great, thanks!", "Passt, danke!"):
        said = desk.says(words, to=live)
        assert (said.outcome, said.answer, said.job) == ("thanks", None, None)
    assert is_open(desk, proposed)


@pytest.mark.parametrize("words", ["No", "Nein danke", "Not yet", "Maybe", "Plus tard", "👎"])
def test_what_is_neither_a_yes_nor_a_no_is_asked_about_once_with_both_choices(desk: Desk, words: str) -> None:
    proposed = desk.proposes()
    said = desk.says(words, to=proposed)
    assert (said.outcome, said.answer, said.job, said.facts["about"]) == ("answered", "ok_or_undo", None, "Mail 1")
    assert is_open(desk, proposed)


def test_who_may_only_approve_is_asked_too_and_who_may_not_is_heard(ports: Ports) -> None:
    desk = Desk(ports, Rules(approvers=("maria", "boss@chain.example")))
    proposed = desk.proposes()
    assert desk.says("Hm", who="boss@chain.example", to=proposed).answer == "ok_or_undo"
    assert desk.says("Thank you!", who="boss@chain.example", to=proposed).outcome == "thanks"
    assert desk.says("Hm", who=MARIA, to=proposed).answer == "ok_or_undo"
    assert desk.says("Perfect!", to=proposed).answer == "may_not_approve"
    assert desk.ports.job(desk.says("Hm", to=proposed).job or "").request.text == "Hm"


@pytest.mark.parametrize(
    "words",
    [
        *("Perfect! Now also change the price to 4.80", "Great, but smaller", "ok but make it ten", "not ok", "ok?"),
        *(
            "Passt, danke! Und bitte noch das Foto größer.",
            "Parfait, mais le prix est 4,80 €",
            "Perfecto\ny el horario",
        ),
        *("Please undo the headline only", "Don't publish the price list", "Thanks! One more thing: we open at ten."),
    ],
)
def test_an_instruction_is_never_swallowed(desk: Desk, words: str) -> None:
    proposed = desk.proposes()
    job = desk.ports.job(desk.says(words, to=proposed).job or "")
    assert (job.about, job.request.text) == (None, words)
    assert is_open(desk, proposed)


@pytest.mark.parametrize(
    "words",
    ["please undo", "Please undo this, it was wrong.", "Bitte rückgängig machen", "Annulez la modification, merci"],
)
def test_an_undo_in_more_words_is_an_undo(desk: Desk, words: str) -> None:
    live = publishes(desk)
    assert about(desk, desk.says(words, to=live).job) == revert_of("aaa")
    assert desk.says(words, to=desk.proposes()).answer == "withdrawn"


@pytest.mark.parametrize(
    "words", ["no stop", "don't publish", "cancel", "Please cancel", "Bitte nicht veröffentlichen", "No lo publique"]
)
def test_a_stop_in_more_words_is_a_stop(desk: Desk, words: str) -> None:
    proposed = desk.proposes()
    assert desk.says(words, to=proposed).answer == "called_off"
    running = desk.says("We open at nine.", to=proposed)
    assert desk.says(words, to=proposed).job is None
    assert desk.ports.job(running.job or "").state is State.STOPPED


@pytest.mark.parametrize("words", ["Thank you!", "Vielen Dank!", "Merci beaucoup", "¡Gracias!", "Danke 🙏\n\nLG\nEva"])
def test_thanks_alone_start_nothing_and_are_not_answered(desk: Desk, words: str) -> None:
    for to in (None, publishes(desk), desk.proposes(), asks(desk)):
        desk.ports.engine.outbox.take_due("w1", desk.ports.now, limit=100)
        said = desk.says(words, to=to)
        assert (said.outcome, said.answer, said.job) == ("thanks", None, None)
    told = [entry.what for entry in desk.ports.engine.trail.read()]
    assert told.count(EventType.MAIL_OF_THANKS) == 4


def test_thanks_below_a_request_in_the_subject_are_for_that(desk: Desk) -> None:
    said = desk.says("Thanks!", subject="Please change the price to 4.80")
    assert desk.ports.job(said.job or "").request.text == "Please change the price to 4.80\n\nThanks!"
    assert desk.says("Danke!", subject="Vielen Dank!").outcome == "thanks"


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        *(("2", "5.20 €"), ("2.", "5.20 €"), ("(1)", "4.80 €"), ("#2 please", "5.20 €"), ("Nr. 2, danke!", "5.20 €")),
        *(("Option 1", "4.80 €"), ("the second one", "5.20 €"), ("Die zweite bitte", "5.20 €"), ("3", "3")),
        *(("2\n\nAnd we open at nine.", "5.20 €\n\nAnd we open at nine."), ("1 and 2", "4.80 €\n5.20 €")),
        *(
            ("2 photos are wrong", "2 photos are wrong"),
            ("le premier", "4.80 €"),
            ("la segunda", "5.20 €"),
            ("2?", "2?"),
        ),
    ],
)
def test_the_number_of_a_choice_counts_as_the_choice_that_we_wrote(desk: Desk, words: str, chosen: str) -> None:
    asked = asks(desk, "4.80 €", "5.20 €")
    assert desk.ports.job(desk.says(words, to=asked).job or "").request.text == chosen


def test_the_checks_know_what_was_asked_for_before_the_question(desk: Desk) -> None:
    asked = asks(desk, "4.80 €", "5.20 €")
    chosen = desk.ports.job(desk.says("2", to=asked).job or "")
    assert "The cake has a new price." in brought_words(desk.ports.engine, chosen)
    assert "Which price?" not in brought_words(desk.ports.engine, chosen)
    desk.ends(ASKED)
    confirmed = desk.ports.job(desk.says("Yes", to=chosen).job or "")
    assert {"The cake has a new price.", "5.20 €"} <= set(brought_words(desk.ports.engine, confirmed))
    desk.ends(DONE, commit="aaa")
    other = desk.ports.job(desk.says("We open at ten.", to=confirmed).job or "")
    assert "5.20 €" not in brought_words(desk.ports.engine, other)


def test_a_number_is_a_choice_only_below_the_question_that_waits(desk: Desk) -> None:
    live = publishes(desk)
    asked = asks(desk, "4.80 €", "5.20 €", to=live)
    assert desk.ports.job(desk.says("2", to=live).job or "").request.text == "2"
    desk.ends(FAILED)
    assert desk.ports.job(desk.says("2", to=asked).job or "").request.text == "2"


@pytest.mark.parametrize("words", ["Yes", "Perfect!", "don't publish", "please undo", "No"])
def test_below_the_agents_question_the_same_words_are_its_answer(desk: Desk, words: str) -> None:
    asked = asks(desk, to=desk.proposes())
    job = desk.ports.job(desk.says(words, to=asked).job or "")
    assert (job.about, job.request.text) == (None, words)


def test_praise_below_a_mail_that_told_of_a_failure_is_heard(desk: Desk) -> None:
    desk.says("We open at nine.")
    failed = desk.ends(FAILED)
    assert desk.ports.job(desk.says("Perfect!", to=failed).job or "").request.text == "Perfect!"


def test_a_no_in_a_conversation_in_which_nothing_waits_is_heard(desk: Desk) -> None:
    live = publishes(desk)
    for words in ("No", "Maybe", "Yes"):
        assert desk.ports.job(desk.says(words, to=live).job or "").request.text == words
        desk.ends(DONE, commit="bbb")
