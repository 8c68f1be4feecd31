"""The shapes in which Lithos, REST and the command line show notes: values become JSON."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from trilith.dialects.explaining import explanation
from trilith.dialects.moments import iso
from trilith.dialects.schema import BOOLEAN
from trilith.model.hits import Diagnostics, EngineState, Hit
from trilith.model.note import Entry

if TYPE_CHECKING:
    from trilith.notes.reader import ReadNote, Related
    from trilith.ports.catalog import Counts

Json = dict[str, Any]

MOST_REFERENCES = 200
"""Notes in one list of those around another: a hub may have thousands."""
CUT_REFERENCES: Json = {**BOOLEAN, "description": f"A list holds the first {MOST_REFERENCES} of more."}


def hit(found: Hit, now: datetime, *, match: bool, name_library: bool, chunk_text: bool = False) -> Json:
    """`match`: whether to say which engine found it; an explanation is shown where there is one, with the whole text of the
    best chunk where `chunk_text` says so."""
    entry = found.entry
    shown: Json = {
        "id": entry.id,
        "title": entry.metadata.title,
        "snippet": found.snippet,
        "score": round(found.score, 4),
        "path": entry.path,
        "source_url": entry.metadata.source_url,
        "updated_at": iso(entry.updated_at),
        "is_stale": entry.metadata.is_stale(now),
        "derived_from_ids": list(entry.metadata.derived_from_ids),
    }
    if found.depth is not None:
        shown["depth"] = found.depth
    if name_library:
        shown["library"] = entry.library
    if match:
        shown["match"] = matches(found)
    if found.explanation is not None:
        shown["explanation"] = explanation(found.explanation, chunk_text=chunk_text)
    return shown


def matches(found: Hit) -> Json:
    """Which engine found the hit, at which rank, with which raw score."""
    shown: Json = {}
    if found.fulltext is not None:
        shown["fulltext"] = {"rank": found.fulltext.rank, "raw": round(found.fulltext.raw, 4)}
    if found.semantic is not None:
        shown["semantic"] = {"rank": found.semantic.rank, "cosine": round(found.semantic.raw, 4)}
    return shown


def diagnostics(state: Diagnostics) -> Json:
    shown: Json = {"semantic": state.semantic.value, "reason": state.reason, "pending": state.pending}
    if state.fulltext is not EngineState.OK:
        shown["fulltext"] = state.fulltext.value
    if state.similar:
        shown["similar_words"] = True
    if state.reranker is not None:
        shown["reranker"] = state.reranker.value
        shown["reranker_reason"] = state.reranker_reason
    return shown


def document(note: ReadNote, content: str, *, truncated: bool, name_library: bool) -> Json:
    entry = note.entry
    shown: Json = {
        "id": entry.id,
        "title": entry.metadata.title,
        "path": entry.path,
        "content": content,
        "truncated": truncated,
        "metadata": metadata(entry),
        "links": {
            "outgoing": [target.id for target in note.outgoing[:MOST_REFERENCES]],
            "incoming": [source.id for source in note.incoming[:MOST_REFERENCES]],
        },
    }
    if max(len(note.outgoing), len(note.incoming)) > MOST_REFERENCES:
        shown["links_truncated"] = True
    if name_library:
        shown["library"] = entry.library
    return shown


def metadata(entry: Entry) -> Json:
    known = entry.metadata
    return {
        "author": known.author,
        "contributors": list(known.contributors),
        "tags": list(known.tags),
        "confidence": known.confidence,
        "created_at": iso(entry.created_at),
        "updated_at": iso(entry.updated_at),
        "version": known.version,
        "source_url": known.source_url,
        "derived_from_ids": list(known.derived_from_ids),
        "expires_at": iso(known.expires_at),
        "aliases": list(known.aliases),
        "summary": known.summary,
        "status": known.status.value,
        "visibility": known.visibility.value,
        "extra": dict(known.extra),
    }


def item(entry: Entry, *, name_library: bool) -> Json:
    shown: Json = {
        "id": entry.id,
        "title": entry.metadata.title,
        "path": entry.path,
        "updated": iso(entry.updated_at),
        "tags": list(entry.metadata.tags),
        "source_url": entry.metadata.source_url,
        "derived_from_ids": list(entry.metadata.derived_from_ids),
    }
    if name_library:
        shown["library"] = entry.library
    return shown


def reference(entry: Entry) -> Json:
    return {"id": entry.id, "title": entry.metadata.title, "path": entry.path}


def related(found: Related, include: frozenset[str]) -> Json:
    """`truncated` where a hub has more links than are shown."""
    shown: Json = {"id": found.entry.id}
    near: list[Sequence[Entry]] = []
    if "links" in include:
        shown["links"] = {"outgoing": _references(found.outgoing), "incoming": _references(found.incoming)}
        near += [found.outgoing, found.incoming]
    if "provenance" in include:
        shown["provenance"] = {
            "sources": _references(found.sources),
            "derived": _references(found.derived),
            "unresolved_sources": list(found.unresolved_sources),
        }
        near += [found.sources, found.derived]
    shown["related_ids"] = list(dict.fromkeys(entry.id for part in near for entry in part[:MOST_REFERENCES]))
    return {**shown, "truncated": True} if any(len(part) > MOST_REFERENCES for part in near) else shown


def _references(entries: Sequence[Entry]) -> list[Json]:
    return [reference(entry) for entry in entries[:MOST_REFERENCES]]


def stats(counts: Counts, pending: int, *, drifted: bool) -> Json:
    return {
        "documents": counts.documents,
        "chunks": counts.chunks,
        "tags": counts.tags,
        "unresolved_links": counts.unresolved_links,
        "expired_docs": counts.expired,
        "duplicate_urls": counts.duplicate_urls,
        "pending": pending,
        "index_drift_detected": drifted,
    }
