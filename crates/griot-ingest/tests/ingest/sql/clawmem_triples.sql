INSERT INTO content VALUES ('h1', 'We moved the shop to PostgreSQL in spring.', '2026-02-15');
INSERT INTO documents (id, collection, path, title, hash, created_at, modified_at) VALUES
(1, 'notes', 'db.md', 'Database', 'h1', '2026-02-20', '');
INSERT INTO entity_nodes (entity_id, entity_type, name) VALUES
('default:tool:postgresql', 'tool', 'PostgreSQL'), ('default:project:shop', 'project', 'The Shop');
INSERT INTO entity_triples (subject_entity_id, predicate, object_entity_id, object_literal, valid_from, valid_to,
    confidence, source_doc_id, source_fact, created_at) VALUES
('default:project:shop', 'migrated_to', 'default:tool:postgresql', NULL, '2026-02-15', NULL, 0.8, 1,
    'The shop moved to PostgreSQL.', '2026-02-20'),
('default:person:ada', 'prefers', NULL, 'tea', '2026-01-01', '2026-03-01', NULL, NULL, NULL, '2026-01-01'),
('default:person:ada', 'avoids', NULL, 'noise', '2026-03-01', '2026-01-01', 9, 77, NULL, NULL),
('default:project:shop', 'uses', 'default:tool:postgresql', NULL, NULL, NULL, 1.0, NULL, NULL, NULL),
('default:project:shop', 'uses', 'default:tool:postgresql', NULL, NULL, NULL, 1.0, NULL, NULL, NULL),
('default:person:ada', 'sails_with', 'default:project:shop', NULL, NULL, NULL, 1.0, NULL, NULL, NULL);
