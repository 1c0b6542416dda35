"""Files in, documents out."""

from esens.ingest.documents import FORMATS as FORMATS
from esens.ingest.documents import STANDARD_INPUT as STANDARD_INPUT
from esens.ingest.documents import read_documents as read_documents
from esens.ingest.documents import read_jsonl as read_jsonl
from esens.ingest.documents import read_queries as read_queries
