"""What do the words find? Full text with Tantivy.

`index` is what others use. `schema` says which fields there are, `document` how a note fills them, `translate` and
`scoring` how a query becomes the engine's, `filters` who may see what, `shelf` and `damage` where the files are.
"""
