"""All LoomBrain tools but search, on a vault with PARA folders, asked of real servers by the official client."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from tests.dialects.loombrain_client import LoomBrain, over_http, over_stdio, refusal
from tests.dialects.loombrain_vault import (
    BEANS,
    COPY,
    HIDDEN,
    LOOSE,
    PLAN,
    SORTED,
    SORTED_NODES,
    YOGA,
    write_sorted,
)

from trilith.model.ids import derive_id

LIBRARY = "notes"
SITE, KITCHEN, HEALTH, STORES, OLD = (
    derive_id(LIBRARY, folder)
    for folder in (
        "1 - Projects/Site relaunch",
        "1 - Projects/Kitchen",
        "2 - Areas/Health",
        "3 - Resources/Kitchen",
        "4 - Archive/Old site",
    )
)
NOBODY = "00000000-0000-4000-8000-000000000000"
ITEM = {"id", "category", "slug", "label", "description", "deadline", "status", "created_at", "library"}
NODE = {
    "id",
    "title",
    "summary",
    "body_markdown",
    "tags",
    "para_item_ids",
    "why",
    "status",
    "created_at",
    "updated_at",
    "path",
    "library",
}


@pytest.fixture(params=["stdio", "http"])
def vault(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return write_sorted(tmp_path / LIBRARY)


@pytest.fixture
def loom(request: pytest.FixtureRequest, vault: Path, tmp_path: Path) -> Iterator[LoomBrain]:
    with _server(request.node.callspec.params["vault"], vault, tmp_path / "home") as loom:
        yield loom


def _server(how: str, vault: Path, home: Path) -> AbstractContextManager[LoomBrain]:
    home.mkdir()
    if how == "stdio":
        return over_stdio(home, str(vault), notes=SORTED_NODES)
    return over_http(home, vault, mode="legacy")


def items(loom: LoomBrain, **narrowed: Any) -> dict[str, str]:
    """Label of each item, by id."""
    return {item["id"]: item["label"] for item in loom.list_para_items(**narrowed)["items"]}


def changed(vault: Path, path: str, former: str) -> tuple[set[str], set[str]]:
    """Lines taken away and added."""
    before, after = set(former.splitlines()), set((vault / path).read_text(encoding="utf-8").splitlines())
    return before - after, after - before


def kept_up(added: set[str]) -> set[str]:
    return {line for line in added if not line.startswith(("updated_at:", "version:", "contributors:"))}


def test_what_is_there_is_read(loom: LoomBrain) -> None:
    # nodes
    node = loom.get_node(id=PLAN.upper())
    assert node == {
        "id": PLAN,
        "title": "Launch plan",
        "summary": None,
        "body_markdown": "We launch in June. #important\n",
        "tags": ["launch", "site", "important"],
        "para_item_ids": [SITE],
        "why": "Asked for by Ann",
        "status": "validated",
        "created_at": "2026-02-01T08:00:00Z",
        "updated_at": "2026-02-02T08:00:00Z",
        "path": "1 - Projects/Site relaunch/plan.md",
        "library": LIBRARY,
    }
    assert loom.get_node(id=LOOSE)["para_item_ids"] == [HEALTH]
    assert loom.get_node(id=HIDDEN)["status"] == "dismissed"
    assert [refusal(loom.get_node(id=unknown)) for unknown in (NOBODY, SITE, "yoga")] == ["NOT_FOUND"] * 3
    assert refusal(loom.get_node()) == refusal(loom.get_node(id=5)) == "INVALID_INPUT"

    # what is one link away, and how
    related = loom.get_related(id=PLAN)
    assert set(related) == {"nodes"}
    assert [(n["id"], n["relationship_type"], n["direction"]) for n in related["nodes"]] == [
        (COPY, "next", "outgoing"),
        (COPY, "derived_from", "incoming"),
        (COPY, "mentions", "incoming"),
    ]
    assert set(related["nodes"][0]) == {"id", "title", "summary", "relationship_type", "direction"}
    assert loom.get_related(id=PLAN, limit=1) == {"nodes": related["nodes"][:1], "truncated": True}
    assert loom.get_related(id=LOOSE)["nodes"] == []
    assert refusal(loom.get_related(id=PLAN, limit=0)) == "INVALID_INPUT"
    assert refusal(loom.get_related(id=NOBODY)) == "NOT_FOUND"

    # items
    listed = loom.list_para_items()
    assert [(i["id"], i["category"], i["slug"], i["label"], i["status"]) for i in listed["items"]] == [
        (KITCHEN, "projects", "kitchen", "Kitchen", "active"),
        (SITE, "projects", "site-relaunch", "Site relaunch", "active"),
        (HEALTH, "areas", "health", "Health", "active"),
        (STORES, "resources", "kitchen-resources", "Kitchen", "active"),
        (OLD, "resources", "old-site", "Old site", "archived"),
    ]
    assert all(set(item) == ITEM for item in listed["items"])
    assert {i["id"]: i["created_at"] for i in listed["items"]}[SITE] == "2026-01-31T08:00:00Z"
    assert set(items(loom, category="resources")) == {STORES, OLD}
    assert set(items(loom, status="archived")) == {OLD}
    assert set(items(loom, category="areas", status="archived")) == set()
    assert list(items(loom, offset=3)) == [STORES, OLD]
    for wrong in ({"category": "archive"}, {"status": "done"}, {"offset": -1}, {"category": 1}):
        assert refusal(loom.list_para_items(**wrong)) == "INVALID_INPUT"

    # members
    assert set(loom.ids(query="launch pages", para_item_id=SITE)) == {PLAN, COPY}
    assert loom.ids(query="launch", para_item_id=SITE, mode="keyword") == [PLAN]
    assert set(loom.ids(query="stretch", para_item_id=HEALTH, mode="semantic")) == {YOGA, LOOSE}
    assert loom.ids(query="pages", para_item_id=OLD) == []

    # context
    context = loom.get_context(topic="launch", working_directory="/home/ann/site_relaunch/")
    assert context["matched_para_item"]["id"] == SITE
    assert {node["id"] for node in context["nodes"]} == {PLAN, COPY}
    assert all(set(node) == NODE for node in context["nodes"])
    assert context["nodes"][0]["body_markdown"] == "We launch in June. #important\n"
    assert (
        loom.get_context(topic="launch", working_directory="C:\\work\\Site-Relaunch")["matched_para_item"]["id"] == SITE
    )
    everything = loom.get_context(topic="launch", working_directory="/home/ann/novel")
    assert everything["matched_para_item"] is None
    assert len(everything["nodes"]) == SORTED_NODES
    assert loom.get_context(topic="launch", working_directory="/home/ann/old-site")["matched_para_item"] is None
    assert loom.get_context(topic="launch", working_directory="/srv/kitchen")["matched_para_item"] is None, "two"
    chosen = loom.get_context(topic="launch", para_item_id=HEALTH, working_directory="/home/ann/site-relaunch")
    assert (chosen["matched_para_item"]["label"], {node["id"] for node in chosen["nodes"]}) == ("Health", {YOGA, LOOSE})
    assert loom.get_context(topic="launch", para_item_id=NOBODY)["nodes"] == []
    assert len(loom.get_context(topic="launch", limit="2")["nodes"]) == 2
    for wrong in ({"topic": " "}, {"topic": "x", "limit": 0}, {"topic": "x", "working_directory": 5}, {}):
        assert refusal(loom.get_context(**wrong)) == "INVALID_INPUT"

    # health
    assert loom.graph_health() == {
        "total_nodes": SORTED_NODES,
        "validated_nodes": 1,
        "total_links": 3,
        "orphan_nodes": 4,
        "stale_nodes": 0,
        "state": "ready",
    }


def test_nodes_are_made_and_changed(loom: LoomBrain, vault: Path) -> None:
    added = loom.add_node(
        title="Banner",
        para_item_ids=[SITE, HEALTH],
        summary="Above all pages",
        body_markdown="Come in, we are open.\n",
        tags=["#site"],
        why="Ann wants one",
    )
    assert set(added) == NODE
    assert (added["path"], added["para_item_ids"]) == ("1 - Projects/Site relaunch/banner.md", [SITE, HEALTH])
    assert (added["summary"], added["why"], added["tags"]) == ("Above all pages", "Ann wants one", ["site"])
    assert (added["status"], added["body_markdown"]) == ("raw", "Come in, we are open.\n")
    assert "para: [health]" in (vault / added["path"]).read_text(encoding="utf-8")
    assert loom.get_node(id=added["id"]) == added
    assert loom.ids(query="open banner", mode="keyword", para_item_id=HEALTH) == [added["id"]]
    assert loom.add_node(title="Plain")["path"] == "plain.md"

    assert refusal(loom.add_node(title="Banner", para_item_ids=[SITE])) == "CONFLICT"
    assert refusal(loom.add_node(title="B", para_item_ids=[SITE, NOBODY])) == "NOT_FOUND"
    assert refusal(loom.add_node(title="B", para_item_ids=[OLD])) == "INVALID_INPUT"
    assert refusal(loom.add_node(title=" ")) == refusal(loom.add_node(summary="x")) == "INVALID_INPUT"
    assert not list(vault.rglob("b.md"))

    # one field: its line, and those that every write keeps up
    path, before = "1 - Projects/Site relaunch/plan.md", SORTED["1 - Projects/Site relaunch/plan.md"]
    updated = loom.update_node(id=PLAN, status="raw")
    assert (updated["status"], updated["para_item_ids"]) == ("raw", [SITE])
    gone, new = changed(vault, path, before)
    assert gone == {"status: validated", "updated_at: 2026-02-02T08:00:00Z"}
    assert kept_up(new) == {"status: raw"}
    updated = loom.update_node(
        id=PLAN,
        title="The plan",
        summary="June: launch",
        body_markdown="We launch in July.\n",
        tags=[],
        metadata={"phase": 2, "people": ["ann", "bob"], "why": "Because", "draft": True},
    )
    assert (updated["title"], updated["summary"], updated["why"]) == ("The plan", "June: launch", "Because")
    assert (updated["tags"], updated["body_markdown"]) == ([], "We launch in July.\n")
    _, new = changed(vault, path, before)
    assert {"phase: 2", "people: [ann, bob]", "draft: true", 'summary: "June: launch"', "why: Because"} <= new
    assert loom.update_node(id=PLAN, metadata='{"why": null, "phase": null}')["why"] is None
    assert "phase" not in (vault / path).read_text(encoding="utf-8")
    assert '  next: ["[[copy]]"]   # then this' in (vault / path).read_text(encoding="utf-8").splitlines()

    text = (vault / path).read_bytes()
    for wrong in (
        {},
        {"title": ""},
        {"status": "done"},
        {"tags": [1]},
        {"metadata": []},
        {"metadata": {"id": NOBODY}},
        {"metadata": {"a": {"b": 1}}},
        {"metadata": {"a": [1]}},
        {"metadata": {" ": "x"}},
        {"summary": "a\x00b"},
        {"body_markdown": 5},
    ):
        assert refusal(loom.update_node(id=PLAN, **wrong)) == "INVALID_INPUT"
    assert (
        refusal(loom.update_node(id=NOBODY, title="x")) == refusal(loom.update_node(id=SITE, title="x")) == "NOT_FOUND"
    )
    assert (vault / path).read_bytes() == text

    # tags and items
    tagged = loom.update_node_tags(id=YOGA, tags=["body"], para_item_ids=[HEALTH, KITCHEN])
    assert (tagged["tags"], set(tagged["para_item_ids"])) == (["body"], {HEALTH, KITCHEN})
    assert loom.update_node_tags(id=YOGA, tags="calm, slow")["para_item_ids"] == tagged["para_item_ids"]
    assert loom.update_node_tags(id=YOGA, para_item_ids=[HEALTH])["tags"] == ["calm", "slow"]
    assert loom.update_node_tags(id=LOOSE, para_item_ids=[])["para_item_ids"] == []
    assert refusal(loom.update_node_tags(id=YOGA, para_item_ids=[])) == "INVALID_INPUT", "its file lies in the folder"
    assert refusal(loom.update_node_tags(id=LOOSE, para_item_ids=[OLD])) == "INVALID_INPUT"
    assert refusal(loom.update_node_tags(id=LOOSE, para_item_ids=[NOBODY])) == "NOT_FOUND"
    assert refusal(loom.update_node_tags(id=LOOSE)) == "INVALID_INPUT"

    # dismissed: hidden, and readable by id
    assert loom.update_node(id=BEANS, status="dismissed")["status"] == "dismissed"
    assert BEANS not in loom.ids(query="beans", limit=100)
    assert loom.get_node(id=BEANS)["title"] == "Beans"


def test_links_of_a_type_are_set_all_or_nothing(loom: LoomBrain, vault: Path) -> None:
    path, before = "1 - Projects/Site relaunch/plan.md", SORTED["1 - Projects/Site relaunch/plan.md"]
    answer = loom.link_nodes(source_node_id=PLAN, target_node_ids=[COPY, YOGA, COPY], link_type="supersedes")
    assert answer == {"source_node_id": PLAN, "link_type": "supersedes", "targets_set": 2}
    gone, new = changed(vault, path, before)
    assert gone == {"updated_at: 2026-02-02T08:00:00Z"}
    assert kept_up(new) == {f"  supersedes: [{COPY}, {YOGA}]"}
    assert loom.link_nodes(source_node_id=PLAN, target_node_ids=[BEANS], link_type="supersedes")["targets_set"] == 1
    assert loom.link_nodes(source_node_id=PLAN, target_node_ids=YOGA)["link_type"] == "related"
    found = {
        (n["id"], n["relationship_type"]) for n in loom.get_related(id=PLAN)["nodes"] if n["direction"] == "outgoing"
    }
    assert found == {(COPY, "next"), (BEANS, "supersedes"), (YOGA, "related")}
    back = loom.get_related(id=BEANS)["nodes"]
    assert [(n["id"], n["relationship_type"], n["direction"]) for n in back] == [(PLAN, "supersedes", "incoming")]

    text = (vault / path).read_bytes()
    assert refusal(loom.link_nodes(source_node_id=PLAN, target_node_ids=[YOGA, NOBODY])) == "NOT_FOUND"
    assert refusal(loom.link_nodes(source_node_id=PLAN, target_node_ids=[YOGA, SITE])) == "NOT_FOUND"
    assert refusal(loom.link_nodes(source_node_id=NOBODY, target_node_ids=[YOGA])) == "NOT_FOUND"
    for wrong in (
        {"target_node_ids": []},
        {"target_node_ids": [PLAN]},
        {"target_node_ids": [YOGA] * 17},
        {"target_node_ids": [YOGA], "link_type": "likes"},
        {"target_node_ids": [5]},
        {},
    ):
        assert refusal(loom.link_nodes(source_node_id=PLAN, **wrong)) == "INVALID_INPUT"
    assert (vault / path).read_bytes() == text


def test_items_are_made_and_changed(loom: LoomBrain, vault: Path) -> None:
    made = loom.create_para_item(category="areas", label="Money & Taxes", description="Every spring")
    assert set(made) == ITEM
    assert (made["slug"], made["label"], made["category"], made["status"]) == (
        "money-taxes",
        "Money & Taxes",
        "areas",
        "active",
    )
    assert (made["description"], made["deadline"]) == ("Every spring", None)
    assert (vault / "para/money-taxes.md").exists()
    assert made in loom.list_para_items()["items"]
    assert loom.get_context(topic="tax", working_directory="/x/money_taxes")["matched_para_item"]["id"] == made["id"]
    assert loom.graph_health()["total_nodes"] == SORTED_NODES
    assert loom.ids(query="money taxes", limit=100, mode="keyword") == []
    assert refusal(loom.get_node(id=made["id"])) == "NOT_FOUND"
    assert loom.update_node_tags(id=LOOSE, para_item_ids=[made["id"]])["para_item_ids"] == [made["id"]]
    for label in ("Money, taxes", "Site Relaunch"):
        assert refusal(loom.create_para_item(category="areas", label=label)) == "CONFLICT"
    for wrong in (
        {"category": "archive", "label": "x"},
        {"label": "x"},
        {"category": "areas"},
        {"category": "areas", "label": " "},
    ):
        assert refusal(loom.create_para_item(**wrong)) == "INVALID_INPUT"

    # the first change to a folder writes its note, which names it
    assert {path.name for path in (vault / "para").iterdir()} == {"money-taxes.md"}
    dated = loom.update_para_item(id=SITE, deadline="2026-06-30", description="New pages")
    assert (dated["id"], dated["slug"], dated["deadline"], dated["description"]) == (
        SITE,
        "site-relaunch",
        "2026-06-30",
        "New pages",
    )
    assert dated["created_at"] == "2026-01-31T08:00:00Z"
    assert 'folder: "1 - Projects/Site relaunch"' in (vault / "para/site-relaunch.md").read_text(encoding="utf-8")
    renamed = loom.update_para_item(id=SITE, label="Web site", deadline="")
    assert (renamed["label"], renamed["slug"], renamed["deadline"], renamed["description"]) == (
        "Web site",
        "site-relaunch",
        None,
        "New pages",
    )
    assert set(loom.ids(query="launch", para_item_id=SITE)) == {PLAN, COPY}
    for wrong in ({}, {"label": ""}, {"label": "x" * 501}, {"deadline": "soon"}, {"description": 5}):
        assert refusal(loom.update_para_item(id=SITE, **wrong)) == "INVALID_INPUT"
    assert refusal(loom.update_para_item(id=NOBODY, label="x")) == refusal(loom.update_para_item(id=PLAN, label="x"))

    # archived and back, twice each
    for _ in range(2):
        assert loom.archive_para_item(id=SITE) == {"id": SITE, "status": "archived"}
    assert loom.ids(query="launch", para_item_id=SITE) == []
    assert PLAN in loom.ids(query="launch")
    assert SITE in items(loom, status="archived")
    for _ in range(2):
        assert loom.unarchive_para_item(id=SITE) == {"id": SITE, "status": "active"}
    assert set(loom.ids(query="launch", para_item_id=SITE)) == {PLAN, COPY}
    assert loom.unarchive_para_item(id=OLD) == {"id": OLD, "status": "active"}
    assert [hit["title"] for hit in loom.search(query="pages", para_item_id=OLD)["data"]] == ["Farewell"]
    assert refusal(loom.archive_para_item(id=NOBODY)) == "NOT_FOUND"
    assert refusal(loom.archive_para_item()) == "INVALID_INPUT"
    assert items(loom) == {
        SITE: "Web site",
        KITCHEN: "Kitchen",
        HEALTH: "Health",
        STORES: "Kitchen",
        OLD: "Old site",
        made["id"]: "Money & Taxes",
    }


def test_every_tool_is_offered_and_says_what_it_does(loom: LoomBrain) -> None:
    tools = loom.tools()
    writing = {name for name, tool in tools.items() if not tool.annotations.read_only_hint}
    assert set(tools) - writing == {
        "lb_search",
        "lb_get_context",
        "lb_get_node",
        "lb_get_related",
        "lb_list_para_items",
        "lb_graph_health",
    }
    assert writing == {
        "lb_add_node",
        "lb_update_node",
        "lb_update_node_tags",
        "lb_link_nodes",
        "lb_create_para_item",
        "lb_update_para_item",
        "lb_archive_para_item",
        "lb_unarchive_para_item",
    }
    assert all("library" in tool.input_schema["properties"] for tool in tools.values())
