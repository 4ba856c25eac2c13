"""The services that operations run on, wired by bootstrap."""

from dataclasses import dataclass

from refdesk.services.availability import AvailabilityCheck
from refdesk.services.checkup import Checkup
from refdesk.services.extracting import Extracting
from refdesk.services.indexing import Indexing
from refdesk.services.lookup import Lookup
from refdesk.services.reading import Reading
from refdesk.services.refreshing import Refreshing
from refdesk.services.searching import Searching
from refdesk.services.shelf import Shelf
from refdesk.services.specifications import Specifications


@dataclass(frozen=True, slots=True)
class Services:
    """One of each."""

    shelf: Shelf
    lookup: Lookup
    reading: Reading
    searching: Searching
    availability: AvailabilityCheck
    indexing: Indexing
    specifications: Specifications
    refreshing: Refreshing
    extracting: Extracting
    checkup: Checkup
