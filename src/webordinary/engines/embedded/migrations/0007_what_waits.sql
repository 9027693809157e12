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
  closed_at REAL
) STRICT, WITHOUT ROWID;
CREATE INDEX schedules_open ON schedules (at) WHERE closed_at IS NULL;

ALTER TABLE jobs ADD COLUMN about TEXT;
