-- Letters with pictures in them are files beside the mails.
ALTER TABLE outbox ADD COLUMN sealed_as TEXT;
