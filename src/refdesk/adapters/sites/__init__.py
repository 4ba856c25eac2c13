"""What is kept of sites from one crawl to the next: one SQLite file for each release."""

from refdesk.adapters.sites.folder import FolderSites
from refdesk.adapters.sites.state import KeptPage, SiteState

__all__ = ["FolderSites", "KeptPage", "SiteState"]
