-- How far each mailbox at somebody else's mail server has been read.
CREATE TABLE mailboxes (
  mailbox  TEXT PRIMARY KEY,
  validity INTEGER NOT NULL,
  uid      INTEGER NOT NULL,
  read_at  REAL NOT NULL
) STRICT, WITHOUT ROWID;
