"""What a document is about, as opposed to what it mentions; and what only an exclusion says."""

from esens.about.names import Names as Names
from esens.about.own import own_words as own_words
from esens.about.sentences import sentences_of as sentences_of
