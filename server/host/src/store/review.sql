-- The third form: approvals that can be taken back, and what waits with a branch.

-- One of two approvals that a hunk needs. One that no decision stands for cannot be taken back, so those are asked for again.
DROP TABLE approval;
CREATE TABLE approval (
    hunk TEXT NOT NULL,
    approver TEXT NOT NULL,
    decision INTEGER NOT NULL,    -- counts as long as this stands
    completes INTEGER NOT NULL,   -- it was the second
    PRIMARY KEY (hunk, approver)
) STRICT, WITHOUT ROWID;

CREATE INDEX approval_decision ON approval (decision);

-- Whether something in the file waits for a decision, also while it is parked.
ALTER TABLE file ADD COLUMN waits INTEGER NOT NULL DEFAULT 1;
CREATE INDEX file_waits ON file (path) WHERE parked IS NOT NULL AND waits = 1;

-- Whether a run was at work a moment ago.
CREATE INDEX IF NOT EXISTS run_ended ON run (ended_ms) WHERE ended_ms IS NOT NULL;
