-- What language models were asked, and replies that are kept. Times are milliseconds since 1970.

CREATE TABLE call (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  day INTEGER NOT NULL,       -- days since 1970, in UTC
  purpose TEXT NOT NULL,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  state TEXT NOT NULL,        -- begun, done, failed, kept
  why TEXT,                   -- kind of failure
  input INTEGER NOT NULL,     -- tokens: an estimate as long as it is begun, or where the provider does not say
  output INTEGER NOT NULL,
  cost INTEGER                -- millionths of the currency; NULL if no price was set
) STRICT;
CREATE INDEX call_by_day ON call(day);
CREATE TABLE reply (
  id INTEGER PRIMARY KEY,
  question BLOB NOT NULL UNIQUE,  -- hash of version, model and everything that was sent
  at INTEGER NOT NULL,
  reply TEXT NOT NULL,        -- JSON
  truncated INTEGER NOT NULL
) STRICT;
-- The memories whose texts were sent.
CREATE TABLE reply_memory (
  memory BLOB NOT NULL,       -- hash of the id, as receipts of erasures have it
  reply INTEGER NOT NULL REFERENCES reply(id) ON DELETE CASCADE,
  PRIMARY KEY (memory, reply)
) STRICT, WITHOUT ROWID;
CREATE INDEX reply_memory_by_reply ON reply_memory(reply);
