-- The second form: tracked files, what was decided about them, and what is known of every other file.

-- A file that was seen to change. Its story is in `weave`, apart, so that looking through files does not drag it along.
CREATE TABLE file (
    number INTEGER PRIMARY KEY,
    path BLOB NOT NULL,
    parked TEXT,                  -- the branch it waits with
    awaits_save INTEGER NOT NULL,
    revision INTEGER NOT NULL     -- the ledger's sequence at its last change
) STRICT;

CREATE UNIQUE INDEX file_path ON file (path) WHERE parked IS NULL;
CREATE INDEX file_parked ON file (path, parked) WHERE parked IS NOT NULL;

CREATE TABLE weave (
    file INTEGER PRIMARY KEY,
    data BLOB NOT NULL            -- zstd
) STRICT;

-- Pending hunks, for finding them. What they hold is in the weave.
CREATE TABLE hunk (
    file INTEGER NOT NULL,
    id TEXT NOT NULL,
    task INTEGER,                 -- null where the author is unknown
    attempt INTEGER,
    PRIMARY KEY (file, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX hunk_id ON hunk (id, file);
CREATE INDEX hunk_task ON hunk (task, attempt, file);

-- How many hunks and files wait, so that nobody has to count them.
CREATE TABLE pending_tally (
    what TEXT PRIMARY KEY,        -- hunks, files, unknown
    number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO pending_tally VALUES ('hunks', 0), ('files', 0), ('unknown', 0);

-- One of two approvals that a hunk needs.
CREATE TABLE approval (
    hunk TEXT NOT NULL,
    approver TEXT NOT NULL,
    PRIMARY KEY (hunk, approver)
) STRICT, WITHOUT ROWID;

-- Words about files that wait for the change they speak of.
CREATE TABLE claim (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    path BLOB NOT NULL,
    time_ms INTEGER NOT NULL,
    task INTEGER,
    attempt INTEGER,
    hash BLOB,
    person TEXT,
    text BLOB,
    how TEXT
) STRICT;

CREATE INDEX claim_path ON claim (path, number);

CREATE TABLE decision (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    takes_back INTEGER,
    actor TEXT NOT NULL,
    time_ms INTEGER NOT NULL,
    undone_by INTEGER
) STRICT;

CREATE INDEX decision_time ON decision (time_ms, number);

CREATE TABLE decision_file (
    decision INTEGER NOT NULL,
    place INTEGER NOT NULL,
    file INTEGER NOT NULL,
    path BLOB NOT NULL,
    hunks INTEGER NOT NULL,
    weave_decision INTEGER NOT NULL,
    stands INTEGER NOT NULL,
    PRIMARY KEY (decision, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX decision_file_file ON decision_file (file, weave_decision);

-- Files that a decision was about to write. What must be there before is told by its hash; what comes after is the weave.
CREATE TABLE writing (
    decision INTEGER NOT NULL,
    file INTEGER NOT NULL,
    path BLOB NOT NULL,
    kind TEXT NOT NULL,
    content BLOB NOT NULL,        -- the hash of a file's content, or a link's target
    mode INTEGER NOT NULL,
    PRIMARY KEY (decision, file)
) STRICT, WITHOUT ROWID;

-- Content by its BLAKE3 hash.
CREATE TABLE blob (
    hash BLOB PRIMARY KEY,
    length INTEGER NOT NULL,
    data BLOB NOT NULL            -- zstd
) STRICT, WITHOUT ROWID;

-- What is known of files beyond the manifest.
CREATE TABLE known (
    path BLOB PRIMARY KEY,
    generation INTEGER NOT NULL,
    entry BLOB NOT NULL
) STRICT, WITHOUT ROWID;
