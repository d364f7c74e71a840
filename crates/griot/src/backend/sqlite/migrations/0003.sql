-- Version 3: what is counted about the graph, and who switched it on. Beside the memories: nothing here raises the revision.

-- The log of modes; the latest row is the mode now. Without a row it is `on`.
CREATE TABLE rollout_mode (
    number INTEGER PRIMARY KEY,
    mode   TEXT NOT NULL,                   -- off, shadow, canary, on
    at     INTEGER NOT NULL,
    by     TEXT NOT NULL,
    forced INTEGER NOT NULL                 -- 1: windows that began before count no more
);

-- One row a counter of a window; what several processes count is added up.
CREATE TABLE rollout_count (
    width   INTEGER NOT NULL,               -- of the window, in milliseconds
    start   INTEGER NOT NULL,
    counter TEXT NOT NULL,
    value   REAL NOT NULL,
    PRIMARY KEY (width, start, counter)
) WITHOUT ROWID;

-- The latest answers, for feedback: no text, only which memories stood in it and whether the graph brought them.
CREATE TABLE rollout_answer (
    id       TEXT PRIMARY KEY,
    at       INTEGER NOT NULL,
    hybrid   INTEGER NOT NULL,
    memories BLOB NOT NULL                  -- four bytes each, little-endian: twice the number, plus one if the graph had a part
) WITHOUT ROWID;
CREATE INDEX rollout_answer_by_time ON rollout_answer (at);

CREATE TABLE rollout_feedback (
    answer TEXT NOT NULL,                   -- '' if no kept answer holds the memory
    memory INTEGER NOT NULL,                -- number of a memory, 0 for the answer as a whole
    at     INTEGER NOT NULL,
    good   INTEGER NOT NULL,
    graph  INTEGER,                         -- 1 counts for the graph, 0 for the baseline, NULL for neither
    PRIMARY KEY (answer, memory)
) WITHOUT ROWID;

-- The latest failures. Number 0 is the last fallback, whatever its reason.
CREATE TABLE rollout_incident (
    number  INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    reason  TEXT NOT NULL,
    shadow  INTEGER NOT NULL,
    message TEXT NOT NULL
);
