"""Files in, documents out."""

from esens.ingest.documents import read_documents as read_documents
from esens.ingest.documents import read_queries as read_queries
from esens.ingest.fields import Fields as Fields
from esens.ingest.limits import DEFAULT_ROW_BYTES as DEFAULT_ROW_BYTES
from esens.ingest.limits import DEFAULT_UNPACK_RATIO as DEFAULT_UNPACK_RATIO
from esens.ingest.limits import Limits as Limits
from esens.ingest.lines import STANDARD_INPUT as STANDARD_INPUT
from esens.ingest.lines import read_lines as read_lines
from esens.ingest.parts import Part as Part
from esens.ingest.parts import parts_of as parts_of
from esens.ingest.passages import DEFAULT_OVERLAP as DEFAULT_OVERLAP
from esens.ingest.passages import DEFAULT_WORDS as DEFAULT_WORDS
from esens.ingest.passages import passages_of as passages_of
from esens.ingest.reader import ON_BAD as ON_BAD
from esens.ingest.reader import DocumentRow as DocumentRow
from esens.ingest.reader import RowReader as RowReader
from esens.ingest.reader import read_part as read_part
from esens.ingest.reader import read_rows as read_rows
from esens.ingest.seen_ids import SeenIds as SeenIds
from esens.ingest.sources import FORMATS as FORMATS
from esens.ingest.tables import delimited_lines as delimited_lines
from esens.ingest.tables import json_lines as json_lines
