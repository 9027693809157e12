-- What the door saw of the sender: who decides who wrote a mail needs it, now and when the mail is replayed.
ALTER TABLE mails ADD COLUMN helo TEXT;
ALTER TABLE mails ADD COLUMN user TEXT;
ALTER TABLE mails ADD COLUMN authserv_id TEXT;
ALTER TABLE mails ADD COLUMN verdicts TEXT NOT NULL DEFAULT '{}';
