-- Version 7: what the user of a source noted of it.
ALTER TABLE source ADD COLUMN metadata BLOB; -- list of strings, each name before its value; NULL if empty
