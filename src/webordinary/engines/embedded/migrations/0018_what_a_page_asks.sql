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
INSERT INTO job_counts (project, state, jobs)
SELECT substr(lane, 1, instr(lane, '#') - 1), state, count(*) FROM jobs GROUP BY 1, 2;
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
-- What was there before is read piece by piece, from the newest down to the first.
INSERT INTO meta (key, value) SELECT 'search job', max(rowid) FROM jobs HAVING max(rowid) > 0;
INSERT INTO meta (key, value) SELECT 'search letter', max(rowid) FROM outbox HAVING max(rowid) > 0;
INSERT INTO meta (key, value) SELECT 'search mail', max(rowid) FROM mails HAVING max(rowid) > 0;
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
