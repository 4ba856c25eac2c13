"""What registries answer, refuse and fail to answer, told apart; what is downloaded is what was announced."""

import logging
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path

import pytest

from fakes.registry import LoopbackRegistry, Upload, tar_gz_of, upload, write_index, write_links, zip_of
from refdesk.adapters.archives import ArchiveLimits, RegistryArchives, open_archives
from refdesk.domain.errors import (
    HashMismatch,
    NetworkUnavailable,
    RefdeskError,
    SourceRejected,
    UnknownPackage,
    UnknownVersion,
)
from refdesk.ports.progress import silent

WHEEL = upload("clip-1.0-py3-none-any.whl", zip_of({"clip.py": b"x = 1\n"}))
SDIST = upload("clip-1.1.tar.gz", tar_gz_of({"clip-1.1/clip.py": b"x = 2\n"}))
PACKAGES = {"clip": [WHEEL, SDIST]}
DEAD = "http://127.0.0.1:9/simple"
_LIMITS = ArchiveLimits()


class Place:
    """Archives over an environment, with the pauses that were taken."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = folder / "store"
        self.pauses: list[float] = []

    def archives(self, limits: ArchiveLimits = _LIMITS, **variables: str) -> RegistryArchives:
        # A folder of certificates without any: reading the system's takes longer than all the rest.
        own = {"PIP_CONFIG_FILE": os.devnull, "HOME": str(self.folder), "PIP_CERT": str(self.folder)}
        environment = own | variables
        return open_archives(self.store, environment, limits, self.pauses.append)

    def leftovers(self) -> list[str]:
        """Everything in the store but its locks."""
        return [
            str(path.relative_to(self.store))
            for path in self.store.rglob("*")
            if path.is_file() and path.parent.name != "locks"
        ]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture
def registry() -> Iterator[LoopbackRegistry]:
    with LoopbackRegistry(PACKAGES).serving() as registry:
        yield registry


def own_certificate(folder: Path) -> Path:
    """A certificate for 127.0.0.1 that signs itself, with its key, in one file."""
    x509 = pytest.importorskip("cryptography.x509")
    ec = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ec")
    form = pytest.importorskip("cryptography.hazmat.primitives.serialization")
    hashes = pytest.importorskip("cryptography.hazmat.primitives.hashes")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2100, 1, 1, tzinfo=UTC))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = folder / "own.pem"
    pem.write_bytes(
        certificate.public_bytes(form.Encoding.PEM)
        + key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    )
    return pem


class TestSeveralIndexes:
    """A dead index never makes a package unknown, and never hides what another index has."""

    def test_a_package_of_the_extra_index_is_found_while_the_main_one_is_dead(self, place: Place) -> None:
        archives = place.archives(PIP_INDEX_URL=DEAD, PIP_EXTRA_INDEX_URL=write_index(place.folder / "index", PACKAGES))
        assert archives.fetch("clip", "1.0", silent).filename == WHEEL.filename
        assert [one.version for one in archives.versions("clip")] == ["1.0", "1.1"]

    @pytest.mark.parametrize(("package", "version"), [("clip", "9"), ("other", "1"), ("other", "latest")])
    def test_what_it_lacks_may_be_in_the_dead_one(self, place: Place, package: str, version: str) -> None:
        archives = place.archives(PIP_INDEX_URL=DEAD, PIP_EXTRA_INDEX_URL=write_index(place.folder / "index", PACKAGES))
        with pytest.raises(NetworkUnavailable, match="could not be found out") as caught:
            archives.fetch(package, version, silent)
        assert "127.0.0.1:9" in caught.value.message

    def test_a_word_that_is_no_version_is_unknown_whatever_the_dead_one_has(self, place: Place) -> None:
        archives = place.archives(PIP_INDEX_URL=DEAD, PIP_EXTRA_INDEX_URL=write_index(place.folder / "index", PACKAGES))
        with pytest.raises(UnknownVersion):
            archives.fetch("clip", "latest", silent)

    def test_versions_of_all_indexes_and_folders_are_joined(self, place: Place, registry: LoopbackRegistry) -> None:
        more = {"clip": [replace(WHEEL, content=b"another"), upload("clip-1.2.zip", zip_of({"clip-1.2/a": b""}))]}
        archives = place.archives(
            PIP_INDEX_URL=registry.url,
            PIP_EXTRA_INDEX_URL=write_index(place.folder / "index", {"clip": [upload("clip-3.tar.gz", b"")]}),
            PIP_FIND_LINKS=write_links(place.folder / "links", more),
        )
        assert [one.version for one in archives.versions("clip")] == ["1.0", "1.1", "1.2", "3"]
        # A file that several offer comes from the first.
        assert archives.fetch("clip", "1.0", silent).verified

    def test_missing_folders_are_ignored(self, place: Place, registry: LoopbackRegistry) -> None:
        missing = place.folder / "missing"
        archives = place.archives(
            PIP_INDEX_URL=registry.url, PIP_EXTRA_INDEX_URL=missing.as_uri(), PIP_FIND_LINKS=str(missing)
        )
        assert archives.versions("clip")
        with pytest.raises(UnknownPackage):
            archives.versions("other")

    def test_nothing_but_missing_folders_is_no_answer(self, place: Place) -> None:
        archives = place.archives(PIP_NO_INDEX="1", PIP_FIND_LINKS=str(place.folder / "missing"))
        with pytest.raises(NetworkUnavailable, match="no index"):
            archives.versions("clip")

    def test_an_index_may_be_a_path(self, place: Place) -> None:
        write_index(place.folder / "index", PACKAGES)
        assert place.archives(PIP_INDEX_URL=str(place.folder / "index")).versions("clip")

    def test_find_links_may_be_a_page(self, place: Place, registry: LoopbackRegistry) -> None:
        archives = place.archives(PIP_NO_INDEX="1", PIP_FIND_LINKS=f"{registry.url}/clip/")
        assert archives.versions("clip")


class TestRefusals:
    @pytest.mark.parametrize("status", [500, 502, 503, 504, 429])
    def test_a_passing_failure_is_tried_three_times(
        self, place: Place, registry: LoopbackRegistry, status: int
    ) -> None:
        archives = place.archives(PIP_INDEX_URL=registry.url)
        registry.refusals = [status] * 2
        assert archives.versions("clip")
        assert place.pauses == [0.5, 1.0]
        registry.refusals = [status] * 9
        with pytest.raises(NetworkUnavailable, match=str(status)) as caught:
            archives.versions("clip")
        assert caught.value.retryable
        assert len(registry.refusals) == 6

    def test_the_number_of_retries_is_pips(self, place: Place, registry: LoopbackRegistry) -> None:
        registry.refusals = [503]
        with pytest.raises(NetworkUnavailable):
            place.archives(PIP_INDEX_URL=registry.url, PIP_RETRIES="0").versions("clip")
        assert not place.pauses

    @pytest.mark.parametrize("status", [401, 403, 407])
    def test_refused_access_names_the_credentials(self, place: Place, registry: LoopbackRegistry, status: int) -> None:
        registry.refusals = [status] * 9
        with pytest.raises(NetworkUnavailable, match="credentials"):
            place.archives(PIP_INDEX_URL=registry.url).versions("clip")
        assert not place.pauses

    @pytest.mark.parametrize("status", [400, 418])
    def test_other_refusals_are_no_answer_either(self, place: Place, registry: LoopbackRegistry, status: int) -> None:
        registry.refusals = [status]
        with pytest.raises(NetworkUnavailable, match=str(status)):
            place.archives(PIP_INDEX_URL=registry.url).versions("other")

    def test_a_listing_that_says_that_it_is_empty_is_an_answer(self, place: Place, registry: LoopbackRegistry) -> None:
        registry.raw = ("text/html", b'<meta name="pypi:repository-version" content="1.0">')
        with pytest.raises(UnknownPackage):
            place.archives(PIP_INDEX_URL=registry.url).versions("clip")

    @pytest.mark.parametrize("status", [404, 410])
    def test_gone_is_an_answer(self, place: Place, registry: LoopbackRegistry, status: int) -> None:
        registry.refusals = [status]
        with pytest.raises(UnknownPackage):
            place.archives(PIP_INDEX_URL=registry.url).versions("clip")

    @pytest.mark.parametrize(
        ("kind", "body"),
        [
            ("application/octet-stream", b"what?"),
            ("application/vnd.pypi.simple.v1+json", b"{broken"),
            ("application/vnd.pypi.simple.v1+json", b"[]"),
            ("application/vnd.pypi.simple.v1+json", b'{"files": ["clip-1.0.zip"]}'),
            ("application/vnd.pypi.simple.v1+json", b'{"files": [{"url": 5}]}'),
            ("text/html; charset=utf-8", b"<a \xff\xfe"),
            ("text/html", b"<html><form>Who are you?</form></html>"),
        ],
        ids=[
            "another type",
            "broken JSON",
            "a JSON list",
            "no file objects",
            "wrong values",
            "no text",
            "a log-in page",
        ],
    )
    def test_an_answer_that_is_no_listing_is_no_answer(
        self, place: Place, registry: LoopbackRegistry, kind: str, body: bytes
    ) -> None:
        registry.raw = (kind, body)
        with pytest.raises(NetworkUnavailable):
            place.archives(PIP_INDEX_URL=registry.url).versions("clip")

    def test_a_listing_that_moved_is_followed(self, place: Place, registry: LoopbackRegistry) -> None:
        registry.moved = True
        assert place.archives(PIP_INDEX_URL=registry.url).versions("clip")

    def test_an_index_that_does_not_answer_in_time_is_unavailable(self, place: Place) -> None:
        with closing(socket.create_server(("127.0.0.1", 0))) as silent_server:
            url = f"http://127.0.0.1:{silent_server.getsockname()[1]}/simple"
            with pytest.raises(NetworkUnavailable, match="in time"):
                place.archives(PIP_INDEX_URL=url, PIP_TIMEOUT="0.05", PIP_RETRIES="0").versions("clip")

    def test_an_index_without_https_must_be_trusted(self, place: Place) -> None:
        with pytest.raises(NetworkUnavailable, match="trusted-host"):
            place.archives(PIP_INDEX_URL="http://index.example/simple").versions("clip")

    @pytest.mark.parametrize("url", ["http://127.0.0.1:notaport/simple", "gopher://127.0.0.1/simple", "https://[/x"])
    def test_an_address_that_cannot_be_asked_is_unavailable(self, place: Place, url: str) -> None:
        with pytest.raises(NetworkUnavailable):
            place.archives(PIP_INDEX_URL=url).versions("clip")

    def test_a_dead_proxy_is_unavailable(self, place: Place, registry: LoopbackRegistry) -> None:
        with pytest.raises(NetworkUnavailable):
            place.archives(PIP_INDEX_URL=registry.url, PIP_PROXY="127.0.0.1:9").versions("clip")

    def test_a_proxy_that_refuses_is_told(self, place: Place, registry: LoopbackRegistry) -> None:
        with pytest.raises(NetworkUnavailable, match="proxy"):
            place.archives(PIP_INDEX_URL="https://index.example/simple", PIP_PROXY=registry.url).versions("clip")

    @pytest.mark.parametrize("name", ["PIP_CERT", "PIP_CLIENT_CERT"])
    def test_a_certificate_that_cannot_be_read_is_named(self, place: Place, name: str) -> None:
        variables = {"PIP_INDEX_URL": DEAD, name: str(place.folder / "missing.pem")}
        with pytest.raises(NetworkUnavailable, match=r"missing\.pem"):
            place.archives(_LIMITS, **variables).versions("clip")

    def test_a_folder_of_certificates_is_taken(self, place: Place, registry: LoopbackRegistry) -> None:
        assert place.archives(PIP_INDEX_URL=registry.url, PIP_CERT=str(place.folder)).versions("clip")

    def test_a_server_that_speaks_no_tls_is_unavailable_at_once(self, place: Place, registry: LoopbackRegistry) -> None:
        with pytest.raises(NetworkUnavailable, match="certificate"):
            place.archives(PIP_INDEX_URL=registry.url.replace("http:", "https:")).versions("clip")
        assert not place.pauses

    def test_a_certificate_counts_only_if_the_settings_trust_it(self, place: Place) -> None:
        pem = own_certificate(place.folder)
        with LoopbackRegistry(PACKAGES).serving(pem) as registry:
            with pytest.raises(NetworkUnavailable, match="certificate was not accepted"):
                place.archives(PIP_INDEX_URL=registry.url).versions("clip")
            assert not place.pauses
            for variables in ({"PIP_CERT": str(pem)}, {"PIP_TRUSTED_HOST": "127.0.0.1"}):
                assert place.archives(_LIMITS, PIP_INDEX_URL=registry.url, **variables).versions("clip")


class TestCredentials:
    SECRET = "s3cr3t-t0ken"

    def with_user(self, url: str, user: str) -> str:
        return url.replace("http://", f"http://{user}@")

    @pytest.mark.parametrize("user", ["ann:" + SECRET, SECRET], ids=["user and password", "a token alone"])
    def test_they_are_sent_and_never_told(
        self, place: Place, registry: LoopbackRegistry, user: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        registry.credentials = user if ":" in user else f"{user}:"
        archives = place.archives(PIP_INDEX_URL=self.with_user(registry.url, user))
        with caplog.at_level(logging.DEBUG):
            archive = archives.fetch("clip", "1.0", silent)
            assert archives.versions("clip")
        assert self.SECRET not in caplog.text
        assert self.SECRET not in repr(archive)
        for path in place.store.rglob("*"):
            assert not path.is_file() or self.SECRET.encode() not in path.read_bytes()

    def test_a_token_in_the_path_is_not_logged(
        self, place: Place, registry: LoopbackRegistry, caplog: pytest.LogCaptureFixture
    ) -> None:
        archives = place.archives(PIP_INDEX_URL=registry.url.replace("/simple", f"/{self.SECRET}/simple"))
        with caplog.at_level(logging.DEBUG):
            assert archives.versions("clip")
            archives.fetch("clip", "1.0", silent)
            with pytest.raises(UnknownPackage):
                archives.versions("other")
        assert self.SECRET not in caplog.text

    def failing(self, action: Callable[[], object], caplog: pytest.LogCaptureFixture) -> RefdeskError:
        with caplog.at_level(logging.DEBUG), pytest.raises(NetworkUnavailable) as caught:
            action()
        return caught.value

    def test_wrong_ones_are_never_told(
        self, place: Place, registry: LoopbackRegistry, caplog: pytest.LogCaptureFixture
    ) -> None:
        registry.credentials = "somebody:else"
        archives = place.archives(PIP_INDEX_URL=self.with_user(registry.url, f"ann:{self.SECRET}"))
        error = self.failing(lambda: archives.versions("clip"), caplog)
        assert self.SECRET not in str(error.payload()) + caplog.text + repr(error.__cause__)

    @pytest.mark.parametrize(
        "url",
        [f"http://ann:{SECRET}@127.0.0.1:9/simple", f"http://127.0.0.1:9/{SECRET}/simple", f"http://{SECRET}@[bad/s"],
        ids=["in the host", "in the path", "in a broken address"],
    )
    def test_an_index_that_cannot_be_asked_does_not_tell_them(
        self, place: Place, url: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        error = self.failing(lambda: place.archives(PIP_INDEX_URL=url).versions("clip"), caplog)
        assert self.SECRET not in str(error.payload()) + repr(error.__cause__)


class TestDownload:
    def test_other_bytes_than_announced_are_refused_and_deleted(self, place: Place) -> None:
        forged = replace(WHEEL, content=WHEEL.content + b"\0")
        with LoopbackRegistry({"clip": [forged]}).serving() as registry:
            archives = place.archives(PIP_INDEX_URL=registry.url)
            with pytest.raises(HashMismatch) as caught:
                archives.fetch("clip", "1.0", silent)
        assert caught.value.details["announced"] == WHEEL.announced
        assert not place.leftovers()
        assert not list(archives.kept())

    def test_a_weak_hash_is_compared_but_proves_nothing(self, place: Place) -> None:
        folder = place.folder / "index"
        url = write_index(folder, {"clip": [WHEEL]})
        page = folder / "clip" / "index.html"
        page.write_text(f'<a href="{WHEEL.filename}#md5=00">x</a>', encoding="utf-8")
        with pytest.raises(HashMismatch):
            place.archives(PIP_INDEX_URL=url).fetch("clip", "1.0", silent)
        page.write_text(f'<a href="{WHEEL.filename}">x</a>', encoding="utf-8")
        assert not place.archives(PIP_INDEX_URL=url).fetch("clip", "1.0", silent).verified

    def test_a_download_that_breaks_off_begins_anew(self, place: Place, registry: LoopbackRegistry) -> None:
        registry.cut = 10
        archives = place.archives(PIP_INDEX_URL=registry.url)
        with pytest.raises(NetworkUnavailable):
            archives.fetch("clip", "1.0", silent)
        assert registry.downloads() == [WHEEL.filename] * 3
        assert not place.leftovers()
        registry.cut = None
        assert archives.fetch("clip", "1.0", silent).verified

    @pytest.mark.parametrize("form", ["json", "html"])
    def test_a_file_over_the_limit_is_refused(self, place: Place, form: str) -> None:
        with LoopbackRegistry(PACKAGES, form).serving() as registry:  # type: ignore[arg-type]  # both forms
            archives = place.archives(ArchiveLimits(download_bytes=20), PIP_INDEX_URL=registry.url)
            with pytest.raises(SourceRejected, match="20 bytes"):
                archives.fetch("clip", "1.0", silent)
            # With JSON the size is known before: nothing is asked for.
            assert registry.downloads() == ([] if form == "json" else [WHEEL.filename])
        assert not place.leftovers()

    @pytest.mark.parametrize(("status", "reason"), [(404, "does not have it"), (403, "credentials"), (500, "500")])
    def test_a_file_that_is_refused_is_unavailable(
        self, place: Place, registry: LoopbackRegistry, status: int, reason: str
    ) -> None:
        archives = place.archives(PIP_INDEX_URL=registry.url)
        registry.file_status = status
        with pytest.raises(NetworkUnavailable, match=reason):
            archives.fetch("clip", "1.0", silent)

    def test_a_remote_page_may_not_point_to_files_of_this_machine(
        self, place: Place, registry: LoopbackRegistry
    ) -> None:
        local = place.folder / WHEEL.filename
        local.write_bytes(WHEEL.content)
        registry.raw = ("text/html", f'<a href="{local.as_uri()}">x</a>'.encode())
        with pytest.raises(UnknownPackage):
            place.archives(PIP_INDEX_URL=registry.url).fetch("clip", "1.0", silent)

    def test_files_of_other_packages_and_formats_do_not_count(self, place: Place) -> None:
        others = [Upload(name, b"") for name in ("clip-1.0-py3.11.egg", "clipper-1.0.tar.gz", "clip-1.0.exe", "clip")]
        with LoopbackRegistry({"clip": [*others, SDIST]}).serving() as registry:
            archives = place.archives(PIP_INDEX_URL=registry.url)
            assert [one.version for one in archives.versions("clip")] == ["1.1"]
            with pytest.raises(UnknownVersion):
                archives.fetch("clip", "1.0", silent)

    def test_a_listed_folder_is_no_file(self, place: Place) -> None:
        folder = place.folder / "index"
        url = write_index(folder, {"clip": []})
        (folder / "clip" / "clip-1.0.tar.gz").mkdir()
        (folder / "clip" / "index.html").write_text('<a href="clip-1.0.tar.gz">x</a>', encoding="utf-8")
        with pytest.raises(NetworkUnavailable, match="could not be read"):
            place.archives(PIP_INDEX_URL=url).fetch("clip", "1.0", silent)
