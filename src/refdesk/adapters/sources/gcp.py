"""Google APIs, from the discovery documents inside google-api-python-client."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

import orjson

from refdesk.adapters.sources.registry import registry_date
from refdesk.adapters.sources.two_axis import Api, TwoAxisSource
from refdesk.domain.releases import Updated
from refdesk.domain.versions import newest_stable
from refdesk.ports.archives import Archive, ArchiveReader

_DOCUMENT = re.compile(r"googleapiclient/discovery_cache/documents/(?P<api>[^/.]+)\.(?P<version>[^/]+)\.json\Z")
_FAMILY = re.compile(r"(?P<family>[a-z_]*?)_?(?P<version>v\d.*)\Z")


class GcpSource(TwoAxisSource):
    """Reads `googleapiclient/discovery_cache/documents/<api>.<version>.json`.

    Some APIs are families (`admin`: `directory_v1`, `reports_v1` …) whose members are different products, not older
    and newer ones; a spec without a version then means the newest of each member.
    """

    ecosystem = "gcp"
    package = "google-api-python-client"
    format = "discovery"

    def apis(self, names: Sequence[str]) -> Iterable[Api]:
        """Every discovery document.

        Old file names without underscores (`admin.directoryv1.json`) lie beside the current ones, which alone the
        client reads.
        """
        found: dict[tuple[str, str], Api] = {}
        for name in sorted(names, key=len):
            match = _DOCUMENT.match(name)
            if match:
                key = (match["api"].lower(), match["version"].replace("_", ""))
                found[key] = Api(match["api"], match["version"], (name,))
        return found.values()

    def newest(self, apis: Sequence[Api]) -> Sequence[Api]:
        """Stable before alpha, beta and preview, then the newest; of each member of a family."""
        families: dict[str, dict[str, Api]] = {}
        for api in apis:
            match = _FAMILY.match(api.version)
            family, version = match.group("family", "version") if match else ("", api.version)
            families.setdefault(family, {})[version] = api
        return [versions[newest_stable(versions) or ""] for _, versions in sorted(families.items())]

    def identify(self, api: Api, reader: ArchiveReader) -> str:
        """The document's own `version`; that of the file name if the document cannot be read."""
        return _text(_top(reader.read(api.files[0])), "version") or api.version

    def updated(self, files: Mapping[str, bytes], archive: Archive) -> Updated:
        """The document's own revision (`20260115`), else when the carrier was uploaded."""
        revision = next((_text(_top(content), "revision") for content in files.values()), "")
        if re.fullmatch(r"\d{8}", revision):
            try:
                return Updated(datetime.strptime(revision, "%Y%m%d").replace(tzinfo=UTC), "revision")
            except ValueError:
                pass  # eight digits that are no date
        return registry_date(archive.uploaded, self._clock)


def _top(document: bytes) -> Mapping[str, object]:
    """The document's keys; none of a broken one, which ingesting rejects with the place where it breaks."""
    try:
        found = orjson.loads(document)
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _text(document: Mapping[str, object], key: str) -> str:
    value = document.get(key)
    return value.strip() if isinstance(value, str) else ""
