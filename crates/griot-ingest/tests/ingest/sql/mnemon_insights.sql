INSERT INTO insights (id, content, category, importance, tags, entities, source, created_at, updated_at, deleted_at)
VALUES
('aaaaaaaa-1', 'The team lacks experience with Redis.', 'context', 2, '["db","Team"]', '["Redis"]', 'user',
    '2026-01-02T10:00:00Z', '2026-01-02T10:00:00Z', NULL),
('bbbbbbbb-2', 'SQLite is the storage.', 'decision', 5, '[]', '["SQLite"]', 'claude',
    '2026-01-03T10:00:00Z', '2026-01-03T10:00:00Z', NULL),
('cccccccc-3', 'Forgotten long ago.', 'general', 3, '[]', '[]', 'user',
    '2026-01-04T10:00:00Z', '2026-01-04T10:00:00Z', '2026-01-05T10:00:00Z'),
('dddddddd-4', 'Backups run each night.', 'general', 9, 'not a list, x!y', '{}', 'user', 'some day', '', NULL);
INSERT INTO edges VALUES
('aaaaaaaa-1', 'bbbbbbbb-2', 'causal', 0.75, '{"sub_type":"causes","reason":"No one could run it."}',
    '2026-01-03T10:00:01Z'),
('bbbbbbbb-2', 'dddddddd-4', 'causal', 0.5, '{"created_by":"claude"}', '2026-01-06T10:00:00Z'),
('dddddddd-4', 'bbbbbbbb-2', 'causal', 0.5, '{"created_by":"claude"}', '2026-01-06T10:00:00Z'),
('bbbbbbbb-2', 'cccccccc-3', 'supersedes', 1, '{}', '2026-01-06T10:00:00Z'),
('aaaaaaaa-1', 'bbbbbbbb-2', 'temporal', 1, '{}', '2026-01-06T10:00:00Z'),
('aaaaaaaa-1', 'bbbbbbbb-2', 'semantic', 0.9, '{}', '2026-01-06T10:00:00Z');
