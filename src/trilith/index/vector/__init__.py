"""Which passages mean the same as the question? One cache of vectors per library and model, derived from the catalog."""
