"""Sentence indexes of source documents, and which rule cites which sentence."""

from __future__ import annotations

from egodsl.provenance.citations import check_citations, find_citations
from egodsl.provenance.fingerprint import fingerprint
from egodsl.provenance.index import Entry, Kind, SourceIndex
from egodsl.provenance.reading import load_index

__all__ = ["Entry", "Kind", "SourceIndex", "check_citations", "find_citations", "fingerprint", "load_index"]
