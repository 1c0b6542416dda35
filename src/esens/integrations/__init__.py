"""esens in programs that people have already: a module for each, with no logic of search.

None is imported by another or by the rest of esens, and each needs its own extra.
"""
