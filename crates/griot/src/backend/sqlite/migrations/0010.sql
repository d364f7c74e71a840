-- When a person set the end of a fact. A language model then adds evidence at most.
ALTER TABLE fact ADD COLUMN ended_at INTEGER;
