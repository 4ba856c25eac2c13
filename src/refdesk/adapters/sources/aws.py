"""AWS services, from the service models inside botocore."""

import re
from collections.abc import Iterable, Mapping, Sequence

from refdesk.adapters.sources.registry import choose_version, newest_of, registry_date, requirement_of
from refdesk.adapters.sources.two_axis import Api, TwoAxisSource
from refdesk.domain.libraries import normal_package
from refdesk.domain.releases import Carrier, Updated
from refdesk.domain.versions import newest_stable
from refdesk.ports.archives import Archive, ArchiveReader
from refdesk.ports.progress import Progress

_MODEL = re.compile(
    r"botocore/data/(?P<service>[^/]+)/(?P<version>\d{4}-\d{2}-\d{2}[^/]*)/(?P<file>[^/]+\.json(?:\.gz)?)\Z"
)
_SERVICE = re.compile(r"service-\d+\.json(?:\.gz)?\Z")


class AwsSource(TwoAxisSource):
    """Reads `botocore/data/<service>/<api-version>/`: the model, its extras, paginators, waiters and examples.

    Endpoint rule sets are left out: they say where a request goes, not what may be asked.
    """

    ecosystem = "aws"
    package = "botocore"
    format = "aws"

    def apis(self, names: Sequence[str]) -> Iterable[Api]:
        """Every folder that holds a service model."""
        folders: dict[tuple[str, str], list[str]] = {}
        for name in names:
            match = _MODEL.match(name)
            if match and not match["file"].startswith("endpoint-"):
                folders.setdefault((match["service"], match["version"]), []).append(name)
        for (service, version), files in folders.items():
            if any(_SERVICE.match(one.rpartition("/")[2]) for one in files):
                yield Api(service, version, tuple(sorted(files)))

    def newest(self, apis: Sequence[Api]) -> Sequence[Api]:
        """The newest date."""
        newest = newest_stable(one.version for one in apis)
        return [one for one in apis if one.version == newest]

    def identify(self, api: Api, reader: ArchiveReader) -> str:
        """The folder's date: botocore itself finds a version by it."""
        del reader
        return api.version

    def updated(self, files: Mapping[str, bytes], archive: Archive) -> Updated:
        """When the carrier was uploaded; models state no date of their last change."""
        del files
        return registry_date(archive.uploaded, self._clock)

    def carrier_via(self, via: Carrier, progress: Progress) -> str:
        """Also accepts boto3: the newest botocore that this boto3 allows."""
        if normal_package(via.package) != "boto3":
            return super().carrier_via(via, progress)
        version = choose_version(self._archives, "boto3", via.version)
        archive = self._archives.fetch("boto3", version, progress)
        with self._archives.open(archive) as reader:
            allowed = requirement_of(reader, self.package)
        return newest_of(self.package, self._archives.versions(self.package), allowed)
