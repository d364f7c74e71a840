-- Version 6: what `remember` offered its callers, and what they refused. Whether an offer was taken follows from the edges.
CREATE TABLE offer (
    number      INTEGER PRIMARY KEY,
    newer       INTEGER NOT NULL,           -- memory
    other       INTEGER NOT NULL,           -- memory
    kind        INTEGER NOT NULL,           -- position in OfferKind
    probability INTEGER NOT NULL,           -- the bits of a float of 32 bits, which take half of what a REAL takes
    made_at     INTEGER NOT NULL,
    refused_at  INTEGER
);
CREATE INDEX offer_by_newer ON offer (newer);
CREATE INDEX offer_by_other ON offer (other);
INSERT INTO meta (key, value) VALUES ('next offer', 1);
-- What was refused of a forgotten text is found when the text is stored again.
CREATE INDEX memory_by_forgotten_hash ON memory (hash) WHERE deleted_at IS NOT NULL;
