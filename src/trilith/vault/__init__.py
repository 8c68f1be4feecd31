"""Where is the truth? A folder of Markdown: what is in it, what its files say, how they are changed, and when they were."""
