-- The eleventh form: what the processes of a run used, where that was seen.
ALTER TABLE run ADD COLUMN cpu_ms INTEGER;
ALTER TABLE run ADD COLUMN peak_memory_bytes INTEGER;
