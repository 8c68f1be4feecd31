"""Which words say nothing by themselves?"""

from __future__ import annotations

_TEXT = """
a an the and or but nor if then else than as of at by for with about against between among into through during
before after above below to from up down in out on off over under upon within without until while because since

i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
herself it its itself they them their theirs themselves this that these those one ones someone something

what which who whom whose when where why how

am is are was were be been being have has had having do does did doing
can could may might must shall should will would

again further once here there all any both each few more most other some such no not only own same so too very
just now also

s t d m ll re ve don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn
"""  # the last line: what the apostrophe leaves of I'm, he'd, we'll, isn't

STOP_WORDS = frozenset(_TEXT.split())
"""English words that occur in any text, so that a literal query is better without them. They stay in the index, and
count in phrases."""
