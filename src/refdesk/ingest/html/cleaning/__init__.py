"""The main content of a page, and what of it is furniture."""

from refdesk.ingest.html.cleaning.cleaner import Cleaned, SiteProfile, clean, learn

__all__ = ["Cleaned", "SiteProfile", "clean", "learn"]
