INSERT INTO insights (id, content, created_at, updated_at) VALUES
('a', 'Tea is drunk at four.', '2026-01-01', ''), ('b', 'Tea is drunk at five.', '2026-01-02', ''),
('c', 'Cake is served on Sundays.', '2026-01-01', ''), ('d', 'Cake is served on Mondays.', '2026-01-02', ''),
('e', 'Cake is never served.', '2026-01-03', '');
INSERT INTO edges (source_id, target_id, edge_type, created_at) VALUES ('b', 'a', 'supersedes', ''),
('c', 'd', 'supersedes', ''), ('d', 'e', 'supersedes', ''), ('e', 'c', 'supersedes', '');
