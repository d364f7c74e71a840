INSERT INTO insights (id, content, created_at, updated_at) VALUES
('a', 'The cache was cold.', '2026-01-01', ''), ('b', 'The page was slow.', '2026-01-02', ''),
('c', 'Users left the shop.', '2026-01-03', ''), ('d', 'Sales fell in spring.', '2026-01-04', '');
INSERT INTO edges VALUES
('a', 'b', 'causal', 0.21, '{"overlap":"0.2100","sub_type":"enables"}', '2026-01-02'),
('b', 'c', 'causal', 0.9, '{"sub_type":"prevents","reason":"No one waits."}', '2026-01-03'),
('c', 'd', 'causal', 7, '{"sub_type":"no such thing"}', '2026-01-03'),
('a', 'd', 'semantic', 0.65, '{"created_by":"claude","reason":"Both are about spring."}', '2026-01-05'),
('d', 'a', 'semantic', 0.65, '{"created_by":"claude","reason":"Both are about spring."}', '2026-01-05'),
('a', 'c', 'semantic', 0.83, '{"cosine":"0.83"}', '2026-01-05'),
('a', 'b', 'temporal', 1, '{"sub_type":"backbone"}', '2026-01-05'),
('a', 'c', 'temporal', 0.5, '{"created_by":"mcp"}', '2026-01-05');
