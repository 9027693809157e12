"""Patches of executions: how one is stopped, and how the end of a branch reaches the whole."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

from moto.stepfunctions import responses
from moto.stepfunctions.parser.api import ExecutionStatus
from moto.stepfunctions.parser.asl.component.common.error_name.custom_error_name import CustomErrorName
from moto.stepfunctions.parser.asl.component.common.error_name.states_error_name import StatesErrorName
from moto.stepfunctions.parser.asl.component.common.retry import retrier_decl
from moto.stepfunctions.parser.asl.component.state.exec.state_map.iteration import iteration_worker
from moto.stepfunctions.parser.asl.component.state.exec.state_parallel import branches_decl
from moto.stepfunctions.parser.asl.eval.environment import Environment
from moto.stepfunctions.parser.asl.eval.program_state import ProgramStopped
from moto.stepfunctions.parser.backend.execution import Execution

from webordinary_local_aws.moto_patches.answers import close
from webordinary_local_aws.moto_patches.patch import patch_method

_LONGEST_PAUSE = 0.2


def stopped_executions() -> None:
    """Fix 7: StopExecution was ignored by an execution that waited for an answer, and forgot its error and cause."""

    @patch_method(responses.StepFunctionResponse, "stop_execution")
    def _(_: Any, self: Any) -> Any:
        execution = self.stepfunction_backend.describe_execution(self._get_param("executionArn"))
        execution.stop(datetime.now(tz=UTC), self._get_param("error"), self._get_param("cause"))
        return responses.ActionResult({"stopDate": execution.stop_date})

    @patch_method(Execution, "stop")
    def _(original: Any, self: Any, stop_date: datetime, error: str | None, cause: str | None) -> None:
        if self.exec_status != ExecutionStatus.RUNNING:
            return
        original(self, stop_date, error, cause)
        self.exec_status, self.stop_date, self.error, self.cause = ExecutionStatus.ABORTED, stop_date, error, cause
        for task in list(self.exec_worker.env.callback_pool_manager._pool.values()):
            close(task)

    @patch_method(Environment, "set_error")
    def _(original: Any, self: Any, error: Any) -> None:
        # What a stopped task leaves behind looks like a failure; the stop came first.
        if not isinstance(self._program_state, ProgramStopped):
            original(self, error)


def errors_of_branches() -> None:
    """Fix 8: a time-out inside a Parallel or a Map could not be caught outside it, for its name was not allowed."""

    def named(error_name: str | None) -> Any:
        known = error_name is not None and error_name.startswith("States.")
        return StatesErrorName.from_name(error_name) if known else CustomErrorName(error_name)

    branches_decl.CustomErrorName = iteration_worker.CustomErrorName = named


def quick_repetitions() -> None:
    """Nobody here waits for another machine: what is repeated is repeated after a moment, however long its pause is."""
    retrier_decl.time = SimpleNamespace(sleep=lambda seconds: time.sleep(min(seconds, _LONGEST_PAUSE)))
