"""Trilith: a folder of Markdown notes as a base that agents search and read."""

__version__ = "0.1.0"
