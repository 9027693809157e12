-- The whole state of an installation. Times are seconds of the wall clock, except leases: those are seconds of
-- the boot clock and mean nothing after a restart, which is why the boot's id stands beside them.

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE mails (
  id            TEXT PRIMARY KEY,
  digest        TEXT NOT NULL,
  transport_key TEXT NOT NULL UNIQUE,
  door          TEXT NOT NULL,
  peer          TEXT,
  mail_from     TEXT,
  recipients    TEXT NOT NULL,
  vouch         TEXT,
  received_at   REAL NOT NULL,
  state         TEXT NOT NULL DEFAULT 'received' CHECK (state IN ('received', 'decided')),
  outcome       TEXT,
  reason        TEXT,
  sender        TEXT,
  subject       TEXT NOT NULL DEFAULT '',
  job           TEXT,
  thread        TEXT,
  decided_at    REAL,
  helo          TEXT,
  user          TEXT,
  authserv_id   TEXT,
  verdicts      TEXT NOT NULL DEFAULT '{}',
  project       TEXT,
  verdict       TEXT,
  method        TEXT,
  reasons       TEXT NOT NULL DEFAULT '[]',
  tries         INTEGER NOT NULL DEFAULT 0,
  not_before    REAL NOT NULL DEFAULT 0,
  author        TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX mails_undecided ON mails (received_at) WHERE state = 'received';
-- Those of one author in the order of their rows, which is the order of their arrival.
CREATE INDEX mails_in_line ON mails (author) WHERE state = 'received' AND job IS NULL;
CREATE INDEX mails_by_outcome ON mails (outcome) WHERE outcome IS NOT NULL;

-- The key of each request that a verified person made, and the mail that made it; kept longer than mails are.
CREATE TABLE requests (
  key        TEXT PRIMARY KEY,
  mail       TEXT NOT NULL,
  claimed_at REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- What limits count; a thing is in a tally once, however often it is noted.
CREATE TABLE tallies (
  tally    TEXT NOT NULL,
  thing    TEXT NOT NULL,
  noted_at REAL NOT NULL,
  PRIMARY KEY (tally, thing)
) STRICT, WITHOUT ROWID;
CREATE INDEX tallies_by_time ON tallies (noted_at);

-- How far each mailbox at somebody else's mail server has been read.
CREATE TABLE mailboxes (
  mailbox  TEXT PRIMARY KEY,
  validity INTEGER NOT NULL,
  uid      INTEGER NOT NULL,
  read_at  REAL NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE threads (
  id       TEXT PRIMARY KEY,
  lane     TEXT NOT NULL,
  session  TEXT,
  began_at REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- Their Message-IDs and ours: a reply to any of them continues the thread.
CREATE TABLE thread_messages (
  message_id TEXT PRIMARY KEY,
  thread     TEXT NOT NULL,
  noted_at   REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- pending counts the live jobs. ready_since is set only while nobody owns the lane and its head may start.
CREATE TABLE lanes (
  lane             TEXT PRIMARY KEY,
  project          TEXT NOT NULL,
  user             TEXT NOT NULL,
  fence            INTEGER NOT NULL,
  owner            TEXT,
  nonce            TEXT,
  lease_until      REAL NOT NULL DEFAULT 0,
  lease_boot       TEXT NOT NULL DEFAULT '',
  pending          INTEGER NOT NULL DEFAULT 0 CHECK (pending >= 0),
  next_sequence    INTEGER NOT NULL DEFAULT 1,
  running          TEXT,
  ready_since      REAL,
  not_before       REAL NOT NULL DEFAULT 0,
  first_thread     TEXT,
  last_worker      TEXT,
  paused           TEXT,
  rung_at          REAL NOT NULL DEFAULT 0,
  rings            INTEGER NOT NULL DEFAULT 0,
  rings_suppressed INTEGER NOT NULL DEFAULT 0,
  verbs            INTEGER NOT NULL DEFAULT 0,
  committing       INTEGER NOT NULL DEFAULT 0,
  -- No job of the lane fails by time before this moment.
  overdue_at       REAL,
  paused_at        REAL,
  -- All pauses so far: the patience of a job that waited through one ends that much later.
  patience_shift   REAL NOT NULL DEFAULT 0,
  -- When the time of what runs is over, on the boot clock.
  runs_until       REAL
) STRICT;
CREATE INDEX lanes_ready ON lanes (ready_since) WHERE ready_since IS NOT NULL;
CREATE INDEX lanes_owned ON lanes (owner) WHERE owner IS NOT NULL;
CREATE INDEX lanes_overdue ON lanes (overdue_at) WHERE overdue_at IS NOT NULL;
CREATE INDEX lanes_paused ON lanes (project) WHERE paused IS NOT NULL;
CREATE INDEX lanes_by_project ON lanes (project, paused);

CREATE TABLE jobs (
  id                TEXT PRIMARY KEY,
  lane              TEXT NOT NULL REFERENCES lanes (lane),
  sequence          INTEGER NOT NULL,
  thread            TEXT NOT NULL,
  dedup_key         TEXT NOT NULL UNIQUE,
  kind              TEXT NOT NULL,
  state             TEXT NOT NULL CHECK (state IN ('preparing', 'queued', 'running', 'parked', 'committing',
                                                   'done', 'failed', 'stopped', 'refused', 'dead')),
  outcome           TEXT,
  subject           TEXT NOT NULL,
  request           TEXT NOT NULL,
  mail              TEXT,
  repeats           TEXT,
  token             TEXT NOT NULL,
  fence             INTEGER NOT NULL DEFAULT 0,
  attempt           INTEGER NOT NULL DEFAULT 0,
  interruptions     INTEGER NOT NULL DEFAULT 0,
  received_at       REAL NOT NULL,
  prepare_by        REAL NOT NULL,
  start_by          REAL NOT NULL,
  deadline          REAL,
  not_before        REAL NOT NULL DEFAULT 0,
  started_at        REAL,
  attempt_at        REAL,
  finished_at       REAL,
  -- A cancel is meant for this job under cancel_fence and for nothing else.
  cancel            TEXT,
  cancel_by         TEXT,
  cancel_fence      INTEGER,
  cancel_not_before REAL,
  journal           TEXT NOT NULL DEFAULT '{}',
  commit_id         TEXT,
  summary           TEXT NOT NULL DEFAULT '',
  error             TEXT,
  about             TEXT,
  -- The lane's shift when start_by was set.
  patience_shift    REAL NOT NULL DEFAULT 0,
  -- Whose thread goes next when the cancel is obeyed.
  cancel_thread     TEXT,
  -- Whether the agency was told that it is dead.
  alarmed           INTEGER NOT NULL DEFAULT 0,
  UNIQUE (lane, sequence)
) STRICT;
-- A live job has not finished: its place in these indexes does not change while it lives.
CREATE INDEX jobs_live ON jobs (lane, sequence) WHERE finished_at IS NULL;
CREATE INDEX jobs_verbs ON jobs (lane, sequence) WHERE kind = 'verb' AND finished_at IS NULL;
CREATE INDEX jobs_of_thread ON jobs (lane, thread, sequence) WHERE finished_at IS NULL;
-- Most jobs are done: whoever asks for those finds them among the newest.
CREATE INDEX jobs_ended ON jobs (state) WHERE finished_at IS NOT NULL AND state != 'done';
CREATE INDEX jobs_to_report ON jobs (received_at) WHERE state = 'dead' AND NOT alarmed;
-- A token begins with the id of its job, which has its answer. Only those of earlier versions are looked up.
CREATE INDEX jobs_by_other_token ON jobs (token) WHERE instr(token, id) != 1;
-- A question waits for its answer for as long as its job is kept.
CREATE INDEX jobs_asked ON jobs (outcome) WHERE outcome = 'asked';
-- Whether anything is left of a conversation, without reading its whole lane.
CREATE INDEX jobs_ended_of_thread ON jobs (thread) WHERE finished_at IS NOT NULL;

CREATE TABLE outbox (
  key        TEXT PRIMARY KEY,
  kind       TEXT NOT NULL,
  job        TEXT,
  mail       TEXT,
  recipient  TEXT NOT NULL,
  words      TEXT NOT NULL,
  facts      TEXT NOT NULL DEFAULT '{}',
  sealed     BLOB,
  message_id TEXT,
  state      TEXT NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sent', 'given up')),
  tries      INTEGER NOT NULL DEFAULT 0,
  due_at     REAL NOT NULL,
  sender     TEXT,
  error      TEXT,
  added_at   REAL NOT NULL,
  sent_at    REAL,
  -- The digest of a long one, which is a file beside the mails instead of a blob in here.
  sealed_as  TEXT,
  -- Since when it waits for the agency's eye, and who let it go; it is due to nobody while it waits.
  held_at     REAL,
  released_by TEXT
) STRICT;
CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'due';
CREATE INDEX outbox_by_message ON outbox (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX outbox_held ON outbox (held_at) WHERE held_at IS NOT NULL;

-- Letters that came back; each counts once for its address.
CREATE TABLE bounces (
  letter     TEXT NOT NULL,
  address    TEXT NOT NULL,
  for_good   INTEGER NOT NULL,
  reason     TEXT NOT NULL,
  bounced_at REAL NOT NULL,
  PRIMARY KEY (address, letter)
) STRICT, WITHOUT ROWID;
CREATE INDEX bounces_by_time ON bounces (bounced_at);

CREATE TABLE projects (
  project   TEXT PRIMARY KEY,
  failures  INTEGER NOT NULL DEFAULT 0,
  paused    TEXT,
  paused_at REAL
) STRICT, WITHOUT ROWID;
CREATE INDEX projects_paused ON projects (project) WHERE paused IS NOT NULL;

-- One publish at a time in each project: held while that job runs under that fence of a living claim.
CREATE TABLE publish_slots (
  project TEXT PRIMARY KEY,
  lane    TEXT NOT NULL,
  job     TEXT NOT NULL,
  fence   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE workers (
  worker        TEXT PRIMARY KEY,
  process       TEXT NOT NULL,
  idle          INTEGER NOT NULL DEFAULT 0,
  idle_at       REAL,
  seen_at       REAL NOT NULL,
  claims_won    INTEGER NOT NULL DEFAULT 0,
  claims_lost   INTEGER NOT NULL DEFAULT 0,
  claims_failed INTEGER NOT NULL DEFAULT 0,
  holds_back_until REAL
) STRICT, WITHOUT ROWID;
CREATE INDEX workers_idle ON workers (idle_at) WHERE idle = 1;

CREATE TABLE trail (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  at     REAL NOT NULL,
  what   TEXT NOT NULL,
  lane   TEXT,
  thread TEXT,
  job    TEXT,
  mail   TEXT,
  worker TEXT,
  fence  INTEGER,
  text   TEXT NOT NULL DEFAULT '',
  facts  TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX trail_by_job ON trail (job, number) WHERE job IS NOT NULL;
CREATE INDEX trail_by_lane ON trail (lane, number) WHERE lane IS NOT NULL;

CREATE TABLE spending (
  project TEXT NOT NULL,
  day     TEXT NOT NULL,
  user    TEXT NOT NULL,
  usd     REAL NOT NULL,
  PRIMARY KEY (project, day, user)
) STRICT, WITHOUT ROWID;
CREATE INDEX spending_by_day ON spending (day);

CREATE TABLE spending_of_runs (
  day TEXT NOT NULL,
  run TEXT NOT NULL,
  usd REAL NOT NULL,
  PRIMARY KEY (day, run)
) STRICT, WITHOUT ROWID;

CREATE TABLE spending_of_outcomes (
  project TEXT NOT NULL,
  day     TEXT NOT NULL,
  outcome TEXT NOT NULL,
  jobs    INTEGER NOT NULL,
  usd     REAL NOT NULL,
  PRIMARY KEY (project, day, outcome)
) STRICT, WITHOUT ROWID;
CREATE INDEX spending_of_outcomes_by_day ON spending_of_outcomes (day);

CREATE TABLE spending_of_jobs (
  day     TEXT NOT NULL,
  job     TEXT NOT NULL,
  outcome TEXT NOT NULL,
  usd     REAL NOT NULL,
  PRIMARY KEY (day, job)
) STRICT, WITHOUT ROWID;

CREATE TABLE spending_allowed (
  project TEXT NOT NULL,
  day     TEXT NOT NULL,
  usd     REAL NOT NULL,
  PRIMARY KEY (project, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX spending_allowed_by_day ON spending_allowed (day);

CREATE TABLE proposals (
  thread      TEXT PRIMARY KEY,
  id          TEXT NOT NULL,
  project     TEXT NOT NULL,
  standing    TEXT NOT NULL,
  proposed_at REAL NOT NULL,
  body        TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX proposals_open ON proposals (proposed_at) WHERE standing = 'open';

CREATE TABLE schedules (
  id        TEXT PRIMARY KEY,
  project   TEXT NOT NULL,
  at        REAL NOT NULL,
  body      TEXT NOT NULL,
  added_at  REAL NOT NULL,
  closed_at REAL,
  closed_by TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX schedules_open ON schedules (at) WHERE closed_at IS NULL;

-- What the pages ask: the newest of a project, and how many jobs there are in each state.
CREATE INDEX jobs_by_project ON jobs (substr(lane, 1, instr(lane, '#') - 1));
CREATE INDEX mails_by_project ON mails (project) WHERE project IS NOT NULL;
CREATE INDEX projects_failing ON projects (failures) WHERE failures > 1;
-- Whose words go with a file.
CREATE INDEX mails_by_file ON mails (digest) WHERE job IS NULL;
CREATE INDEX outbox_by_file ON outbox (sealed_as) WHERE sealed_as IS NOT NULL;

-- Kept in the transaction that changes a job: nobody counts a million rows to show a number.
CREATE TABLE job_counts (
  project TEXT NOT NULL,
  state   TEXT NOT NULL,
  jobs    INTEGER NOT NULL,
  PRIMARY KEY (project, state)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER jobs_counted AFTER INSERT ON jobs BEGIN
  INSERT INTO job_counts (project, state, jobs) VALUES (substr(new.lane, 1, instr(new.lane, '#') - 1), new.state, 1)
  ON CONFLICT (project, state) DO UPDATE SET jobs = jobs + 1;
END;
CREATE TRIGGER jobs_counted_again AFTER UPDATE OF state ON jobs WHEN old.state != new.state BEGIN
  UPDATE job_counts SET jobs = jobs - 1
  WHERE project = substr(old.lane, 1, instr(old.lane, '#') - 1) AND state = old.state;
  INSERT INTO job_counts (project, state, jobs) VALUES (substr(new.lane, 1, instr(new.lane, '#') - 1), new.state, 1)
  ON CONFLICT (project, state) DO UPDATE SET jobs = jobs + 1;
END;
CREATE TRIGGER jobs_counted_off AFTER DELETE ON jobs BEGIN
  UPDATE job_counts SET jobs = jobs - 1
  WHERE project = substr(old.lane, 1, instr(old.lane, '#') - 1) AND state = old.state;
END;

-- Search by content. A document's number is its moment in microseconds, so that the newest come first without sorting.
-- The words themselves are not kept a second time: only which word stands in which document.
CREATE TABLE search_docs (
  number INTEGER PRIMARY KEY,
  kind   TEXT NOT NULL,
  id     TEXT NOT NULL,
  UNIQUE (kind, id)
) STRICT;
CREATE VIRTUAL TABLE search_words USING fts5 (
  words, project, content = '', contentless_delete = 1, prefix = '2 3 4', tokenize = 'unicode61 remove_diacritics 2'
);
-- What has changed since it was last read for the search.
CREATE TABLE search_due (
  kind TEXT NOT NULL,
  id   TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER jobs_searched AFTER INSERT ON jobs BEGIN
  INSERT OR IGNORE INTO search_due (kind, id) VALUES ('job', new.id);
END;
CREATE TRIGGER jobs_searched_again AFTER UPDATE OF finished_at, request, error ON jobs
WHEN old.finished_at IS NOT new.finished_at OR old.request != new.request
  OR (new.finished_at IS NOT NULL AND old.error IS NOT new.error) BEGIN
  INSERT OR IGNORE INTO search_due (kind, id) VALUES ('job', new.id);
END;
CREATE TRIGGER letters_searched AFTER UPDATE OF sealed, sealed_as ON outbox
WHEN new.sealed IS NOT NULL OR new.sealed_as IS NOT NULL BEGIN
  INSERT OR IGNORE INTO search_due (kind, id) VALUES ('letter', new.key);
END;
CREATE TRIGGER mails_searched AFTER UPDATE OF state, outcome ON mails
WHEN new.state = 'decided' AND new.job IS NULL BEGIN
  INSERT OR IGNORE INTO search_due (kind, id) VALUES ('mail', new.id);
END;
-- What is forgotten cannot be found, from the same transaction on.
CREATE TRIGGER docs_forgotten AFTER DELETE ON search_docs BEGIN
  DELETE FROM search_words WHERE rowid = old.number;
END;
CREATE TRIGGER jobs_unsearched AFTER DELETE ON jobs BEGIN
  DELETE FROM search_docs WHERE kind = 'job' AND id = old.id;
  DELETE FROM search_due WHERE kind = 'job' AND id = old.id;
END;
CREATE TRIGGER mails_unsearched AFTER DELETE ON mails BEGIN
  DELETE FROM search_docs WHERE kind = 'mail' AND id = old.id;
  DELETE FROM search_due WHERE kind = 'mail' AND id = old.id;
END;
CREATE TRIGGER letters_unsearched AFTER DELETE ON outbox BEGIN
  DELETE FROM search_docs WHERE kind = 'letter' AND id = old.key;
  DELETE FROM search_due WHERE kind = 'letter' AND id = old.key;
END;
CREATE TRIGGER letters_unsealed AFTER UPDATE OF sealed, sealed_as ON outbox
WHEN new.sealed IS NULL AND new.sealed_as IS NULL BEGIN
  DELETE FROM search_docs WHERE kind = 'letter' AND id = new.key;
  DELETE FROM search_due WHERE kind = 'letter' AND id = new.key;
END;
-- What was redacted is read again; until then its words cannot be found.
CREATE TRIGGER jobs_redacted AFTER UPDATE OF error ON jobs
WHEN old.finished_at IS NOT NULL AND old.error IS NOT new.error BEGIN
  DELETE FROM search_docs WHERE kind = 'job' AND id = new.id;
END;
CREATE TRIGGER mails_redacted AFTER UPDATE OF reason ON mails
WHEN old.state = 'decided' AND old.reason IS NOT new.reason BEGIN
  DELETE FROM search_docs WHERE kind = 'mail' AND id = new.id;
  INSERT OR IGNORE INTO search_due (kind, id) VALUES ('mail', new.id);
END;
