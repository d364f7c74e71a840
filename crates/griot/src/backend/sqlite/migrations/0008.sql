-- What a language model said about a memory, one row for each task; or that it did not.
CREATE TABLE reading (
    memory    INTEGER NOT NULL REFERENCES memory,
    task      INTEGER NOT NULL,             -- position in ReadingTask
    by        INTEGER NOT NULL,             -- the memory whose arrival led to it; the memory itself for its own
    version   INTEGER NOT NULL,             -- of the prompt
    outcome   INTEGER NOT NULL,             -- position in ReadingOutcome
    at        INTEGER NOT NULL,
    undone_at INTEGER,
    said      BLOB,                         -- statements as lists of strings, see readings.rs; NULL if there is none
    PRIMARY KEY (memory, task, by)
) WITHOUT ROWID;
CREATE INDEX reading_by_other ON reading (by) WHERE by <> memory;
