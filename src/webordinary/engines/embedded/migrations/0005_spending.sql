CREATE TABLE spending (
  project TEXT NOT NULL,
  day     TEXT NOT NULL,
  user    TEXT NOT NULL,
  usd     REAL NOT NULL,
  PRIMARY KEY (project, day, user)
) STRICT, WITHOUT ROWID;
