"""What do the words mean? Values without I/O; the vocabulary of every other room."""
