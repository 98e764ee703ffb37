-- The ninth form: prompt sessions, and which files may hold something that is not committed.

CREATE TABLE prompt (
    id INTEGER PRIMARY KEY,
    under_way INTEGER NOT NULL,   -- something of it is still to be done
    data TEXT NOT NULL            -- the rest, as JSON
) STRICT;
CREATE INDEX prompt_under_way ON prompt (id) WHERE under_way = 1;

CREATE TABLE loose (
    file INTEGER PRIMARY KEY
) STRICT;
INSERT INTO loose (file) SELECT number FROM file WHERE parked IS NULL;
