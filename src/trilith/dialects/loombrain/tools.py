"""The tools of the LoomBrain dialect."""

from __future__ import annotations

from trilith.dialects.loombrain.context import GET_CONTEXT
from trilith.dialects.loombrain.linking import GRAPH_HEALTH, LINK_NODES
from trilith.dialects.loombrain.para import ARCHIVE_ITEM, CREATE_ITEM, LIST_ITEMS, UNARCHIVE_ITEM, UPDATE_ITEM
from trilith.dialects.loombrain.reading import GET_NODE, GET_RELATED
from trilith.dialects.loombrain.searching import SEARCH
from trilith.dialects.loombrain.writing import ADD_NODE, UPDATE_NODE, UPDATE_NODE_TAGS
from trilith.dialects.tool import Tool

TOOLS: tuple[Tool, ...] = (
    SEARCH,
    GET_CONTEXT,
    GET_NODE,
    GET_RELATED,
    LIST_ITEMS,
    GRAPH_HEALTH,
    ADD_NODE,
    UPDATE_NODE,
    UPDATE_NODE_TAGS,
    LINK_NODES,
    CREATE_ITEM,
    UPDATE_ITEM,
    ARCHIVE_ITEM,
    UNARCHIVE_ITEM,
)
