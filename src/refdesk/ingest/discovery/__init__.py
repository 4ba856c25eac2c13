"""Google discovery documents to entries."""

from refdesk.ingest.discovery.parser import parse_discovery

__all__ = ["parse_discovery"]
