-- Version 4: the language that a source says it is written in.
ALTER TABLE source ADD COLUMN language TEXT;
