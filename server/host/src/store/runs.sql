-- The fourth form: what is known of each run, and how it stands.

ALTER TABLE run ADD COLUMN adapter TEXT NOT NULL DEFAULT 'attached';
ALTER TABLE run ADD COLUMN state TEXT NOT NULL DEFAULT 'running';
ALTER TABLE run ADD COLUMN why TEXT NOT NULL DEFAULT 'at-work';
ALTER TABLE run ADD COLUMN process TEXT NOT NULL DEFAULT 'elsewhere';
ALTER TABLE run ADD COLUMN reported TEXT;
ALTER TABLE run ADD COLUMN stopped TEXT;
ALTER TABLE run ADD COLUMN asked TEXT NOT NULL DEFAULT 'nothing';
ALTER TABLE run ADD COLUMN done_by TEXT NOT NULL DEFAULT 'report';
ALTER TABLE run ADD COLUMN has_worked INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN has_failed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN questions INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN interval_ms INTEGER NOT NULL DEFAULT 86400000;
ALTER TABLE run ADD COLUMN sign TEXT NOT NULL DEFAULT 'started';
ALTER TABLE run ADD COLUMN sign_ms INTEGER NOT NULL DEFAULT 0;       -- wall clock
ALTER TABLE run ADD COLUMN sign_boot TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN sign_steady_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN silent_ms INTEGER;                        -- when it counts as silent, while it is at work and heard
ALTER TABLE run ADD COLUMN message TEXT;

UPDATE run SET sign_ms = started_ms;
UPDATE run SET state = CASE outcome WHEN 'lease-ran-out' THEN 'disconnected' ELSE outcome END,
               why = CASE outcome
                         WHEN 'lease-ran-out' THEN 'lease-ran-out'
                         WHEN 'timed-out' THEN 'time-up'
                         WHEN 'cancelled' THEN 'task-cancelled'
                         ELSE 'reported' END
    WHERE outcome IS NOT NULL;

CREATE INDEX run_silent ON run (sign_boot, silent_ms) WHERE silent_ms IS NOT NULL;
CREATE INDEX run_state ON run (state, started_ms);
