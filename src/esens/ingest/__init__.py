"""Files in, documents out."""

from esens.ingest.documents import FORMATS as FORMATS
from esens.ingest.documents import read_documents as read_documents
from esens.ingest.documents import read_queries as read_queries
from esens.ingest.lines import STANDARD_INPUT as STANDARD_INPUT
from esens.ingest.lines import delimited_lines as delimited_lines
from esens.ingest.lines import json_lines as json_lines
from esens.ingest.lines import read_lines as read_lines
from esens.ingest.passages import passages_of as passages_of
