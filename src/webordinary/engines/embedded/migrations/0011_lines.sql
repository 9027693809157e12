-- What the rules of a lane need to know of it without reading its jobs, and the first job of a thread in one look.
ALTER TABLE lanes ADD COLUMN verbs INTEGER NOT NULL DEFAULT 0;
ALTER TABLE lanes ADD COLUMN committing INTEGER NOT NULL DEFAULT 0;
ALTER TABLE lanes ADD COLUMN overdue_at REAL;
ALTER TABLE lanes ADD COLUMN paused_at REAL;
ALTER TABLE lanes ADD COLUMN patience_shift REAL NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN patience_shift REAL NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN cancel_thread TEXT;
-- A live job has not finished: its place in these indexes does not change while it lives.
DROP INDEX jobs_live;
DROP INDEX jobs_verbs;
DROP INDEX jobs_by_state;
CREATE INDEX jobs_live ON jobs (lane, sequence) WHERE finished_at IS NULL;
CREATE INDEX jobs_verbs ON jobs (lane, sequence) WHERE kind = 'verb' AND finished_at IS NULL;
CREATE INDEX jobs_dead ON jobs (received_at) WHERE state = 'dead';
CREATE INDEX jobs_of_thread ON jobs (lane, thread, sequence) WHERE finished_at IS NULL;
UPDATE lanes SET
  verbs = (SELECT count(*) FROM jobs WHERE jobs.lane = lanes.lane AND kind = 'verb'
           AND state IN ('preparing', 'queued', 'running', 'parked', 'committing')),
  committing = EXISTS (SELECT 1 FROM jobs WHERE jobs.id = lanes.running AND state = 'committing'),
  -- The next sweep looks when it really is.
  overdue_at = CASE WHEN pending > 0 THEN 0 END,
  paused_at = (SELECT paused_at FROM projects WHERE projects.project = lanes.project);
UPDATE jobs SET cancel_thread = (SELECT thread FROM jobs AS newer WHERE newer.id = jobs.cancel_by)
  WHERE cancel IS NOT NULL;
