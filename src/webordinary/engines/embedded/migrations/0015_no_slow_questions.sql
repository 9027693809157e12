-- Every list and every chore reads as much as it shows, however many jobs, lanes and entries there are; and whatever
-- is written touches as few indexes as possible. Jobs and mails are numbered as they come, so none is sorted by time.
DROP INDEX jobs_by_time;
DROP INDEX jobs_dead;
DROP INDEX mails_by_time;
DROP INDEX mails_held;
DROP INDEX trail_by_time;
DROP INDEX lanes_owned;
CREATE INDEX mails_by_outcome ON mails (outcome) WHERE outcome IS NOT NULL;
CREATE INDEX trail_by_lane ON trail (lane, number) WHERE lane IS NOT NULL;
CREATE INDEX lanes_owned ON lanes (owner) WHERE owner IS NOT NULL;
CREATE INDEX lanes_overdue ON lanes (overdue_at) WHERE overdue_at IS NOT NULL;
CREATE INDEX lanes_paused ON lanes (project) WHERE paused IS NOT NULL;
CREATE INDEX lanes_by_project ON lanes (project, paused);
CREATE INDEX projects_paused ON projects (project) WHERE paused IS NOT NULL;
CREATE INDEX bounces_by_time ON bounces (bounced_at);
CREATE INDEX spending_by_day ON spending (day);
-- Most jobs are done: whoever asks for those finds them among the newest.
CREATE INDEX jobs_ended ON jobs (state) WHERE finished_at IS NOT NULL AND state != 'done';
-- Whether the agency was told of a dead job.
ALTER TABLE jobs ADD COLUMN alarmed INTEGER NOT NULL DEFAULT 0;
UPDATE jobs SET alarmed = 1 WHERE state = 'dead' AND EXISTS (SELECT 1 FROM outbox WHERE key = jobs.id || '.alarm');
CREATE INDEX jobs_to_report ON jobs (received_at) WHERE state = 'dead' AND NOT alarmed;
-- A token begins with the id of its job, which has its answer. Only those of earlier versions are looked up.
DROP TABLE callbacks;
CREATE INDEX jobs_by_other_token ON jobs (token) WHERE instr(token, id) != 1;
-- A question waits for its answer for as long as its job is kept.
CREATE INDEX jobs_asked ON jobs (outcome) WHERE outcome = 'asked';
