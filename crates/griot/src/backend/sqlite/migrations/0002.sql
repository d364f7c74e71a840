-- Version 2: entities that are one.

-- How often an entity was given a type: by a person or caller (given 1) or by a rule (given 0).
CREATE TABLE entity_type (
    entity INTEGER NOT NULL,
    kind   INTEGER NOT NULL,                -- name
    given  INTEGER NOT NULL,
    times  INTEGER NOT NULL,                -- never 0
    PRIMARY KEY (entity, kind, given)
) WITHOUT ROWID;

-- What was written before is counted by its mentions: of kind 2; provenance 0 and 1 are a person and a parser.
INSERT INTO entity_type (entity, kind, given, times)
    SELECT e.number, e.kind, m.provenance <= 1, count(*)
    FROM entity e JOIN edge m ON m.target = e.number * 2 + 1 AND m.kind = 2
    WHERE e.kind <> coalesce((SELECT number FROM name WHERE text = 'concept'), 0)
    GROUP BY 1, 2, 3;

-- The log of merges. What is needed to undo one is read as a whole or not at all, so it is one blob (merges.rs).
CREATE TABLE merge (
    number     INTEGER PRIMARY KEY,
    kept       INTEGER NOT NULL REFERENCES entity,
    merged     INTEGER NOT NULL REFERENCES entity,
    at         INTEGER NOT NULL,
    provenance INTEGER NOT NULL,            -- position in Provenance
    reason     TEXT,
    undone_at  INTEGER,
    undo       BLOB NOT NULL
);

-- Pairs that may be one entity, each once.
CREATE TABLE merge_suggestion (
    number   INTEGER PRIMARY KEY,
    kept     INTEGER NOT NULL REFERENCES entity,
    merged   INTEGER NOT NULL REFERENCES entity,
    likeness REAL NOT NULL,
    reason   TEXT NOT NULL,
    at       INTEGER NOT NULL,
    state    INTEGER NOT NULL               -- position in SuggestionState
);
