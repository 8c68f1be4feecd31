"""What do we remember about the notes? SQLite: identities, metadata, texts, links, vectors, and who is behind on what."""
