"""Python packages: static analysis of their sources, as entries."""

from refdesk.ingest.python.parser import parse_python

__all__ = ["parse_python"]
