-- Mails of one author are decided in the order of their arrival; those from before stand in nobody's line.
ALTER TABLE mails ADD COLUMN author TEXT NOT NULL DEFAULT '';
CREATE INDEX mails_in_line ON mails (author) WHERE state = 'received' AND job IS NULL;
