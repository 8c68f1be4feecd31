"""How good are the answers? A judged set of queries, asked of a real vault through the real app."""
