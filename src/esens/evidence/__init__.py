"""What a document is about, as opposed to what it mentions; and what only an exclusion says."""

from esens.evidence.lead_match import Names as Names
from esens.evidence.trap_terms import own_words as own_words
