"""What is a word, and what does a query mean? Normal forms, the analyser, query syntax and excerpts; pure."""
