"""The suite of full-text engines: `View[FullTextItem]` and `FullTextRetriever`."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.conftest import Place
from tests.unit.index.lexical.notes import DAY_ONE, EVERYTHING, LIBRARY, Engine, ask, fed, found, note
from tests.unit.index.postgres.catalogued import CataloguedTexts

from trilith.index.lexical.index import LexicalIndex
from trilith.index.postgres.catalog import PostgresCatalog
from trilith.model.hits import Interpretation
from trilith.model.ids import Num
from trilith.model.principal import Scope
from trilith.model.query import Filter, Match, Membership
from trilith.ports.items import Changes

ENGINES = ("tantivy", "postgres")


def evens(filter: Filter) -> NDArray[np.int64]:
    """Stands for the catalog: says that the notes with even numbers pass a property filter."""
    assert filter.where
    return np.arange(0, 100, 2, dtype=np.int64)


@pytest.fixture(params=ENGINES)
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], Engine]]:
    """Makes engines; those made for the same name share their files, or a schema, as processes do."""
    if request.param == "tantivy":
        yield lambda name: LexicalIndex(tmp_path / name, evens)
        return
    place: Place = request.getfixturevalue("postgres")
    with ExitStack() as closing:

        def made(name: str) -> Engine:
            catalog = PostgresCatalog(place.url, f"{place.schema}_{name}")
            closing.callback(catalog.close)
            return CataloguedTexts(catalog)

        yield made


@pytest.fixture
def engine(make: Callable[[str], Engine]) -> Engine:
    return make("index")


def narrowed(**fields: object) -> Filter:
    return replace(EVERYTHING, **fields)  # type: ignore[arg-type]


# --- the view ---


def test_an_index_that_is_not_there_is_empty(engine: Engine) -> None:
    assert engine.applied(LIBRARY) == 0
    assert engine.fingerprints(LIBRARY) == {}
    ranked = ask(engine, "anything")
    assert (ranked.candidates, ranked.total) == ((), 0)


def test_it_remembers_what_it_holds(engine: Engine) -> None:
    engine.apply(LIBRARY, Changes(upto=7, put=(note(1, "one"), note(2, "two"))))
    assert engine.applied(LIBRARY) == 7
    assert engine.fingerprints(LIBRARY) == {1: "checksum-1", 2: "checksum-2"}


def test_changes_replace_and_drop(engine: Engine) -> None:
    fed(engine, [note(1, "alpha"), note(2, "beta"), note(3, "gamma")])
    engine.apply(LIBRARY, Changes(upto=9, put=(note(1, "delta", checksum="new"),), drop=(Num(2), Num(99))))
    assert engine.applied(LIBRARY) == 9
    assert engine.fingerprints(LIBRARY) == {1: "new", 3: "checksum-3"}
    assert found(engine, "alpha") == found(engine, "beta") == []
    assert found(engine, "delta") == [1]
    assert found(engine, "gamma") == [3]


def test_an_empty_batch_moves_the_sequence_on(engine: Engine) -> None:
    fed(engine, [note(1, "alpha")])
    engine.apply(LIBRARY, Changes(upto=40))
    assert engine.applied(LIBRARY) == 40
    assert found(engine, "alpha") == [1]


def test_anew_forgets_what_was(engine: Engine) -> None:
    fed(engine, [note(1, "alpha"), note(2, "alpha")])
    engine.apply(LIBRARY, Changes(upto=3, put=(note(2, "beta"),), anew=True))
    assert engine.applied(LIBRARY) == 3
    assert engine.fingerprints(LIBRARY) == {2: "checksum-2"}
    assert found(engine, "alpha OR beta") == [2]


def test_clear_empties_one_library(engine: Engine) -> None:
    fed(engine, [note(1, "alpha")])
    fed(engine, [note(2, "alpha")], "other")
    engine.clear(LIBRARY)
    assert engine.applied(LIBRARY) == 0
    assert found(engine, "alpha") == []
    assert engine.fingerprints("other") == {2: "checksum-2"}
    fed(engine, [note(1, "alpha")])
    assert found(engine, "alpha") == [1]


def test_another_instance_sees_each_change_at_once(make: Callable[[str], Engine]) -> None:
    writer, reader = make("shared"), make("shared")
    assert found(reader, "alpha") == []
    for num in range(1, 12):
        fed(writer, [note(num, "alpha")])
        assert sorted(found(reader, "alpha", depth=50)) == list(range(1, num + 1))
    writer.clear(LIBRARY)
    assert found(reader, "alpha") == []
    fed(writer, [note(5, "alpha")])
    assert found(reader, "alpha") == [5]


def test_incremental_equals_rebuilt(make: Callable[[str], Engine]) -> None:
    pick = random.Random(3)
    vocabulary = [f"word{number}" for number in range(40)]

    def version(num: int, edition: int) -> str:
        return " ".join(pick.choices(vocabulary, k=30)) + f" edition{edition}"

    grown, current = make("grown"), {}
    for edition in range(12):
        put = {num: note(num, version(num, edition), checksum=f"{num}/{edition}") for num in pick.sample(range(60), 15)}
        drop = [num for num in pick.sample(sorted(current), min(3, len(current))) if num not in put]
        current |= put
        for num in drop:
            del current[num]
        dropped = tuple(map(Num, drop))
        grown.apply(LIBRARY, Changes(upto=edition + 1, put=tuple(put.values()), drop=dropped))
    rebuilt = fed(make("rebuilt"), current.values())

    assert grown.fingerprints(LIBRARY) == rebuilt.fingerprints(LIBRARY) == {n: i.checksum for n, i in current.items()}
    for text in [*vocabulary, *(f"edition{edition}" for edition in range(12)), '"word1 word2"', "word1 AND word2"]:
        for filter in (EVERYTHING, narrowed(updated_after=DAY_ONE + timedelta(days=30))):
            both = [ask(each, text, filter=filter, depth=100) for each in (grown, rebuilt)]
            assert both[0].total == both[1].total
            assert {c.num for c in both[0].candidates} == {c.num for c in both[1].candidates}


# --- matching ---


def test_any_word_finds_and_more_words_rank_higher(engine: Engine) -> None:
    fed(engine, [note(1, "cats sleep"), note(2, "dogs bark at cats"), note(3, "birds sing")])
    ranked = ask(engine, "dogs and cats")
    assert [c.num for c in ranked.candidates] == [2, 1]
    assert ranked.total == 2
    assert ranked.interpretation is Interpretation.LITERAL
    assert ranked.reason


def test_all_words_must_be_there_in_whatever_field_and_the_last_may_be_unfinished(engine: Engine) -> None:
    fed(
        engine,
        [
            note(1, "the loop runs", title="Event"),
            note(2, "an event without the other"),
            note(3, "loops", summary="events"),
            note(4, "looping", tags=("event",)),
        ],
    )
    assert sorted(found(engine, "the event loo", Match.ALL)) == [1, 3, 4]
    assert sorted(found(engine, "loo event", Match.ALL)) == []
    assert ask(engine, "event loop", Match.ALL, depth=1).total == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("gar*", [1, 2]),
        ("gar* tools", [1]),
        ("tool gar*", [1]),
        ("gar* tool", [1]),
        ("rake OR gar", [1, 2, 3]),
        ("gar OR rake", [3]),
        ("tools NOT gar", [1]),
        ("tools NOT garden", []),
        ('"garden tools"', [1]),
        ('"garden tool"', []),
    ],
)
def test_in_query_syntax_only_the_last_word_may_be_unfinished_and_no_excluded_one(
    engine: Engine, text: str, expected: list[int]
) -> None:
    fed(engine, [note(1, "garden tools"), note(2, "a gardener"), note(3, "rake")])
    assert sorted(found(engine, text, Match.ALL)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cats AND dogs", [2]),
        ("cats NOT dogs", [1]),
        ("cats -dogs", [1]),
        ("NOT cats", [3]),
        ('"sleep well"', [1]),
        ('"well sleep"', []),
        ('"cats well"~1', [1]),
        ('"cats sle"*', [1]),
        ("slee*", [1]),
        ("slep~1", [1]),
        ("title:zoo", [3]),
        ("title:cats", []),
        ("aliases:menagerie", [3]),
        ("headings:opening", [3]),
        ("body:opening", []),
        ("tags:animal", [2]),
        ("tags:animal/dog", [2]),
        ("tags:dog", []),
        ("tags:ani*", [2]),
        ("author:ada", [1]),
        ('author:"Ada Lovelace"', [1]),
        ("path:places/zoo", [3]),
        ("path:places", [3]),
        ("created:2026-03-02", [1]),
        ("updated:>2026-03-03", [3]),
        ("updated:[2026-03-02 TO 2026-03-03]", [2, 1]),
        ("*", [3, 2, 1]),
    ],
)
def test_query_syntax(engine: Engine, text: str, expected: list[int]) -> None:
    fed(
        engine,
        [
            note(1, "cats sleep well", author="Ada Lovelace"),
            note(2, "cats and dogs", tags=("Animal/Dog",)),
            note(3, "gates", title="The zoo", aliases=("Menagerie",), headings=("Opening",), path="places/zoo.md"),
        ],
    )
    ranked = ask(engine, text)
    assert [c.num for c in ranked.candidates] == expected
    assert ranked.total == len(expected)
    assert ranked.interpretation is Interpretation.SYNTAX


def test_no_operator_means_all_when_all_are_asked_for(engine: Engine) -> None:
    fed(engine, [note(1, "event loops"), note(2, "event"), note(3, "loops")])
    assert sorted(found(engine, "event loo*")) == [1, 2, 3]
    assert found(engine, "event loo*", Match.ALL) == [1]
    assert sorted(found(engine, "event OR loo*", Match.ALL)) == [1, 2, 3]


# --- ranking ---


def test_a_title_counts_more_than_a_body(engine: Engine) -> None:
    fed(
        engine,
        [
            note(1, "a few words about kites", title="Some things"),
            note(2, "a few words about flying them", title="Flying kites"),
            note(3, "something else", title="Other things"),
        ],
    )
    assert found(engine, "kites") == [2, 1]


def test_equals_are_ordered_newest_first_then_by_id_at_the_cut_too(engine: Engine) -> None:
    same_day = [note(num, "alpha beta", updated_at=DAY_ONE) for num in range(1, 31)]
    fed(engine, [*same_day, note(31, "alpha beta")])
    expected = [31, *(item.num for item in sorted(same_day, key=lambda item: item.id))]
    assert found(engine, "alpha", depth=40) == expected
    assert found(engine, "alpha", depth=3) == expected[:3]
    assert found(engine, "*", depth=5) == expected[:5]


def test_no_note_scores_above_the_bound(engine: Engine) -> None:
    pick = random.Random(5)
    bodies = [" ".join(pick.choices(["cat", "cats", "dog", "getCat", "cat-dog"], k=20)) for _ in range(40)]
    fed(engine, [note(num, body, title=body[:20], headings=(body[:9],)) for num, body in enumerate(bodies)])
    for text in ("cat", "cat dog", "cat-dog getCat", '"cat dog"', "cat* AND dog~1", "title:cat^3 OR *", "unknown cat"):
        ranked = ask(engine, text)
        assert ranked.bound is not None
        assert 0 < ranked.candidates[0].raw <= ranked.bound


def test_weights_are_larger_for_rarer_words(engine: Engine) -> None:
    fed(engine, [note(1, "cats and dogs"), note(2, "cats"), note(3, "birds")])
    weights = ask(engine, "which cats, dogs or emus").weights
    assert list(weights) == ["cats", "dogs", "emus"]
    assert 0 < weights["cats"] < weights["dogs"] < weights["emus"]


# --- filters ---


def test_filters_are_applied_before_ranking(engine: Engine) -> None:
    crowd = [note(num, "needle " * 20, title="needle") for num in range(1, 301)]
    few = [
        note(num, "hay " * 200 + "needle", tags=("t/child",), author="Ada", path=f"A/b/{num}.md", para=("site",))
        for num in (301, 302, 303)
    ]
    fed(engine, crowd + few)
    for fields in ({"tags": ("T",)}, {"author": "ada"}, {"path_prefix": "a/B"}, {"para": Membership("site")}):
        ranked = ask(engine, "needle", filter=narrowed(**fields), depth=3)
        assert sorted(c.num for c in ranked.candidates) == [301, 302, 303]
        assert ranked.total == 3


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"tags": ("a",)}, {1, 2}),
        ({"tags": ("#A/B",)}, {1}),
        ({"tags": ("a", "x*y")}, {2}),
        ({"tags": ("x*",)}, set()),
        ({"tags": ("café",)}, {3}),
        ({"tags": ("cafe",)}, set()),
        ({"author": "Ada"}, {1}),
        ({"author": "Ad"}, set()),
        ({"path_prefix": "notes"}, {1, 2}),
        ({"path_prefix": "note"}, set()),
        ({"path_prefix": "Notes/Sub"}, {2}),
        ({"path_prefix": "notes/sub/n2.md"}, {2}),
        ({"para": Membership("site")}, {2}),
        ({"para": Membership("Site")}, set()),
        ({"para": Membership("home", "Other")}, {2, 3}),
        ({"para": Membership("none", "notes/sub")}, {2}),
        ({"without": (Num(1), Num(3), Num(99))}, {2}),
        ({"created_after": DAY_ONE + timedelta(days=2)}, {2, 3}),
        ({"created_before": DAY_ONE + timedelta(days=2)}, {1}),
        ({"updated_after": DAY_ONE + timedelta(days=1), "updated_before": DAY_ONE + timedelta(days=3)}, {1, 2}),
        ({"where": {"status": "doing"}}, {2}),
        ({"where": {"status": "doing"}, "tags": ("a/b",)}, set()),
        ({"author": "\ud800"}, set()),
    ],
)
def test_each_filter(engine: Engine, fields: dict[str, object], expected: set[int]) -> None:
    fed(
        engine,
        [
            note(1, "word", tags=("a/b",), author="Ada", path="notes/n1.md"),
            note(2, "word", tags=("A", "x*y"), author="ada b", path="notes/sub/n2.md", para=("site", "home")),
            note(3, "word", tags=("xzy", "CAFE\u0301"), path="other/n3.md"),
        ],
    )
    for text in ("word", "*", "word AND *"):
        ranked = ask(engine, text, filter=narrowed(**fields))
        assert {c.num for c in ranked.candidates} == expected
        assert ranked.total == len(expected)


def test_dismissed_notes_are_held_and_never_found(engine: Engine) -> None:
    fed(engine, [note(1, "alpha", status="dismissed", title="alpha"), note(2, "alpha", status="archived")])
    assert engine.fingerprints(LIBRARY) == {1: "checksum-1", 2: "checksum-2"}
    for text in ("alpha", "*", "NOT beta", "updated:>2020", "title:alpha OR body:alpha"):
        assert found(engine, text) == [2]
        assert ask(engine, text).total == 1


# --- scopes ---


@pytest.fixture
def shared(engine: Engine) -> Engine:
    """A library with notes of every visibility."""
    return fed(
        engine,
        [
            note(1, "word", visibility="private"),
            note(2, "word", visibility="public", path="open/n2.md"),
            note(3, "word", visibility="link"),
            note(4, "word", visibility="hidden", collaborators=("bob", "eve")),
            note(5, "word", visibility="public", path="Secret/n5.md"),
        ],
    )


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        (Scope(library=LIBRARY), [5, 4, 3, 2, 1]),
        (Scope(library=LIBRARY, reader=""), [5, 2]),
        (Scope(library=LIBRARY, reader="bob"), [5, 4, 2]),
        (Scope(library=LIBRARY, reader="bo"), [5, 2]),
        (Scope(library=LIBRARY, denied=("secret",)), [4, 3, 2, 1]),
        (Scope(library=LIBRARY, reader="bob", denied=("secret", "open")), [4]),
        (Scope(library="elsewhere"), []),
    ],
)
def test_a_scope_is_all_that_exists(shared: Engine, scope: Scope, expected: list[int]) -> None:
    for text in ("word", "*", "NOT x", "word AND updated:>2020"):
        ranked = ask(shared, text, filter=Filter(scopes=(scope,)))
        assert [c.num for c in ranked.candidates] == expected
        assert ranked.total == len(expected)


def test_no_scope_is_nothing(shared: Engine) -> None:
    ranked = ask(shared, "word", filter=Filter(scopes=()))
    assert (ranked.candidates, ranked.total) == ((), 0)


def test_libraries_are_joined_by_score(engine: Engine) -> None:
    fed(engine, [note(1, "alpha"), note(2, "alpha alpha beta")])
    fed(engine, [note(3, "alpha beta beta beta"), note(4, "gamma")], "other")
    both = Filter(scopes=(Scope(library=LIBRARY), Scope(library="other")))
    ranked = ask(engine, "alpha beta", filter=both)
    assert {c.num for c in ranked.candidates} == {1, 2, 3}
    assert [c.raw for c in ranked.candidates] == sorted((c.raw for c in ranked.candidates), reverse=True)
    assert ranked.total == 3
    assert [c.num for c in ask(engine, "gamma", filter=both).candidates] == [4]


def test_two_scopes_of_one_library_find_each_note_once(shared: Engine) -> None:
    both = Filter(scopes=(Scope(library=LIBRARY, reader="bob"), Scope(library=LIBRARY, denied=("secret",))))
    ranked = ask(shared, "word", filter=both)
    assert sorted(c.num for c in ranked.candidates) == [1, 2, 3, 4, 5]
    assert ranked.total == 5


def test_collaborator_notes_are_found_by_those_who_may_read_them(engine: Engine) -> None:
    fed(
        engine,
        [
            note(1, "body", visibility="public", collaborators=("bob",), collaborator_notes="whisper between us"),
            note(2, "whisper aloud", visibility="public"),
        ],
    )
    for text in ("whispers", '"whisper between"', "whis*", "whisper~1", "whisper AND NOT aloud"):
        public = [] if "NOT" in text else [n for n in found(engine, text, filter=EVERYTHING) if n == 2]
        assert 1 in found(engine, text)
        assert 1 in found(engine, text, filter=Filter(scopes=(Scope(library=LIBRARY, reader="bob"),)))
        for stranger in ("", "eve"):
            assert found(engine, text, filter=Filter(scopes=(Scope(library=LIBRARY, reader=stranger),))) == public


@pytest.mark.parametrize(
    "text",
    [
        "updated:[* TO *]",
        "created:{* TO *}",
        "\ufdfa" * 2_000 + "*",
        "a" * 9_000 + "*",
        "".join(map(chr, range(0x4E00, 0x4E00 + 9_000))),
    ],
    ids=["open range", "open range of another field", "long beginning", "longer beginning", "nine thousand characters"],
)
@pytest.mark.parametrize("match", list(Match))
def test_no_query_is_too_much(engine: Engine, text: str, match: Match) -> None:
    fed(engine, [note(1, "bread")])
    assert len(ask(engine, text, match=match).candidates) in (0, 1)
