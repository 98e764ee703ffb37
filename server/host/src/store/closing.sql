-- The sixth form: the steps in which ended sessions are completed.

CREATE TABLE closing (
    session INTEGER PRIMARY KEY,
    is_open INTEGER NOT NULL,     -- something is left to be done
    data TEXT NOT NULL            -- the rest, as JSON
) STRICT;
CREATE INDEX closing_open ON closing (session) WHERE is_open = 1;

CREATE INDEX acknowledged_time ON acknowledged (time_ms);
