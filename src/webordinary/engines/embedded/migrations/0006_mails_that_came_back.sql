-- Mails of ours that came back are found by their Message-ID and counted for their address.
CREATE INDEX outbox_by_message ON outbox (message_id) WHERE message_id IS NOT NULL;
CREATE TABLE bounces (
  letter     TEXT NOT NULL,
  address    TEXT NOT NULL,
  for_good   INTEGER NOT NULL,
  reason     TEXT NOT NULL,
  bounced_at REAL NOT NULL,
  PRIMARY KEY (address, letter)
) STRICT, WITHOUT ROWID;
