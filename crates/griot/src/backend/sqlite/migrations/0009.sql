vectors in the making. Those of another model are collected here until every memory has its own; then they replace
-- those in `vector`. Without scale and data the text has no vector, so that it is not asked for again.
CREATE TABLE next_vector (
    memory INTEGER NOT NULL,
    model  INTEGER NOT NULL,            -- name
    scale  REAL,
    data   BLOB,
    PRIMARY KEY (memory, model)
);
