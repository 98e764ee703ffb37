-- What can be searched of the archive. All of it is made from the folders, and made anew when this text changes.
CREATE TABLE session (
  row INTEGER PRIMARY KEY,
  folder TEXT NOT NULL UNIQUE,
  stamp TEXT NOT NULL,
  -- Why it cannot be read; then the rest is empty.
  problem TEXT,
  -- Whether what was learnt in it has been taken in.
  learnt INTEGER NOT NULL,
  id TEXT NOT NULL,
  number INTEGER NOT NULL,
  title TEXT NOT NULL,
  started INTEGER NOT NULL,
  ended INTEGER NOT NULL,
  minutes INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  tags TEXT NOT NULL,
  agents TEXT NOT NULL,
  tasks INTEGER NOT NULL
);
CREATE INDEX session_by_end ON session (ended, folder);
CREATE INDEX session_by_id ON session (id);
CREATE INDEX session_by_number ON session (number);
CREATE TABLE label (
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  row INTEGER NOT NULL,
  PRIMARY KEY (kind, name, row)
) WITHOUT ROWID;
CREATE INDEX label_by_row ON label (row);
CREATE VIRTUAL TABLE words USING fts5 (title, labels, body, tokenize = 'unicode61 remove_diacritics 2');
