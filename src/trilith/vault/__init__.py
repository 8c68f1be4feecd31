"""Where is the truth? A folder of Markdown: what is in it, and what its files say. Nothing here writes to it."""
