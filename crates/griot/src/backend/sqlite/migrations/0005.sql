-- Version 5: keys, layers, expiry, erasure.

-- Where a source may be read again from. Only a path that was read on this machine for its owner is opened; of older sources
-- nobody knows, so that each is opened again once its owner has read it once more.
ALTER TABLE source ADD COLUMN from_disk INTEGER NOT NULL DEFAULT 0;
-- What came over a network or a pipe is named so. Files that were read have whole paths.
UPDATE OR IGNORE source SET origin = 'upload:' || origin
WHERE kind IN (SELECT number FROM name WHERE text IN ('file', 'chat'))
  AND origin NOT LIKE '/%' AND origin NOT GLOB '[A-Za-z]:/*';

-- A place in a session that nobody counts up to kept others from being stored after it.
UPDATE memory SET ordinal = 2000000000 WHERE ordinal > 2000000000;

-- A page is named by its address and by the user for whom it was read. Pages all of whose memories are one user's are that user's.
UPDATE OR IGNORE source SET origin = origin || '#user=' || (
    SELECT n.text FROM place p JOIN memory m ON m.place = p.number JOIN name n ON n.number = m.user
    WHERE p.source = source.number AND m.deleted_at IS NULL LIMIT 1)
WHERE kind IN (SELECT number FROM name WHERE text = 'page') AND 1 = (
    SELECT count(DISTINCT m.user) FROM place p JOIN memory m ON m.place = p.number
    WHERE p.source = source.number AND m.deleted_at IS NULL)
AND 0 < (
    SELECT min(m.user) FROM place p JOIN memory m ON m.place = p.number
    WHERE p.source = source.number AND m.deleted_at IS NULL);

-- Who sees a fact that no memory says. Facts of before are everybody's, as they were.
ALTER TABLE fact ADD COLUMN user INTEGER NOT NULL DEFAULT 0;     -- name
ALTER TABLE fact ADD COLUMN project INTEGER NOT NULL DEFAULT 0;  -- name

-- Receipts of erasures: hashes, counts and times, never a text. One without an end has files left to rid of what it removed.
CREATE TABLE erasure (
    number      INTEGER PRIMARY KEY,
    kind        INTEGER NOT NULL,           -- position in ErasedKind
    at          INTEGER NOT NULL,
    by          TEXT NOT NULL,
    before      INTEGER NOT NULL,           -- revision
    after       INTEGER NOT NULL,           -- revision
    finished_at INTEGER,
    counts      TEXT NOT NULL,              -- name=number, joined by commas
    marks       BLOB NOT NULL,              -- 16 bytes for each memory, entity and source that went: hashes of their ids
    beside      BLOB NOT NULL               -- the same for origins and the user, until it is finished
);
CREATE INDEX erasure_unfinished ON erasure (number) WHERE finished_at IS NULL;
-- Who supports an edge or a fact, and what a memory replaced, are found without reading every row.
CREATE INDEX evidence_by_memory ON evidence (memory) WHERE memory IS NOT NULL;
CREATE INDEX fact_evidence_by_memory ON fact_evidence (memory) WHERE memory IS NOT NULL;
CREATE INDEX memory_by_successor ON memory (superseded_by) WHERE superseded_by IS NOT NULL;
-- The same for texts that others hold word for word, and for names that no row uses any more. Labels up to 2 are the index's own.
CREATE INDEX memory_by_length ON memory (octet_length(text));
CREATE INDEX memory_by_title ON memory (title) WHERE title > 0;
CREATE INDEX edge_by_label ON edge (label) WHERE label > 2;
-- Who asked, so that feedback is one's own: 16 bytes, the hash of the user that receipts know; NULL for nobody in particular.
ALTER TABLE rollout_answer ADD COLUMN asker BLOB;
CREATE INDEX rollout_answer_by_asker ON rollout_answer (asker) WHERE asker IS NOT NULL;
-- What the verifier noticed, kept with what somebody said of it; numbers and a note. Nothing follows from these rows, and they
-- follow from the edges: whoever lists them looks at those again.
CREATE TABLE warning (
    id              INTEGER PRIMARY KEY,    -- 48 bits of the hash of rule and nodes
    rule            INTEGER NOT NULL,       -- position in WarningKind
    nodes           BLOB NOT NULL,          -- four bytes each, little-endian, in the order of the rule
    edges           BLOB NOT NULL,          -- the same, ascending
    first_seen      INTEGER NOT NULL,
    acknowledged_at INTEGER,
    acknowledged_by TEXT,
    note            TEXT
);
CREATE TABLE warning_node (
    node    INTEGER NOT NULL,
    warning INTEGER NOT NULL,
    PRIMARY KEY (node, warning)
) WITHOUT ROWID;
-- Files that a backup carries with it, such as settings; empty in a workspace.
CREATE TABLE carried (
    name TEXT PRIMARY KEY,
    text TEXT NOT NULL
) WITHOUT ROWID;

-- What tells an entity from all others of its type, hidden ones too (keys.rs fills it in, and tells apart what older formats
-- held twice). NULL only inside a transaction in which two entities change keys.
ALTER TABLE entity ADD COLUMN key TEXT;
CREATE UNIQUE INDEX entity_by_key ON entity (key, kind);

-- What a memory is for (0 long_term, 1 rule, 2 working), and from when on it is found no more; NULL if it does not expire.
ALTER TABLE memory ADD COLUMN tier INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memory ADD COLUMN expires_at INTEGER;
CREATE INDEX memory_by_rule ON memory (importance DESC, recorded_at DESC, number DESC) WHERE tier = 1;
CREATE INDEX memory_by_expiry ON memory (expires_at) WHERE expires_at IS NOT NULL;

-- Life: an edge that nothing speaks for any more, and an entity that nothing live names, are hidden by these columns alone
-- (liveness.rs has the rule); `deleted_at` says only what somebody forgot or merged.
ALTER TABLE edge ADD COLUMN live INTEGER NOT NULL DEFAULT 1;
ALTER TABLE entity ADD COLUMN live INTEGER NOT NULL DEFAULT 1;
-- When the first and the last live mention happened; NULL without one.
ALTER TABLE entity ADD COLUMN earliest INTEGER;
ALTER TABLE entity ADD COLUMN latest INTEGER;

-- What went with a source came back with it by its time; now it follows from the memories.
UPDATE entity SET deleted_at = NULL
    WHERE deleted_at IN (SELECT deleted_at FROM source WHERE deleted_at IS NOT NULL)
    AND number NOT IN (SELECT merged FROM merge WHERE undone_at IS NULL);
UPDATE edge SET live = 0 WHERE
    (source & 1 = 0 AND source >> 1 IN (SELECT number FROM memory WHERE deleted_at IS NOT NULL))
    OR (target & 1 = 0 AND target >> 1 IN (SELECT number FROM memory WHERE deleted_at IS NOT NULL))
    OR (source & 1 = 1 AND source >> 1 IN (SELECT number FROM entity WHERE deleted_at IS NOT NULL))
    OR (target & 1 = 1 AND target >> 1 IN (SELECT number FROM entity WHERE deleted_at IS NOT NULL))
    OR number IN (SELECT v.edge FROM evidence v LEFT JOIN memory m ON m.number = CASE typeof(v.memory)
        WHEN 'blob' THEN (SELECT number FROM memory WHERE id = v.memory) ELSE v.memory END
        GROUP BY v.edge HAVING sum(m.deleted_at IS NULL) = 0);
-- 2 is `mentions`.
UPDATE entity SET (earliest, latest) = (SELECT min(m.occurred_at), max(m.occurred_at)
    FROM edge e JOIN memory m ON m.number = e.source >> 1
    WHERE e.target = entity.number * 2 + 1 AND e.kind = 2 AND e.live);
UPDATE entity SET live = 0 WHERE deleted_at IS NOT NULL OR (
    NOT EXISTS (SELECT 1 FROM edge e WHERE e.target = entity.number * 2 + 1 AND e.live)
    AND NOT EXISTS (SELECT 1 FROM edge e WHERE e.source = entity.number * 2 + 1 AND e.live)
    AND NOT EXISTS (SELECT 1 FROM fact f WHERE (f.subject = entity.number * 2 + 1 OR f.object = entity.number * 2 + 1)
        AND NOT EXISTS (SELECT 1 FROM entity o WHERE o.deleted_at IS NOT NULL
            AND (o.number * 2 + 1 = f.subject OR o.number * 2 + 1 = f.object))
        AND NOT EXISTS (SELECT 1 FROM memory o WHERE o.deleted_at IS NOT NULL AND o.number * 2 = f.subject)
        AND (NOT EXISTS (SELECT 1 FROM fact_evidence v WHERE v.fact = f.number)
            OR EXISTS (SELECT 1 FROM fact_evidence v LEFT JOIN memory m ON m.number = CASE typeof(v.memory)
                WHEN 'blob' THEN (SELECT number FROM memory WHERE id = v.memory) ELSE v.memory END
                WHERE v.fact = f.number AND m.deleted_at IS NULL))));
