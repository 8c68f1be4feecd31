"""How do the notes hang together? Answered from the links that the catalog keeps."""
