ALTER TABLE schedules ADD COLUMN closed_by TEXT;
