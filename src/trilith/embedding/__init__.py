"""How does text become numbers? Embedders; nothing heavy is imported before one begins to load."""
