-- Whether anything is left of a conversation, without reading its whole lane.
CREATE INDEX jobs_ended_of_thread ON jobs (thread) WHERE finished_at IS NOT NULL;
