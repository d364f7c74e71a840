-- The tables of ClawMem that matter, with some of the many others.
CREATE TABLE content (hash TEXT PRIMARY KEY, doc TEXT NOT NULL, created_at TEXT NOT NULL);
CREATE TABLE documents (id INTEGER PRIMARY KEY AUTOINCREMENT, collection TEXT NOT NULL, path TEXT NOT NULL,
    title TEXT NOT NULL, hash TEXT NOT NULL, created_at TEXT NOT NULL, modified_at TEXT NOT NULL,
    active INTEGER NOT NULL DEFAULT 1, domain TEXT, workstream TEXT, tags TEXT, content_type TEXT DEFAULT 'note',
    review_by TEXT, confidence REAL DEFAULT 0.5, access_count INTEGER DEFAULT 0, pinned INTEGER DEFAULT 0,
    authored_at TEXT, observation_type TEXT, invalidated_at TEXT, invalidated_by INTEGER, superseded_by INTEGER,
    UNIQUE(collection, path), FOREIGN KEY (hash) REFERENCES content(hash) ON DELETE CASCADE);
CREATE VIRTUAL TABLE documents_fts USING fts5(filepath, title, body, tokenize='porter unicode61');
CREATE TABLE memory_relations (source_id INTEGER NOT NULL, target_id INTEGER NOT NULL, relation_type TEXT NOT NULL,
    weight REAL DEFAULT 1.0, metadata TEXT, contradict_confidence REAL, created_at TEXT,
    PRIMARY KEY (source_id, target_id, relation_type));
CREATE TABLE beads_issues (beads_id TEXT PRIMARY KEY, doc_id INTEGER, status TEXT);
CREATE TABLE entity_nodes (entity_id TEXT PRIMARY KEY, entity_type TEXT, name TEXT, description TEXT,
    created_at TEXT, vault TEXT DEFAULT 'default');
CREATE TABLE entity_mentions (entity_id TEXT NOT NULL, doc_id INTEGER NOT NULL, mention_text TEXT, created_at TEXT,
    PRIMARY KEY (entity_id, doc_id));
CREATE TABLE entity_triples (id INTEGER PRIMARY KEY AUTOINCREMENT, subject_entity_id TEXT NOT NULL,
    predicate TEXT NOT NULL, object_entity_id TEXT, object_literal TEXT, valid_from TEXT, valid_to TEXT,
    confidence REAL DEFAULT 1.0, source_doc_id INTEGER, source_fact TEXT, created_at TEXT);
CREATE TABLE consolidated_observations (id INTEGER PRIMARY KEY AUTOINCREMENT, observation TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'active', invalidated_at TEXT, superseded_by INTEGER, created_at TEXT);
CREATE VIEW active_documents AS SELECT * FROM documents WHERE active = 1;
