CREATE TABLE spending_of_runs (
  day TEXT NOT NULL,
  run TEXT NOT NULL,
  usd REAL NOT NULL,
  PRIMARY KEY (day, run)
) STRICT, WITHOUT ROWID;
