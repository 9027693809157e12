"""Patches of task tokens: when an answer or a beat counts, and what is kept of it."""

from __future__ import annotations

import threading
from typing import Any

from moto.core.exceptions import AWSError
from moto.stepfunctions import responses
from moto.stepfunctions.parser.api import InvalidToken
from moto.stepfunctions.parser.asl.component.common.timeouts.timeout import Timeout, TimeoutSeconds
from moto.stepfunctions.parser.asl.component.state.exec.execute_state import ExecutionState
from moto.stepfunctions.parser.asl.component.state.exec.state_parallel.branch_worker import BranchWorker
from moto.stepfunctions.parser.asl.component.state.exec.state_task.service.state_task_service_callback import (
    StateTaskServiceCallback,
)
from moto.stepfunctions.parser.asl.eval.callback.callback import (
    CallbackConsumerTimeout,
    CallbackEndpoint,
    CallbackOutcomeFailure,
    CallbackOutcomeSuccess,
    CallbackPoolManager,
)
from moto.stepfunctions.parser.models import StepFunctionsParserBackend

from webordinary_local_aws.moto_patches.patch import patch_method

# An answer is accepted, or its task is over: never both.
_deciding = threading.Lock()


def early_answers() -> None:
    """Fix 1: an answer that came before the task began to wait was noticed only when its heartbeat had timed out."""

    @patch_method(StateTaskServiceCallback, "_wait_for_task_token_heartbeat")
    def _(original: Any, self: Any, env: Any, callback_endpoint: Any, heartbeat_endpoint: Any) -> Any:
        answered = callback_endpoint.get_outcome()
        return answered if answered is not None else original(self, env, callback_endpoint, heartbeat_endpoint)


def early_beats() -> None:
    """Fix 2: a beat that came before the task began to wait, or for one without a heartbeat, was an invalid token."""

    @patch_method(CallbackEndpoint, "notify_heartbeat")
    def _(original: Any, self: Any) -> bool:
        original(self)
        return True


def late_answers() -> None:
    """Fix 3: answers and beats were accepted for a task that was over, and a second answer replaced the first."""
    tasks: dict[str, Any] = {}

    @patch_method(CallbackPoolManager, "add")
    def _(original: Any, self: Any, callback_id: str) -> Any:
        tasks[callback_id] = original(self, callback_id)
        return tasks[callback_id]

    @patch_method(StepFunctionsParserBackend, "send_task_success")
    def _(_: Any, _backend: Any, task_token: str, outcome: str) -> None:
        with _deciding:
            _waiting(tasks, task_token).notify(CallbackOutcomeSuccess(callback_id=task_token, output=outcome))

    @patch_method(StepFunctionsParserBackend, "send_task_failure")
    def _(_: Any, _backend: Any, task_token: str, error: str | None = None, cause: str | None = None) -> None:
        with _deciding:
            outcome = CallbackOutcomeFailure(callback_id=task_token, error=error, cause=cause)
            _waiting(tasks, task_token).notify(outcome)

    @patch_method(StepFunctionsParserBackend, "send_task_heartbeat")
    def _(_: Any, _backend: Any, task_token: str) -> None:
        with _deciding:
            if not _waiting(tasks, task_token).notify_heartbeat():
                raise InvalidToken

    _close_when_the_wait_is_over()
    _close_when_the_task_is_over()


def retried_tokens() -> None:
    """Fix 4: a retried task kept its token, and with it the answer that had failed it."""

    @patch_method(ExecutionState, "_evaluate_with_timeout")
    def _(original: Any, self: Any, env: Any) -> None:
        context = env.states.context_object
        if "Task" in context.context_object_data and context.context_object_data["State"]["RetryCount"]:
            env.callback_pool_manager.add(context.update_task_token())
        original(self, env)


def endless_waiting() -> None:
    """Fix 5: a task with HeartbeatSeconds and no TimeoutSeconds was ended after 60 seconds however well it beat."""

    @patch_method(ExecutionState, "from_state_props")
    def _(original: Any, self: Any, state_props: Any) -> None:
        original(self, state_props)
        if state_props.get(Timeout) is None:
            self.timeout = TimeoutSeconds(TimeoutSeconds.DEFAULT_TIMEOUT_SECONDS, is_default=True)


def kept_causes() -> None:
    """Fix 6: SendTaskFailure kept the error and dropped its cause."""

    @patch_method(responses.StepFunctionResponse, "send_task_failure")
    def _(_: Any, self: Any) -> Any:
        token, error, cause = (self._get_param(name) for name in ("taskToken", "error", "cause"))
        self.stepfunction_backend.send_task_failure(token, error=error, cause=cause)
        return responses.EmptyResult()


def close(task: Any) -> None:
    """Take no more answers for a task, and wake whoever still waits for one."""
    with _deciding:
        task.report(CallbackConsumerTimeout())
    task.interrupt_all()


def _waiting(tasks: dict[str, Any], token: str) -> Any:
    if token not in tasks:
        raise InvalidToken
    task = tasks[token]
    if task.consumer_error is not None or task.get_outcome() is not None:
        # moto's own error of this name reaches the caller as a broken server.
        raise AWSError("Task Timed Out: 'Provided task does not exist anymore'", exception_type="TaskTimedOut")
    return task


def _close_when_the_wait_is_over() -> None:
    @patch_method(StateTaskServiceCallback, "_eval_wait_for_task_token")
    def _(original: Any, *arguments: Any, callback_endpoint: Any, **named: Any) -> Any:
        outcome = original(*arguments, callback_endpoint=callback_endpoint, **named)
        close(callback_endpoint)
        # Whoever was told that the answer is accepted must not find the task timed out.
        return callback_endpoint.get_outcome() or outcome


def _close_when_the_task_is_over() -> None:
    """Close a task also when something else ended it while it still waited for a beat."""

    @patch_method(ExecutionState, "_evaluate_with_timeout")
    def _(original: Any, self: Any, env: Any) -> None:
        try:
            original(self, env)
        finally:
            _close_task_of(env)

    @patch_method(BranchWorker, "stop")
    def _(original: Any, self: Any, *arguments: Any, **named: Any) -> None:
        original(self, *arguments, **named)
        _close_task_of(self.env)


def _close_task_of(env: Any) -> None:
    token = env.states.context_object.context_object_data.get("Task", {}).get("Token")
    task = env.callback_pool_manager.get(token)
    if task is not None:
        close(task)
