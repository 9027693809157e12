-- What came of the money: for each outcome, with each job's part in it, and what the agency has allowed on top of a limit.
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
