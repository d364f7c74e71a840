-- Where the models are whose vectors were made, so that one still answers after the settings name another.
CREATE TABLE embedder (
  name TEXT PRIMARY KEY,      -- as the vectors name it
  settings TEXT NOT NULL      -- JSON: address, prefix of questions, price, tokens of a text
) STRICT, WITHOUT ROWID;
