-- What the pages ask: the newest of a project, and how many jobs there are in each state.
CREATE INDEX jobs_by_project ON jobs (substr(lane, 1, instr(lane, '#') - 1));
CREATE INDEX mails_by_project ON mails (project) WHERE project IS NOT NULL;
CREATE INDEX projects_failing ON projects (failures) WHERE failures > 1;

-- Kept in the transaction that changes a job: nobody counts a million rows to show a number.
CREATE TABLE job_counts (
  project TEXT NOT NULL,
  state   TEXT NOT NULL,
  jobs    INTEGER NOT NULL,
  PRIMARY KEY (project, state)
) STRICT, WITHOUT ROWID;
INSERT INTO job_counts (project, state, jobs)
SELECT substr(lane, 1, instr(lane, '#') - 1), state, count(*) FROM jobs GROUP BY 1, 2;
CREATE TRIGGER jobs_counted AFTER INSERT ON jobs BEGIN
  INSERT INTO job_counts (project, state, jobs) VALUES (substr(new.lane, 1, instr(new.lane, '#') - 1), new.state, 1)
  ON CONFLICT (project, state) DO UPDATE SET jobs = jobs + 1;
END;
CREATE TRIGGER jobs_counted_again AFTER UPDATE OF state ON jobs WHEN old.state != new.state BEGIN
  UPDATE job_counts SET jobs = jobs - 1
  WHERE project = substr(old.lane, 1, instr(old.lane, '#') - 1) AND state = old.state;
  INSERT INTO job_counts (project, state, jobs) VALUES (substr(new.lane, 1, instr(new.lane, '#') - 1), new.state, 1)
  ON CONFLICT (project, state) DO UPDATE SET jobs = jobs + 1;
END;
CREATE TRIGGER jobs_counted_off AFTER DELETE ON jobs BEGIN
  UPDATE job_counts SET jobs = jobs - 1
  WHERE project = substr(old.lane, 1, instr(old.lane, '#') - 1) AND state = old.state;
END;
