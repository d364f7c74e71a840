-- What was asked, and which memories were given. Times are milliseconds since 1970.

CREATE TABLE recall (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  agent TEXT,                 -- the program that asked
  key TEXT,                   -- id of its key
  user TEXT,                  -- the user for whom it asked
  project TEXT,
  question TEXT NOT NULL,     -- at most 4000 characters
  strategy TEXT NOT NULL,
  took REAL NOT NULL          -- milliseconds
) STRICT;
CREATE INDEX recall_by_time ON recall(at);
CREATE TABLE given (
  recall INTEGER NOT NULL REFERENCES recall(id) ON DELETE CASCADE,
  rank INTEGER NOT NULL,
  memory BLOB NOT NULL,       -- id
  handle TEXT NOT NULL,
  score REAL NOT NULL,
  PRIMARY KEY (recall, rank)
) STRICT, WITHOUT ROWID;
-- The entities that the question names.
CREATE TABLE named (
  recall INTEGER NOT NULL REFERENCES recall(id) ON DELETE CASCADE,
  entity BLOB NOT NULL,       -- hash of the number, as receipts of erasures have it
  PRIMARY KEY (recall, entity)
) STRICT, WITHOUT ROWID;
