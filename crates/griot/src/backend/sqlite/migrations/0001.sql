-- Version 1: the whole store.
--
-- Times are milliseconds since 1970 in UTC. A node is `Node::raw`: twice its number, plus one for an entity. A column
-- that ends in a noun of the `name` table (user, kind, agent, …) holds the number of an interned string, 0 for none, so
-- that a word that stands on every memory costs one byte there.

-- Singletons: `store` (16 random bytes that tell this store from all others) and the next free numbers. Numbers are
-- never used twice, not even after a removal, because indexes and people keep them.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value NOT NULL
) WITHOUT ROWID;

-- Rows are added and never changed, so a process may remember them for ever.
CREATE TABLE name (
    number INTEGER PRIMARY KEY,
    text   TEXT NOT NULL UNIQUE
);
-- The labels of edges that are derived from times are known before any is stored.
INSERT INTO name (number, text) VALUES (1, 'backbone'), (2, 'proximity');

CREATE TABLE source (
    number       INTEGER PRIMARY KEY,
    kind         INTEGER NOT NULL,          -- name
    origin       TEXT NOT NULL,
    title        TEXT,
    tags         BLOB,                      -- list of strings, see codec.rs; NULL if empty
    content_hash BLOB,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    deleted_at   INTEGER,
    UNIQUE (kind, origin)
);

-- The surroundings in which a memory is scored: one session of one source.
CREATE TABLE place (
    number  INTEGER PRIMARY KEY,
    source  INTEGER NOT NULL REFERENCES source,
    session INTEGER NOT NULL,               -- name
    UNIQUE (source, session)
);

CREATE TABLE memory (
    number           INTEGER PRIMARY KEY,
    id               BLOB NOT NULL UNIQUE,  -- UUID, 16 bytes
    handle           TEXT NOT NULL UNIQUE,  -- digits without '#'
    hash             INTEGER NOT NULL,      -- the first 8 bytes of the content hash; equality is decided on the text
    kind             INTEGER NOT NULL,      -- name
    importance       INTEGER NOT NULL,
    user             INTEGER NOT NULL,      -- name
    project          INTEGER NOT NULL,      -- name
    agent            INTEGER NOT NULL,      -- name
    speaker          INTEGER NOT NULL,      -- name
    speaker_entity   INTEGER NOT NULL,      -- node, 0 for none; found when the memory was written
    title            INTEGER NOT NULL,      -- name: the source's title when the memory was written; words are indexed once
    place            INTEGER NOT NULL REFERENCES place,
    ordinal          INTEGER NOT NULL,
    occurred_at      INTEGER NOT NULL,
    recorded_at      INTEGER NOT NULL,
    deleted_at       INTEGER,
    superseded_by    BLOB,                  -- id of a memory
    access_count     INTEGER NOT NULL,
    last_accessed_at INTEGER,
    first_line       INTEGER,
    last_line        INTEGER,
    heading          BLOB,                  -- list of strings; NULL if empty
    text             TEXT NOT NULL
);
CREATE INDEX memory_by_hash ON memory (hash) WHERE deleted_at IS NULL;
CREATE INDEX memory_by_place ON memory (place, ordinal);

CREATE TABLE memory_tag (
    memory   INTEGER NOT NULL REFERENCES memory,
    position INTEGER NOT NULL,
    tag      INTEGER NOT NULL,              -- name
    PRIMARY KEY (memory, position)
) WITHOUT ROWID;
CREATE INDEX memory_tag_by_tag ON memory_tag (tag, memory);

-- Value of dimension i = data[i] as a signed byte × scale.
CREATE TABLE vector (
    memory INTEGER PRIMARY KEY REFERENCES memory,
    model  INTEGER NOT NULL,                -- name
    scale  REAL NOT NULL,
    data   BLOB NOT NULL
);

CREATE TABLE entity (
    number      INTEGER PRIMARY KEY,
    name        TEXT NOT NULL,
    kind        INTEGER NOT NULL,           -- name
    description BLOB,                       -- list of strings; NULL if empty
    first_seen  INTEGER NOT NULL,
    last_seen   INTEGER NOT NULL,
    deleted_at  INTEGER
);

-- Position 0 is the canonical id that follows from type and name; names in normal form and former canonical ids
-- begin at 1.
CREATE TABLE alias (
    entity   INTEGER NOT NULL REFERENCES entity,
    position INTEGER NOT NULL,
    name     TEXT NOT NULL,
    PRIMARY KEY (entity, position)
) WITHOUT ROWID;
CREATE INDEX alias_by_name ON alias (name, entity);

CREATE TABLE edge (
    number     INTEGER PRIMARY KEY,
    source     INTEGER NOT NULL,            -- node
    target     INTEGER NOT NULL,            -- node
    kind       INTEGER NOT NULL,            -- row of the catalogue
    label      INTEGER NOT NULL,            -- name
    weight     REAL NOT NULL,
    confidence REAL NOT NULL,
    provenance INTEGER NOT NULL,            -- position in Provenance
    created_at INTEGER NOT NULL,
    touched    INTEGER NOT NULL,            -- milliseconds after created_at, mostly 0
    expires_at INTEGER
);
CREATE UNIQUE INDEX edge_by_key ON edge (source, target, kind, label);
CREATE INDEX edge_by_target ON edge (target, kind);

-- A mention that has no row here is evidenced by the memory it starts from; most are.
CREATE TABLE evidence (
    edge     INTEGER NOT NULL REFERENCES edge ON DELETE CASCADE,
    position INTEGER NOT NULL,
    memory,                                 -- number of a memory; its id while no such memory is stored; NULL for none
    quote    TEXT,
    reason   TEXT,
    at       INTEGER NOT NULL,
    PRIMARY KEY (edge, position)
) WITHOUT ROWID;

CREATE TABLE fact (
    number        INTEGER PRIMARY KEY,
    subject       INTEGER NOT NULL,         -- node
    predicate     INTEGER NOT NULL,         -- name
    object        INTEGER,                  -- node, or NULL
    literal       TEXT,                     -- where object is NULL
    valid_from    INTEGER,
    valid_to      INTEGER,
    recorded_at   INTEGER NOT NULL,
    superseded_at INTEGER,
    confidence    REAL NOT NULL
);
CREATE INDEX fact_by_subject ON fact (subject);
CREATE INDEX fact_by_object ON fact (object) WHERE object IS NOT NULL;

CREATE TABLE fact_evidence (
    fact     INTEGER NOT NULL REFERENCES fact ON DELETE CASCADE,
    position INTEGER NOT NULL,
    memory,
    quote    TEXT,
    reason   TEXT,
    at       INTEGER NOT NULL,
    PRIMARY KEY (fact, position)
) WITHOUT ROWID;

-- One row a committed ChangeSet: what an index that stands at the revision before has to read again.
CREATE TABLE change (
    revision INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    touched  BLOB NOT NULL                  -- see changes.rs
);
