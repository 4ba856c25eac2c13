"""Files of an archive as they came."""

from dataclasses import replace

import pytest

from fakes.index import Index, depot, entries
from refdesk.domain.errors import HashMismatch, NetworkUnavailable, NotFound, VersionNotIndexed
from refdesk.ports.progress import silent
from refdesk.services.specifications import Specifications

FILES = {"botocore/data/depot/service-2.json": b'{"depot": 1}', "botocore/data/depot/waiters-2.json": b"{}"}


def made(content: dict[str, bytes] | None = None) -> tuple[Index, Specifications]:
    index = Index()
    index.archives.publish("botocore", "1.34.0", FILES)
    archive = index.archives.fetch("botocore", "1.34.0", silent)
    published = index.add("aws:depot@2020-01-01+1.34.0", depot(), files=sorted(FILES))
    index.catalog.publish(replace(published, origin=replace(published.origin, sha256=archive.sha256)), {})
    if content is not None:
        index.archives.evict(archive)
        index.archives.publish("botocore", "1.34.0", content)
    return index, Specifications(index.shelf, index.archives)


def test_a_file_is_given_byte_for_byte() -> None:
    _, specifications = made()
    path = "botocore/data/depot/service-2.json"
    found = specifications.read("aws:depot", "1.34.0", path, silent)
    assert (found.path, found.data) == (path, FILES[path])
    assert found.chosen.requested == "1.34.0"


def test_a_file_that_the_release_was_not_made_from_names_similar_ones() -> None:
    _, specifications = made()
    with pytest.raises(NotFound) as caught:
        specifications.read("aws:depot", "", "botocore/data/depot/service.json", silent)
    assert caught.value.details["similar"] == sorted(FILES)


def test_a_folder_has_no_archive_to_read_from() -> None:
    index, specifications = made()
    published = index.add("site:book@1", entries(), files=["a.md"])
    index.catalog.publish(replace(published, origin=replace(published.origin, filename="")), {})
    with pytest.raises(NotFound):
        specifications.read("site:book", "", "a.md", silent)


def test_an_archive_that_is_another_one_by_now_is_not_served_as_the_source() -> None:
    _, specifications = made({"botocore/data/depot/service-2.json": b"other"})
    with pytest.raises(HashMismatch):
        specifications.read("aws:depot", "", "botocore/data/depot/service-2.json", silent)


def test_without_network_a_kept_archive_is_read_and_a_lost_one_is_no_missing_file() -> None:
    index, specifications = made()
    index.archives.offline = True
    path = "botocore/data/depot/service-2.json"
    assert specifications.read("aws:depot", "", path, silent).data
    index.archives.evict(next(index.archives.kept()))
    with pytest.raises(NetworkUnavailable):
        specifications.read("aws:depot", "", path, silent)
    with pytest.raises(VersionNotIndexed):
        specifications.read("aws:depot", "9.9.9", path, silent)
