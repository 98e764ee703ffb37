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

ALTER TABLE run ADD COLUMN input_tokens INTEGER;
ALTER TABLE run ADD COLUMN output_tokens INTEGER;
ALTER TABLE run ADD COLUMN cost TEXT;
ALTER TABLE run ADD COLUMN discovered INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN report TEXT;                              -- the last one, as XML

-- Those whose process is ours and may live.
CREATE INDEX run_process ON run (agent) WHERE ended_ms IS NULL AND adapter <> 'attached';
CREATE INDEX run_agent ON run (agent, started_ms);
CREATE INDEX run_started ON run (started_ms);

CREATE TABLE question (
    number INTEGER PRIMARY KEY,
    task INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    agent TEXT NOT NULL,
    kind TEXT NOT NULL,
    key TEXT,
    question TEXT NOT NULL,
    detail TEXT NOT NULL,
    recommendation TEXT,
    asked_ms INTEGER NOT NULL,
    choice TEXT,
    answer TEXT,
    answered_by TEXT,
    answered_ms INTEGER
) STRICT;
CREATE INDEX question_run ON question (task, attempt, number);
CREATE INDEX question_open ON question (number) WHERE answered_ms IS NULL;

CREATE TABLE question_option (
    question INTEGER NOT NULL,
    place INTEGER NOT NULL,
    value TEXT NOT NULL,
    shown TEXT NOT NULL,
    PRIMARY KEY (question, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE hand_off (
    number INTEGER PRIMARY KEY,
    from_task INTEGER NOT NULL,
    from_attempt INTEGER NOT NULL,
    from_agent TEXT NOT NULL,
    to_agent TEXT NOT NULL,
    reason TEXT,
    state TEXT NOT NULL,
    task INTEGER,
    proposed_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX hand_off_from ON hand_off (from_task, from_attempt);
CREATE UNIQUE INDEX hand_off_task ON hand_off (task) WHERE task IS NOT NULL;

-- Agents of the workspace that a person allowed, each exactly as it was configured.
CREATE TABLE allowed_agent (
    name TEXT NOT NULL PRIMARY KEY,
    hash TEXT NOT NULL,
    text TEXT NOT NULL                   -- what the person was shown, for telling what has changed since
) STRICT, WITHOUT ROWID;
