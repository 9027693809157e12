"""One transaction of the file in the making: rows are read as a decision asks for them, and written after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webordinary.dispatch.breaker import ProjectRow
from webordinary.dispatch.effects import Effects, WakeReason
from webordinary.dispatch.job_row import Turn
from webordinary.dispatch.lane import LaneRow, LeaseClock
from webordinary.dispatch.line import Line
from webordinary.dispatch.store import Slot
from webordinary.engines.embedded.database import one, rows
from webordinary.engines.embedded.job_writes import end_job, insert_job, replace_token, update_job
from webordinary.engines.embedded.lane_row import find_free_lanes, find_lane, insert_lane, lane_from, update_lane
from webordinary.engines.embedded.outbox import record_letter
from webordinary.engines.embedded.proposals import put_forward
from webordinary.engines.embedded.rows import find_job, write_entries
from webordinary.engines.embedded.schedules import add_schedule
from webordinary.engines.stored_text import storable, text_of
from webordinary.errors import LostOwnership
from webordinary.jobs.callbacks import Callback
from webordinary.jobs.job import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw

    from webordinary.clock import Moment
    from webordinary.dispatch.job_row import JobRow
    from webordinary.dispatch.store import DoneStep
    from webordinary.jobs.job import Job, NewJob
    from webordinary.jobs.limits import Limits
    from webordinary.ownership.claim import Claim

# Each looks up one place of an index, however long the line is and however long the lane's past.
_LINE = (
    "SELECT id, thread, sequence, kind, state, not_before, prepare_by, start_by, patience_shift, deadline"
    " FROM jobs WHERE lane = ? AND finished_at IS NULL"
)
_FIRST = f"{_LINE} ORDER BY sequence LIMIT ?"
_FIRST_OF_THREAD = f"{_LINE} AND thread = ? ORDER BY sequence LIMIT ?"
_VERBS = f"{_LINE} AND kind = 'verb' ORDER BY sequence"
_ALL = f"{_LINE} ORDER BY sequence"
_PUT_PROJECT = """
INSERT INTO projects (project, failures, paused, paused_at) VALUES (:project, :failures, :paused, :paused_at)
ON CONFLICT (project) DO UPDATE SET failures = :failures, paused = :paused, paused_at = :paused_at
"""
_CLAIM_WON = "UPDATE workers SET claims_won = claims_won + 1, idle = 0, seen_at = ? WHERE worker = ?"
# Who was too slow waits on, and is called as before.
_CLAIM_LOST = "UPDATE workers SET claims_lost = claims_lost + 1, seen_at = ? WHERE worker = ?"
_WAITED_FOR = "SELECT id, state, outcome FROM jobs WHERE id = ? AND token = ?"
_WAITED_FOR_BEFORE = "SELECT id, state, outcome FROM jobs WHERE token = ? AND instr(token, id) != 1"
# Workers that wait for any lane, the warm one first, then owners of quiet lanes.
_IDLE_WORKERS = """
SELECT worker FROM (SELECT worker, 0 AS rank, idle_at AS at FROM workers WHERE idle = 1
  UNION ALL SELECT owner, 1, lease_until FROM lanes WHERE owner IS NOT NULL AND running IS NULL)
ORDER BY rank, worker IS ? DESC, at LIMIT 4
"""


class SqliteWrite:
    """What will be written at once, or not at all; nobody else writes meanwhile."""

    is_repeated = False

    def __init__(self, cursor: apsw.Cursor, limits: Limits, now: Moment) -> None:
        self._cursor = cursor
        self._limits = limits
        self.now = now
        self.effects = Effects()
        self._lines: dict[str, Line] = {}
        self._before: dict[str, tuple[Any, ...]] = {}
        self._seen: dict[str, tuple[Any, ...]] = {}

    def close(self) -> None:
        """Let go of the lines: they hold this in turn, and together they would keep the cursor and its file open."""
        self._lines.clear()

    def line(self, lane: str) -> Line:
        found = self._lines.get(lane)
        if found is not None:
            return found
        row = find_lane(self._cursor, lane)
        if row is None:
            raise LostOwnership(f"there is no lane {lane}")
        return self._begin(row, lane_from(row))

    def line_seen(self, row: LaneRow) -> Line | None:
        if row.lane in self._seen and row.lane not in self._lines:
            return self._begin(self._seen[row.lane], row)
        return self.line(row.lane)

    def place_for(self, job: NewJob) -> tuple[str | None, Line | None]:
        known = self.known(job.dedup_key)
        if known is not None:
            return known, None
        row = find_lane(self._cursor, job.lane.key)
        return None, self._begin(row, lane_from(row)) if row else None

    def known(self, dedup_key: str) -> str | None:
        row = one(self._cursor, "SELECT id FROM jobs WHERE dedup_key = ?", (storable(dedup_key),))
        return row[0] if row else None

    def new_line(self, lane: str) -> Line:
        # A fence starts at its generation, so that a restored file never repeats one.
        generation = one(self._cursor, "SELECT value FROM meta WHERE key = 'generation'")
        row = LaneRow(lane, int(generation[0]) << 32 if generation else 0, leases=LeaseClock.BOOT)
        self._lines[lane] = Line(row, self, self.effects, self._limits, self.now, is_new=True)
        return self._lines[lane]

    def line_with(
        self, job: str, lane: str | None = None, sequence: int | None = None
    ) -> tuple[Line | None, JobRow | None]:
        del lane, sequence
        row = find_job(self._cursor, job)
        if row is None or not row.state.is_live:
            return None, row
        line = self.line(row.lane)
        line.jobs[job] = row
        return line, row

    def find(self, job: str) -> JobRow | None:
        return find_job(self._cursor, job)

    def attempt(self, claim: Claim, job: Job, *, is_step: bool = False) -> Line:
        del job, is_step
        return self.line(claim.lane.key)

    def steps_put_off(self, claim: Claim, job: Job) -> Sequence[DoneStep]:
        """A write costs next to nothing here, so nothing is ever put off."""
        del claim, job
        return ()

    def believes_slot(self, claim: Claim) -> bool:
        del claim
        return False

    def forget(self, line: Line) -> None:
        del self._lines[line.row.lane]

    def first(self, lane: str, most: int) -> Sequence[Turn]:
        return [Turn(*row) for row in self._cursor.execute(_FIRST, (lane, most))]

    def first_of(self, lane: str, thread: str, most: int) -> Sequence[Turn]:
        return [Turn(*row) for row in self._cursor.execute(_FIRST_OF_THREAD, (lane, thread, most))]

    def verbs(self, lane: str) -> Sequence[Turn]:
        return [Turn(*row) for row in self._cursor.execute(_VERBS, (lane,))]

    def all(self, lane: str) -> Sequence[Turn]:
        return [Turn(*row) for row in self._cursor.execute(_ALL, (lane,))]

    def read(self, lane: str, job: str) -> JobRow | None:
        row = find_job(self._cursor, job)
        return row if row is not None and row.lane == lane and row.state.is_live else None

    def free_lanes(self, *, besides: str = "", seen: Sequence[LaneRow] | None = None) -> Sequence[LaneRow]:
        del seen
        # Two, so that somebody can be called for the second; and behind those that this very transaction changes.
        others = len(self._lines) - (besides in self._lines)
        found = find_free_lanes(self._cursor, self.now, besides, 2 + others)
        self._seen = {row[0]: row for row in found if row[0] not in self._lines}
        changed = [line.row for lane, line in self._lines.items() if lane != besides]
        return [lane_from(row) for row in self._seen.values()] + changed

    def project(self, project: str) -> ProjectRow:
        row = one(self._cursor, "SELECT failures, paused, paused_at FROM projects WHERE project = ?", (project,))
        return ProjectRow(project, row[0], row[1], row[2] or 0) if row else ProjectRow(project)

    def hold_project(self, project: ProjectRow) -> None:
        """Nobody else writes meanwhile."""

    def put_project(self, after: ProjectRow, seen: ProjectRow) -> None:
        del seen
        values = {
            "project": after.project,
            "failures": after.failures,
            "paused": storable(after.paused) if after.paused is not None else None,
            "paused_at": after.paused_at if after.paused is not None else None,
        }
        self._cursor.execute(_PUT_PROJECT, values)

    def forgive(self, project: str) -> None:
        self._cursor.execute("UPDATE projects SET failures = 0 WHERE project = ? AND failures != 0", (project,))

    def lanes_that_follow(self, project: str) -> Iterable[str]:
        return [row[0] for row in rows(self._cursor, "SELECT lane FROM lanes WHERE project = ?", (project,))]

    def lane_and_slot(self, claim: Claim) -> tuple[LaneRow | None, Slot | None]:
        sql = "SELECT lane, job, fence FROM publish_slots WHERE project = ?"
        row = one(self._cursor, sql, (claim.lane.project,))
        return self.look(claim.lane.key), Slot(*row) if row else None

    def look(self, lane: str) -> LaneRow | None:
        row = find_lane(self._cursor, lane)
        return lane_from(row) if row else None

    def put_slot(self, slot: Slot | None, seen: Slot | None, claim: Claim, job: str) -> None:
        del seen, job
        project = claim.lane.project
        if slot is None:
            self._cursor.execute("DELETE FROM publish_slots WHERE project = ?", (project,))
            return
        sql = "INSERT OR REPLACE INTO publish_slots (project, lane, job, fence) VALUES (?, ?, ?, ?)"
        self._cursor.execute(sql, (project, slot.lane, slot.job, slot.fence))

    def callback(self, token: str) -> Callback | None:
        return read_callback(self._cursor, token)

    def count_claim(self, worker: str, *, won: bool) -> None:
        self._cursor.execute(_CLAIM_WON if won else _CLAIM_LOST, (self.now.seconds, worker))

    def write(self) -> None:
        """Write what was decided."""
        for line in self._lines.values():
            self._write_line(line)
        cursor, now, effects = self._cursor, self.now, self.effects
        for letter in effects.letters:
            record_letter(cursor, letter, now)
        for proposal in effects.proposals:
            put_forward(cursor, proposal, now)
        for schedule in effects.schedules:
            add_schedule(cursor, schedule, now)
        for row in effects.tokens:
            replace_token(cursor, row)
        if effects.entries:
            write_entries(cursor, effects.entries)

    def _write_line(self, line: Line) -> None:
        cursor, lane = self._cursor, line.row.lane
        line.recompute()
        if line.is_new:
            insert_lane(cursor, line.row)
        else:
            update_lane(cursor, line.row, self._before[lane])
        fresh = {row.id for row in line.added}
        for row in line.added:
            insert_job(cursor, row, self.now)
        for job, row in line.changed.items():
            if job not in fresh:
                update_job(cursor, row)
        for row in line.ended.values():
            end_job(cursor, row)

    def rings(self) -> list[tuple[str, ...]]:
        """Return whom to wake when this has happened; of several workers the first one that is there."""
        effects = self.effects
        if not effects.wakeups and not effects.left:
            return []
        calls = [wakeup.worker for wakeup in effects.wakeups if wakeup.reason == WakeReason.CLAIM]
        owners = [wakeup.worker for wakeup in effects.wakeups if wakeup.reason != WakeReason.CLAIM]
        rings: list[tuple[str, ...]] = [(owner,) for owner in owners if owner is not None]
        if calls or effects.left:
            idle = rows(self._cursor, _IDLE_WORKERS, (calls[0] if calls else None,))
            rings.append(tuple(row[0] for row in idle))
        return rings

    def _begin(self, before: tuple[Any, ...], row: LaneRow) -> Line:
        self._before[row.lane] = before
        line = self._lines[row.lane] = Line(row, self, self.effects, self._limits, self.now)
        return line


def read_callback(cursor: apsw.Cursor, token: str) -> Callback | None:
    """Return what is known of a token: the end of its job is the answer."""
    row = one(cursor, _WAITED_FOR, (token.rpartition(".")[0], token)) or one(cursor, _WAITED_FOR_BEFORE, (token,))
    if row is None:
        return None
    job, state, outcome = row
    if State(state).is_live:
        return Callback(job, None, "")
    output = text_of({"job": job, "state": state, "outcome": outcome})
    return Callback(job, "success" if state == State.DONE else "failure", output)
