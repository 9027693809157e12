-- An installation after years: :jobs jobs in :lanes lanes, one mail, one letter and one entry of the trail for each.
-- One job in 500 waits now, one in 100 is dead and one in 20 has failed.

WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < :lanes)
INSERT INTO lanes (lane, project, user, fence, next_sequence)
SELECT 'project-' || (n % 1000) || '#user-' || n, 'project-' || (n % 1000), 'user-' || n, 1, :jobs / :lanes + 1
FROM numbers;

WITH RECURSIVE
  numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < :jobs),
  states (n, state) AS (
    SELECT n, CASE WHEN n % 500 = 0 THEN 'queued' WHEN n % 100 = 1 THEN 'dead' WHEN n % 20 = 2 THEN 'failed'
      ELSE 'done' END
    FROM numbers)
INSERT INTO jobs (id, lane, sequence, thread, dedup_key, kind, state, outcome, subject, request, mail, token, fence,
  attempt, received_at, prepare_by, start_by, started_at, finished_at, alarmed)
SELECT 'job-' || n, 'project-' || (n % :lanes % 1000) || '#user-' || (n % :lanes), n / :lanes + 1,
  'thread-' || (n % 300000), 'key-' || n, 'instruction', state, CASE state WHEN 'done' THEN 'published' END,
  'Opening hours', '{"text": "We open at nine now, also on Sundays.", "reply_to": "scott@example.org"}', 'mail-' || n,
  'job-' || n || '.token', 1, 1, :now - :jobs + n, :now, :now + 86400, :now - :jobs + n,
  CASE WHEN state != 'queued' THEN :now - :jobs + n + 60 END, state = 'dead'
FROM states;

UPDATE lanes SET pending = waiting.count, ready_since = :now, overdue_at = :now + 86400
FROM (SELECT lane, count(*) AS count FROM jobs WHERE finished_at IS NULL GROUP BY lane) AS waiting
WHERE lanes.lane = waiting.lane;

INSERT INTO projects (project) SELECT DISTINCT project FROM lanes;

INSERT INTO threads (id, lane, began_at) SELECT thread, min(lane), min(received_at) FROM jobs GROUP BY thread;

INSERT INTO mails (id, digest, transport_key, door, recipients, received_at, state, outcome, sender, job)
SELECT mail, mail, mail, 'smtp', '[]', received_at, 'decided',
  CASE WHEN rowid % 1000 = 0 THEN 'held' WHEN rowid % 50 = 0 THEN 'stranger' ELSE 'queued' END,
  'scott@example.org', id
FROM jobs;

INSERT INTO outbox (key, kind, job, mail, recipient, words, state, due_at, added_at)
SELECT id || CASE WHEN finished_at IS NULL THEN '.ack' ELSE '.answer' END,
  CASE WHEN finished_at IS NULL THEN 'ack' ELSE 'answer' END, id, mail, 'scott@example.org', 'published', 'sent',
  received_at, received_at
FROM jobs;

INSERT INTO trail (at, what, lane, thread, job, mail)
SELECT received_at, 'job accepted', lane, thread, id, mail FROM jobs;

INSERT INTO bounces SELECT key, 'user-' || rowid || '@example.org', 1, 'unknown', added_at FROM outbox
WHERE rowid % 100 = 0;

INSERT INTO spending (project, day, user, usd)
SELECT project, date(finished_at, 'unixepoch'), user, 0.01 * count(*)
FROM jobs JOIN lanes USING (lane) WHERE finished_at IS NOT NULL GROUP BY 1, 2, 3;

INSERT INTO spending_of_outcomes (project, day, outcome, jobs, usd)
SELECT project, date(finished_at, 'unixepoch'), coalesce(outcome, state), count(*), 0.01 * count(*)
FROM jobs JOIN lanes USING (lane) WHERE finished_at IS NOT NULL GROUP BY 1, 2, 3;

INSERT INTO spending_of_jobs (day, job, outcome, usd)
SELECT date(finished_at, 'unixepoch'), id, coalesce(outcome, state), 0.01 FROM jobs WHERE finished_at IS NOT NULL;

-- What triggers keep, and what the search has read; a document's number is its moment in microseconds.
INSERT INTO job_counts (project, state, jobs)
SELECT substr(lane, 1, instr(lane, '#') - 1), state, count(*) FROM jobs GROUP BY 1, 2;

INSERT INTO search_docs (number, kind, id) SELECT CAST(received_at * 1000000 AS INTEGER), 'job', id FROM jobs;

INSERT INTO search_words (rowid, words, project)
SELECT CAST(received_at * 1000000 AS INTEGER), subject || ' ' || (request ->> '$.text') || ' ' || id, '' FROM jobs;
