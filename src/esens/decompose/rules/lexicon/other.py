"""A language without a table: no word of it excludes anything, since none is known."""

from esens.decompose.rules.lexicon import OTHER, Lexicon

LEXICON = Lexicon(language=OTHER, triggers=frozenset({"-"}), leads=frozenset(), clear=(), others="(?!)()")
