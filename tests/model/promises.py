"""The promises of the dispatch protocol, as the sentences that a violation is reported with."""

from __future__ import annotations

from enum import StrEnum


class Broken(StrEnum):
    """A promise that did not hold."""

    STALE_FENCE_WROTE = "I1 a worker without the current fence changed the lane"
    STALE_FENCE_PUBLISHED = "I1 an older fence changed live after a newer one had looked or acted"
    PUBLISHED_OUTSIDE_COMMIT_POINT = "I1 a job went live that was not past its commit point"
    POINTER_WENT_BACK = "I1 the live pointer moved backwards"
    COMMIT_LOST = "I1 a push overwrote a commit of the other lane"
    TWO_RUN = "I2 two jobs run in one lane"
    STALE_WORKER_GOES_ON = "I2 a worker was told to go on beside the owner"
    TAKEN_FROM_THE_LIVING = "I2 a lane was taken from a worker whose lease had not lapsed"
    STARTED_OUT_OF_ORDER = "I3 a job started before an earlier one of its thread"
    PUBLISHED_OUT_OF_ORDER = "I3 a job went live before an earlier one of its thread"
    INTERRUPTER_NOT_NEXT = "I3 the next start after a park was not of the interrupter's thread"
    SECOND_OUTCOME = "I4 a job got a second outcome"
    PUBLISHED_TWICE = "I4 a job went live twice"
    PUBLISHED_AFTER_END = "I4 a job went live after its outcome was told"
    LIVE_BUT_DENIED = "I4 a job is live and was reported as failed or stopped"
    DONE_BUT_NOT_LIVE = "I4 a job was reported as published and is not live"
    WRONG_JOB_CANCELLED = "I6 a job was cancelled by a cancel that was meant for another"
    CANCELLED_WITHOUT_CANCEL = "I6 a job was set aside that nobody cancelled, or after its commit point"
    CANCELLED_BY_OWN_THREAD = "I6 a job was cancelled by an instruction of its own thread"
    CANCELLED_FOR_NOTHING = "I6 a job was cancelled for one that could not start"
    FENCE_REPEATED = "I7 two workers hold the same fence"
    PENDING_WRONG = "I8 pending is not the number of live jobs"
    RUNS_WITHOUT_OWNER = "I8 a job runs in a lane without an owner"
    CURRENT_OWNER_REFUSED = "V1 the current owner was refused because of a foreign fence"
    COMMITTED_DESPITE_CANCEL = "V2 a cancelled job passed its commit point"
    PUBLISHED_DESPITE_STOP = "V2 a person's stop was accepted and the job was published"
    PARKED_DESPITE_STOP = "V2 a job that a person has stopped was only set aside"
    SWEEP_COMES_TOO_LATE = "V5 the time of a job may be over before the sweep looks at its lane"
    INTERRUPTED_TOO_OFTEN = "V4 a job was interrupted more than two times"
