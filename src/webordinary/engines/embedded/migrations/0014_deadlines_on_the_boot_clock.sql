-- When the time of what runs is over, on the boot clock: a wall clock that is set fails nothing that runs.
ALTER TABLE lanes ADD COLUMN runs_until REAL;
