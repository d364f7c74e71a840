-- Jobs and their remaining work. Times are milliseconds since 1970.

CREATE TABLE job (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  target TEXT NOT NULL,
  options TEXT NOT NULL,
  user TEXT,                  -- the user it reads for
  anyone INTEGER NOT NULL,    -- any long-running process may work on it, not only its creator
  every INTEGER,              -- milliseconds from its end until it is repeated
  step INTEGER NOT NULL DEFAULT 0,     -- grows with every change
  state TEXT NOT NULL,
  wanted TEXT,                -- state requested by another process: paused, cancelled
  message TEXT,               -- why it failed
  requests INTEGER NOT NULL DEFAULT 0,
  pages INTEGER NOT NULL DEFAULT 0,    -- answered with content, or as not modified
  held INTEGER NOT NULL DEFAULT 0,     -- rows of the frontier
  dropped INTEGER NOT NULL DEFAULT 0,  -- addresses found beyond the limits
  memories INTEGER NOT NULL DEFAULT 0,
  entities INTEGER NOT NULL DEFAULT 0,
  edges INTEGER NOT NULL DEFAULT 0,
  removed INTEGER NOT NULL DEFAULT 0,
  summary TEXT,               -- counts of rows that were deleted
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE TRIGGER job_step AFTER UPDATE OF state, message, requests, held, memories, removed, every ON job
BEGIN UPDATE job SET step = step + 1 WHERE id = NEW.id; END;
CREATE TABLE frontier (
  id INTEGER PRIMARY KEY,     -- in order of discovery
  job INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  role TEXT NOT NULL,
  depth INTEGER NOT NULL,
  hops INTEGER NOT NULL,      -- redirects or nested lists that led here
  is_start INTEGER NOT NULL DEFAULT 0,  -- the target of the job, or what it redirected to
  state TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  why TEXT,                   -- reason for failed, gone, skipped
  begun INTEGER NOT NULL DEFAULT 0,  -- starts of work that did not end: crashes
  origin TEXT,                -- origin of its source, once fetched
  title TEXT,
  byline TEXT,
  language TEXT,
  published INTEGER,
  form TEXT,                  -- format of the body: plain, markdown, passages
  body TEXT,                  -- dropped once stored
  etag TEXT,
  modified TEXT,
  hash BLOB,
  UNIQUE (job, url)
) STRICT;
CREATE INDEX frontier_by_state ON frontier(job, state, depth, id);
CREATE TABLE robots (
  job INTEGER NOT NULL REFERENCES job(id) ON DELETE CASCADE,
  site TEXT NOT NULL,
  body TEXT,                  -- NULL if it could not be read, so nothing may be fetched
  why TEXT,
  PRIMARY KEY (job, site)
) STRICT, WITHOUT ROWID;
-- Pages known from earlier jobs, for conditional requests.
CREATE TABLE page (
  url TEXT PRIMARY KEY,
  origin TEXT NOT NULL,
  etag TEXT,
  modified TEXT,
  hash BLOB NOT NULL,
  reading BLOB NOT NULL,      -- hash of the tags and the owner it was read with
  links TEXT NOT NULL         -- one per line, to follow the links of an unmodified page
) STRICT, WITHOUT ROWID;
CREATE INDEX page_by_hash ON page(hash);
