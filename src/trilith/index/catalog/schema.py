"""The tables of the catalog. A file of another version is set aside and made anew from the vaults."""

from __future__ import annotations

VERSION = 2
"""Kept in `PRAGMA user_version`; another number whenever tables, or what is written to them, change."""

TABLES = """
CREATE TABLE state (generation INTEGER NOT NULL);

CREATE TABLE libraries (
    lib INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    floor INTEGER NOT NULL,            -- a view at a lower number was fed from another catalog, or before a forgetting
    seq INTEGER NOT NULL,
    vseq INTEGER NOT NULL,
    notes INTEGER NOT NULL DEFAULT 0,
    live INTEGER NOT NULL DEFAULT 0,   -- of these, not dismissed
    embedder INTEGER,                  -- whose missing vectors `backlog` lists; NULL until a first vector is stored
    pending INTEGER NOT NULL DEFAULT 0,  -- how many these are
    parser TEXT NOT NULL DEFAULT '',
    finished_at TEXT,
    seen INTEGER NOT NULL DEFAULT 0,
    skipped TEXT NOT NULL DEFAULT '[]',
    attachments TEXT NOT NULL DEFAULT ''  -- digest of the set, so that an unchanged one costs nothing
);

-- Narrow, so that filters and sums read few pages; texts are in `contents`.
CREATE TABLE notes (
    num INTEGER PRIMARY KEY AUTOINCREMENT,
    lib INTEGER NOT NULL,
    live INTEGER NOT NULL,             -- 0: dismissed
    seq INTEGER NOT NULL,
    vseq INTEGER NOT NULL,
    created INTEGER NOT NULL,          -- microseconds since 1970, as all times here
    updated INTEGER NOT NULL,
    expires INTEGER,
    visibility TEXT NOT NULL,
    chunks INTEGER NOT NULL,
    links INTEGER NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL,
    inode BLOB NOT NULL,               -- integer, or text above 63 bits
    id TEXT NOT NULL,
    id_digest TEXT NOT NULL,           -- the start of what short ids are made of (see `model.shortid`)
    path TEXT NOT NULL,
    path_key TEXT NOT NULL,
    title_key TEXT NOT NULL,
    checksum TEXT NOT NULL
);
CREATE UNIQUE INDEX notes_path ON notes (lib, path_key, path);
CREATE UNIQUE INDEX notes_id ON notes (id, lib);
CREATE INDEX notes_id_digest ON notes (id_digest);
CREATE INDEX notes_updated ON notes (lib, live, updated);
CREATE INDEX notes_seq ON notes (lib, seq);
CREATE INDEX notes_vseq ON notes (lib, vseq);
CREATE INDEX notes_expires ON notes (expires) WHERE expires IS NOT NULL;

CREATE TABLE contents (
    num INTEGER PRIMARY KEY REFERENCES notes ON DELETE CASCADE,
    metadata TEXT NOT NULL,
    headings TEXT NOT NULL,
    body_line INTEGER,                 -- of the file, where the body begins; NULL when not known
    body TEXT NOT NULL
);

-- What a note can be filtered by: tags with their ancestors, author, frontmatter properties (see `terms`).
CREATE TABLE terms (
    lib INTEGER NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL, num INTEGER NOT NULL,
    PRIMARY KEY (lib, field, value, num)
) WITHOUT ROWID;

-- What a note answers to (see `names`); a dismissed note answers to nothing.
CREATE TABLE names (
    lib INTEGER NOT NULL, key TEXT NOT NULL, kind INTEGER NOT NULL, num INTEGER NOT NULL,
    PRIMARY KEY (lib, key, kind, num)
) WITHOUT ROWID;

-- `near` and `key` are what the link asks for, `dest` to `state` what it finds (see `resolution`).
CREATE TABLE links (
    num INTEGER NOT NULL REFERENCES notes ON DELETE CASCADE,
    ord INTEGER NOT NULL,
    lib INTEGER NOT NULL,
    kind TEXT NOT NULL, target TEXT NOT NULL, fragment TEXT, text TEXT,
    start INTEGER NOT NULL, stop INTEGER NOT NULL, relation TEXT,
    near TEXT, key TEXT,
    dest INTEGER, via INTEGER, hit TEXT, attachment TEXT, state INTEGER NOT NULL,
    PRIMARY KEY (num, ord)
) WITHOUT ROWID;
CREATE INDEX links_key ON links (lib, key) WHERE key IS NOT NULL;
CREATE INDEX links_dest ON links (dest, hit) WHERE dest IS NOT NULL;
CREATE INDEX links_hit ON links (lib, hit) WHERE hit IS NOT NULL;
CREATE INDEX links_state ON links (lib, state) WHERE state > 0;

-- Every whole-segment suffix of each attachment's path, folded.
CREATE TABLE attachments (
    lib INTEGER NOT NULL, key TEXT NOT NULL, path TEXT NOT NULL,
    PRIMARY KEY (lib, key, path)
) WITHOUT ROWID;

CREATE TABLE problems (
    num INTEGER NOT NULL REFERENCES notes ON DELETE CASCADE,
    ord INTEGER NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL, line INTEGER,
    PRIMARY KEY (num, ord)
) WITHOUT ROWID;

-- `lead` and `tail` stand around the chunk's own text in what is embedded; `tail` NULL: `lead` is all of it.
CREATE TABLE chunks (
    num INTEGER NOT NULL REFERENCES notes ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    start INTEGER NOT NULL, stop INTEGER NOT NULL, section TEXT NOT NULL, headings TEXT NOT NULL,
    lead TEXT NOT NULL, tail TEXT,
    digest INTEGER NOT NULL,           -- of what is embedded
    PRIMARY KEY (num, ordinal)
) WITHOUT ROWID;
CREATE INDEX chunks_digest ON chunks (digest);
CREATE INDEX chunks_notes ON chunks (num) WHERE section = 'notes';

CREATE TABLE embedders (embedder INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, width INTEGER NOT NULL);
CREATE TABLE embeddings (
    digest INTEGER NOT NULL, embedder INTEGER NOT NULL, vector BLOB NOT NULL,
    PRIMARY KEY (digest, embedder)
) WITHOUT ROWID;

-- Texts of a library without a vector of its embedder; `seq` of the newest note that has them.
CREATE TABLE backlog (
    lib INTEGER NOT NULL, digest INTEGER NOT NULL, seq INTEGER NOT NULL,
    PRIMARY KEY (lib, digest)
) WITHOUT ROWID;
CREATE INDEX backlog_fresh ON backlog (lib, seq DESC);

-- Texts that a chunk had; where none has them any more, their vectors go when the next scan has come to its end.
CREATE TABLE unused (digest INTEGER PRIMARY KEY);

CREATE TABLE tombstones (
    lib INTEGER NOT NULL, seq INTEGER NOT NULL, vseq INTEGER NOT NULL, num INTEGER NOT NULL,
    id TEXT NOT NULL, path TEXT NOT NULL,
    PRIMARY KEY (lib, seq)
) WITHOUT ROWID;
CREATE INDEX tombstones_vseq ON tombstones (lib, vseq);
"""
