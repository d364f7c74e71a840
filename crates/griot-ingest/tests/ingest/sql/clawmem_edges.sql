INSERT INTO content VALUES ('h1', 'Tea is drunk at four.', ''), ('h2', 'Tea is drunk at five.', ''),
('h3', 'The kettle is new.', '');
INSERT INTO documents (id, collection, path, title, hash, created_at, modified_at) VALUES
(1, 'n', 'a', 'A', 'h1', '2026-01-01', ''), (2, 'n', 'b', 'B', 'h2', '2026-01-02', ''),
(3, 'n', 'c', 'C', 'h3', '2026-01-03', '');
INSERT INTO memory_relations (source_id, target_id, relation_type, weight, metadata, contradict_confidence)
VALUES
(1, 2, 'contradicts', 0, '{"reason":"Four is not five."}', 0.75),
(2, 1, 'contradicts', 0.9, '{"reasoning":"Two times."}', NULL),
(3, 1, 'supporting', 0.92, '{"reasoning":"A kettle makes tea."}', NULL),
(1, 3, 'semantic', 0.6, '{"reasoning":"Both about tea."}', NULL),
(2, 3, 'semantic', 1.0, '{"origin":"beads","dep_type":"relates-to"}', NULL),
(3, 2, 'semantic', 0.71, NULL, NULL), (3, 2, 'causal', 'x', NULL, NULL), (1, 2, 'usage', 40, NULL, NULL);
