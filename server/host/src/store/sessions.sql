-- The fifth form: sessions, what was told in them, what fell outside of them, and findings that people have looked at.

CREATE TABLE session (
    number INTEGER PRIMARY KEY,
    project_number INTEGER NOT NULL,
    state TEXT NOT NULL,
    started_ms INTEGER NOT NULL,
    last_boot TEXT NOT NULL,
    last_steady_ms INTEGER NOT NULL,
    data TEXT NOT NULL            -- the rest, as JSON
) STRICT;
CREATE INDEX session_open ON session (number) WHERE state NOT IN ('ended', 'abandoned');
CREATE INDEX session_ended ON session (project_number) WHERE state = 'ended';
CREATE INDEX session_numbered ON session (project_number, number);

CREATE TABLE session_report (
    number INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    level TEXT NOT NULL,
    task INTEGER,
    time_ms INTEGER NOT NULL,
    text TEXT NOT NULL,
    data TEXT NOT NULL            -- canonical JSON
) STRICT;
CREATE INDEX session_report_session ON session_report (session, number);

CREATE TABLE flag (
    number INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    kind TEXT NOT NULL,
    path BLOB NOT NULL,
    task INTEGER,
    attempt INTEGER,
    why TEXT,
    question INTEGER,
    time_ms INTEGER NOT NULL,
    answer TEXT,
    answered_by TEXT
) STRICT;
CREATE INDEX flag_path ON flag (session, path, number);
CREATE INDEX flag_open ON flag (path, number) WHERE answer IS NULL;
CREATE INDEX flag_waiting ON flag (session, number) WHERE answer IS NULL;

-- What the runs of a task have done to files.
CREATE TABLE touched (
    task INTEGER NOT NULL,
    path BLOB NOT NULL,
    touch TEXT NOT NULL,
    PRIMARY KEY (task, path)
) STRICT, WITHOUT ROWID;

-- Findings that a person has looked at, by the hunk that holds them. What was found is not kept.
CREATE TABLE acknowledged (
    hunk TEXT NOT NULL,
    rule TEXT NOT NULL,
    reason TEXT NOT NULL,
    by_whom TEXT NOT NULL,
    time_ms INTEGER NOT NULL,
    PRIMARY KEY (hunk, rule)
) STRICT, WITHOUT ROWID;

CREATE TABLE allowed_finding (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    rule TEXT NOT NULL,
    path TEXT NOT NULL,
    until TEXT NOT NULL,
    reason TEXT NOT NULL,
    by_whom TEXT NOT NULL
) STRICT;

CREATE INDEX task_open_title ON task (title) WHERE status IN ('pending', 'in-progress');
CREATE INDEX question_answered ON question (answered_ms) WHERE answered_ms IS NOT NULL;
