-- The first form of a workspace's database. Later forms are later files; this one never changes.

CREATE TABLE fact (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The ledger: one row a record, each hash over the one before.
CREATE TABLE ledger (
    sequence INTEGER PRIMARY KEY,
    time_ms INTEGER NOT NULL,
    actor TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    about TEXT NOT NULL,          -- topics, one a line
    data TEXT NOT NULL,           -- canonical JSON
    version INTEGER NOT NULL,
    previous BLOB NOT NULL,
    hash BLOB NOT NULL
) STRICT;

-- What records can be looked up by: subject, topics, actor and kind.
CREATE TABLE ledger_topic (
    topic TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (topic, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE task (
    number INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    priority INTEGER NOT NULL,    -- 0 high, 1 medium, 2 low: lower comes first
    status TEXT NOT NULL,
    major INTEGER NOT NULL,
    minor INTEGER NOT NULL,
    origin TEXT NOT NULL,
    goal TEXT,
    scope TEXT NOT NULL,          -- one a line
    labels TEXT NOT NULL,         -- one a line
    route TEXT NOT NULL,
    waits_for INTEGER NOT NULL,
    time_limit_ms INTEGER,
    attempt INTEGER NOT NULL,
    attempts_used INTEGER NOT NULL,
    max_attempts INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    started_ms INTEGER,
    ended_ms INTEGER,
    holder TEXT,
    result TEXT,
    lease_boot TEXT,
    lease_length_ms INTEGER,
    lease_started_ms INTEGER,
    lease_due_ms INTEGER,
    lease_heartbeat_ms INTEGER,
    revision INTEGER NOT NULL
) STRICT;

CREATE INDEX task_ready ON task (route, priority, major, minor, number) WHERE status = 'pending' AND waits_for = 0;
CREATE INDEX task_order ON task (priority, major, minor, number);
CREATE INDEX task_status ON task (status, priority, major, minor, number);
CREATE INDEX task_ended ON task (status, ended_ms, number) WHERE ended_ms IS NOT NULL;
CREATE INDEX task_lease ON task (lease_boot, lease_due_ms) WHERE lease_boot IS NOT NULL;

CREATE TABLE dependency (
    task INTEGER NOT NULL,
    place INTEGER NOT NULL,
    depends_on INTEGER NOT NULL,
    PRIMARY KEY (task, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX dependency_back ON dependency (depends_on, task);

-- How many tasks there are of each status, so that nobody has to count them.
CREATE TABLE tally (
    status TEXT PRIMARY KEY,
    tasks INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER tally_added AFTER INSERT ON task BEGIN
    INSERT INTO tally (status, tasks) VALUES (new.status, 1) ON CONFLICT (status) DO UPDATE SET tasks = tasks + 1;
END;

CREATE TRIGGER tally_moved AFTER UPDATE OF status ON task WHEN new.status <> old.status BEGIN
    UPDATE tally SET tasks = tasks - 1 WHERE status = old.status;
    INSERT INTO tally (status, tasks) VALUES (new.status, 1) ON CONFLICT (status) DO UPDATE SET tasks = tasks + 1;
END;

CREATE TRIGGER tally_removed AFTER DELETE ON task BEGIN
    UPDATE tally SET tasks = tasks - 1 WHERE status = old.status;
END;

-- Each attempt at a task. The token that speaks for it is known only by its hash.
CREATE TABLE run (
    task INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    agent TEXT NOT NULL,
    token_hash BLOB NOT NULL UNIQUE,
    started_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    outcome TEXT,
    PRIMARY KEY (task, attempt)
) STRICT, WITHOUT ROWID;
