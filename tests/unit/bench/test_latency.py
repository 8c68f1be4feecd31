from __future__ import annotations

from pathlib import Path

from latency import queries_sent
from make_vault import queries, write_vault
from trilith.model.principal import Principal
from trilith.model.query import Mode, Query
from trilith.settings import load
from trilith.wiring import open_app


def test_what_full_text_sends_to_the_engine_can_be_sent_again(tmp_path: Path) -> None:
    write_vault(tmp_path / "vault", 30, 1)
    with open_app(load(home=tmp_path / "home", semantic="off"), [tmp_path / "vault"]) as app:
        (library,) = app.gate.libraries()
        app.indexer.refresh(library)
        app.indexer.feeder.feed_chunks(library.name)
        texts = queries(5, 1)
        sent = queries_sent(app, texts)
        answers = [[call() for call in sent[text]] for text in texts]
        assert all(len(notes_and_passages) == 2 for notes_and_passages in answers)
        assert all(any(found.hits for found in kind) for kind in zip(*answers, strict=True))
        query = Query(text=texts[0], filter=app.gate.filter(Principal()), mode=Mode.FULLTEXT)
        assert app.searcher.search(query).hits
        assert queries_sent(app, texts[:1])[texts[0]], "the searcher is its own self again"
