"""Vectors and documents in; raw scores out."""

from esens.index.base import Index as Index
from esens.index.memory import MemoryIndex as MemoryIndex
