"""The web page: search, notes, graph and health of the base for people. Rendered here, with scripts and styles of its own."""
