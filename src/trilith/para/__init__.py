"""What are notes for? PARA items: notes of type `para-item`, and the folders of a vault that is kept that way."""
