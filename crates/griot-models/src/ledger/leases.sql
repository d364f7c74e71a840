-- Memories that a process works on, so that no other one pays for the same.
CREATE TABLE lease (
  task TEXT NOT NULL,
  memory INTEGER NOT NULL,    -- its number in the workspace
  owner INTEGER NOT NULL,     -- a random number of the process
  until INTEGER NOT NULL,     -- milliseconds since 1970; then it is free again
  PRIMARY KEY (task, memory)
) STRICT, WITHOUT ROWID;
