-- What was found out about a mail's sender, how often that was tried, and which requests are known.
ALTER TABLE mails ADD COLUMN project TEXT;
ALTER TABLE mails ADD COLUMN verdict TEXT;
ALTER TABLE mails ADD COLUMN method TEXT;
ALTER TABLE mails ADD COLUMN reasons TEXT NOT NULL DEFAULT '[]';
ALTER TABLE mails ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mails ADD COLUMN not_before REAL NOT NULL DEFAULT 0;
CREATE INDEX mails_held ON mails (received_at) WHERE outcome = 'held';
CREATE TABLE requests (
  key        TEXT PRIMARY KEY,
  mail       TEXT NOT NULL,
  claimed_at REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE tallies (
  tally    TEXT NOT NULL,
  thing    TEXT NOT NULL,
  noted_at REAL NOT NULL,
  PRIMARY KEY (tally, thing)
) STRICT, WITHOUT ROWID;
CREATE INDEX tallies_by_time ON tallies (noted_at);
