INSERT INTO content VALUES
('h1', '---
tags: [infra]
---
# Database

We move to PostgreSQL.

## Why

Locks.', '2026-02-15'),
('h2', 'Writers wait for each other.', '2026-02-10'), ('h3', 'Old news.', '2026-01-01'),
('h5', 'Write the dump.', '2026-02-16'), ('h6', 'Restore the dump.', '2026-02-17');
INSERT INTO documents (id, collection, path, title, hash, created_at, modified_at, active, tags, content_type,
    pinned, authored_at, observation_type, invalidated_at) VALUES
(1, 'notes', 'db.md', 'Database', 'h1', '2026-02-20', '', 1, '["db"]', 'note', 1, '2026-02-15', NULL, NULL),
(2, '_clawmem', 'obs/2.md', 'Locks', 'h2', '2026-02-10T08:00:00Z', '', 1, NULL, 'observation', 0, NULL,
    'problem', NULL),
(3, 'notes', 'old.md', 'Old', 'h3', '2026-01-01', '', 0, NULL, 'note', 0, NULL, NULL, NULL),
(4, 'notes', 'lost.md', 'Lost', 'h4', '2026-01-01', '', 1, NULL, 'note', 0, NULL, NULL, NULL),
(5, 'beads', 'b1', 'Dump', 'h5', '2026-02-16', '', 1, NULL, 'task', 0, NULL, NULL, NULL),
(6, 'beads', 'b2', 'Restore', 'h6', '2026-02-17', '', 1, NULL, 'task', 0, NULL, NULL, NULL),
(7, 'notes', 'wrong.md', 'Wrong', 'h3', '2026-01-01', '', 1, NULL, 'note', 0, NULL, NULL, '2026-02-01');
INSERT INTO beads_issues VALUES ('b-1', 5, 'open'), ('b-2', 6, 'open');
INSERT INTO memory_relations (source_id, target_id, relation_type, weight, metadata, created_at) VALUES
(2, 1, 'causal', 0.8, '{"reasoning":"Locks made us move."}', '2026-02-15T09:00:00Z'),
(6, 5, 'causal', 1, '{}', NULL), (1, 2, 'semantic', 0.8, NULL, NULL), (1, 2, 'refines', 0.8, NULL, NULL),
(1, 3, 'supporting', 0.8, NULL, NULL);
INSERT INTO entity_nodes (entity_id, entity_type, name) VALUES ('default:tool:postgresql', 'tool', 'PostgreSQL');
INSERT INTO entity_mentions VALUES ('default:tool:postgresql', 1, 'PostgreSQL', NULL);
INSERT INTO entity_triples (subject_entity_id, predicate, object_entity_id, object_literal, valid_from, valid_to)
VALUES
('default:project:the-shop', 'migrated_to', 'default:tool:postgresql', NULL, '2026-02-15', NULL),
('default:person:ada', 'prefers', NULL, 'tea', '2026-01-01', '2026-03-01');
INSERT INTO consolidated_observations (observation, status, created_at) VALUES
('Databases are a worry.', 'active', '2026-02-18'), ('Nothing.', 'invalidated', '2026-02-18');
