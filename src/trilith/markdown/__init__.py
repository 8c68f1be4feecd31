"""What does a text say? Bytes in, values out: pure functions without I/O.

text         bytes -> characters, lines
yamltree     YAML -> a small tree with every scalar as written
yamllines    the same tree of what nearly everybody writes, without a parser
frontmatter  where the block ends, and what it holds
values       nodes of that tree as plain values
dates, urls  the forms of two kinds of values
tags         what counts as a tag, and how lists of them are written
fields       known keys -> `Metadata`
plainblocks  the blocks that need no parser, and what is left to it
structure    blocks: headings, code, regions of running text
inline       links, tags and code within a region
links        what was found -> `Link`
chunks       what is embedded
sections     what lies under a heading
shorten      the start of a text, cut where a sentence ends
patching     spans of a text replaced, and where its other places are then
yamltext     values as YAML text
yamlrows     lists and maps with one entry below the other
editing      changes to frontmatter that leave all else as it is
amending     changes to a body: sections, appended text, replaced text
spelling     how a link names what it leads to
destinations how the path of a Markdown link is written
fieldlinks   links in frontmatter that follow what has moved
relinking    all links of a note that follow what has moved
parse        all of it, for one file
"""
