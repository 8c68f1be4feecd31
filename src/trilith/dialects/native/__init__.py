"""Trilith's own dialect: what REST and the command line (`--json`) answer."""
