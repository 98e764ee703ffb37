-- The seventh form: what a person gives the next agent to read, where that is not what is known.
CREATE TABLE hand_off_text (
    hand_off INTEGER PRIMARY KEY,
    text TEXT NOT NULL
) STRICT;
