-- Jobs and what is left of them. Times are milliseconds since 1970.

CREATE TABLE job (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  target TEXT NOT NULL,
  options TEXT NOT NULL,
  user TEXT,                  -- for whom it reads
  anyone INTEGER NOT NULL,    -- any process that goes on running may work on it, not only the one that made it
  every INTEGER,              -- milliseconds after its end until it is done again
  step INTEGER NOT NULL DEFAULT 0,     -- grows with every change
  state TEXT NOT NULL,
  wanted TEXT,                -- what another process asks of the one that works: paused, cancelled
  message TEXT,               -- why it failed
  requests INTEGER NOT NULL DEFAULT 0,
  pages INTEGER NOT NULL DEFAULT 0,    -- that were answered with content, or as unchanged
  held INTEGER NOT NULL DEFAULT 0,     -- rows of the frontier
  dropped INTEGER NOT NULL DEFAULT 0,  -- addresses found and not taken up
  memories INTEGER NOT NULL DEFAULT 0,
  entities INTEGER NOT NULL DEFAULT 0,
  edges INTEGER NOT NULL DEFAULT 0,
  removed INTEGER NOT NULL DEFAULT 0,
  summary TEXT,               -- counts of rows that are not kept any more
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE TRIGGER job_step AFTER UPDATE OF state, message, requests, held, memories, removed, every ON job
BEGIN UPDATE job SET step = step + 1 WHERE id = NEW.id; END;
CREATE TABLE frontier (
  id INTEGER PRIMARY KEY,     -- in the order of finding
  job INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  role TEXT NOT NULL,
  depth INTEGER NOT NULL,
  hops INTEGER NOT NULL,      -- redirects, or lists within lists, that led here
  is_start INTEGER NOT NULL DEFAULT 0,  -- what was asked for, or where that has moved
  state TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  why TEXT,                   -- of failed, gone, skipped
  begun INTEGER NOT NULL DEFAULT 0,  -- times that work on it began and did not end: the process ended before
  origin TEXT,                -- the source that the page is, once it is fetched
  title TEXT,
  byline TEXT,
  language TEXT,
  published INTEGER,
  form TEXT,                  -- of the body: plain, markdown, passages
  body TEXT,                  -- until it is stored
  etag TEXT,
  modified TEXT,
  hash BLOB,
  UNIQUE (job, url)
) STRICT;
CREATE INDEX frontier_by_state ON frontier(job, state, depth, id);
CREATE TABLE robots (
  job INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  site TEXT NOT NULL,
  body TEXT,                  -- nothing: the site could not say, so nothing of it is fetched
  why TEXT,
  PRIMARY KEY (job, site)
) STRICT, WITHOUT ROWID;
-- What is known of pages from earlier jobs, for conditional requests.
CREATE TABLE page (
  url TEXT PRIMARY KEY,
  origin TEXT NOT NULL,
  etag TEXT,
  modified TEXT,
  hash BLOB NOT NULL,
  reading BLOB NOT NULL,      -- with which tags and for whom it was read
  links TEXT NOT NULL         -- by line: an unchanged page is not sent again, and its links are still followed
) STRICT, WITHOUT ROWID;
CREATE INDEX page_by_hash ON page(hash);
