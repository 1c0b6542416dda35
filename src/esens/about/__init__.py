"""What a document is about, as opposed to what it mentions; and what only an exclusion says."""

from esens.about.names import Names as Names
from esens.about.own import own_words as own_words
