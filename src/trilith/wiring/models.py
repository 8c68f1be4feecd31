"""Which models are used? Settings become an embedder, and a reranker where one is named."""

from __future__ import annotations

from trilith.embedding.choice import Embedders
from trilith.embedding.crossencoder import FolderReranker
from trilith.embedding.folder import folder_embedder
from trilith.embedding.local import LocalEmbedder
from trilith.embedding.multilingual import multilingual_embedder
from trilith.embedding.off import NoEmbedder
from trilith.embedding.openai import OpenAiEmbedder
from trilith.ports.embedding import Embedder, TokenCounter
from trilith.search.rerank import Reranking
from trilith.settings import Settings
from trilith.settings.models import EmbedderSettings, FolderSettings, MultilingualSettings, ServerSettings


def embedder_of(settings: Settings) -> Embedder:
    local = LocalEmbedder(threads=settings.threads or None)
    if settings.semantic == "off":
        return NoEmbedder(local.tokens)
    chosen = {
        name: _chosen(settings, each.embedder, local.tokens) for name, each in settings.library.items() if each.embedder
    }
    return Embedders(local, chosen) if chosen else local


def _chosen(settings: Settings, chosen: EmbedderSettings, tokens: TokenCounter) -> Embedder:
    threads = settings.threads or None
    match chosen:
        case MultilingualSettings():
            return multilingual_embedder(tokens, threads)
        case FolderSettings():
            return folder_embedder(chosen.place(settings.home), chosen.file, threads)
        case ServerSettings():
            return _remote(settings, chosen, tokens)


def _remote(settings: Settings, chosen: ServerSettings, tokens: TokenCounter) -> OpenAiEmbedder:
    key, absence = chosen.find_key(settings.home)
    return OpenAiEmbedder(
        chosen.base_url, chosen.model, chosen.numbers, key, tokens, absence=absence, shortened=chosen.width is not None
    )


def reranking_of(settings: Settings) -> Reranking | None:
    chosen = settings.reranker
    if chosen is None:
        return None
    reranker = FolderReranker(chosen.place(settings.home), chosen.file, settings.threads or None)
    return Reranking(reranker, chosen.top, chosen.budget_ms / 1000)
