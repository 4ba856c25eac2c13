"""Sources: one for each ecosystem. They find and read bytes; what the bytes mean is for ingesting to say."""

from refdesk.adapters.sources.aws import AwsSource
from refdesk.adapters.sources.files import FilesSource
from refdesk.adapters.sources.gcp import GcpSource
from refdesk.adapters.sources.pypi import PypiSource
from refdesk.adapters.sources.site import SiteSource
from refdesk.adapters.sources.sites_and_folders import SitesAndFolders

__all__ = ["AwsSource", "FilesSource", "GcpSource", "PypiSource", "SiteSource", "SitesAndFolders"]
