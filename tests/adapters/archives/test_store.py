"""The store keeps whole archives only, makes room without taking what is read, and survives killed processes."""

import errno
import json
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from fakes.registry import LoopbackRegistry, tar_gz_of, upload, write_index, zip_of
from refdesk.adapters.archives import ArchiveLimits, RegistryArchives, open_archives
from refdesk.domain.errors import Busy, NotFound, StorageFailure, StorageFull, StorageReadOnly
from refdesk.ports.archives import Archive
from refdesk.ports.progress import Step, silent

VERSIONS = ("1.0", "2.0", "3.0", "4.0")
SIZE = 5_000
# Incompressible and of one size, so that limits count in archives.
CONTENT = {version: zip_of({"a.bin": os.urandom(SIZE - 200)}) for version in VERSIONS}
PACKAGES = {"clip": [upload(f"clip-{version}-py3-none-any.whl", CONTENT[version]) for version in VERSIONS]}
LARGE = upload("large-2.0.zip", zip_of({"a.bin": os.urandom(500_000)}))
CHILD = """
import os, sys
from pathlib import Path
from refdesk.adapters.archives import open_archives
from refdesk.ports.progress import silent
archives = open_archives(Path(sys.argv[1]), os.environ)
"""


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_index(tmp_path_factory.mktemp("index"), PACKAGES | {"large": [LARGE]})


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def environment(index: str) -> dict[str, str]:
    return {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": index}


@pytest.fixture
def archives(store: Path, environment: dict[str, str]) -> RegistryArchives:
    return open_archives(store, environment)


def room_for(count: int) -> ArchiveLimits:
    return ArchiveLimits(store_bytes=count * (SIZE + 100))


def kept(archives: RegistryArchives) -> list[str]:
    return [archive.version for archive in archives.kept()]


def files(store: Path) -> list[Path]:
    """Every file but the locks."""
    return sorted(path for path in store.rglob("*") if path.is_file() and path.parent.name != "locks")


class TestEviction:
    def test_the_least_recently_used_archive_goes_first(self, store: Path, environment: dict[str, str]) -> None:
        archives = open_archives(store, environment, room_for(2))
        for version in ("1.0", "2.0", "1.0", "3.0"):
            archives.fetch("clip", version, silent)
        assert kept(archives) == ["1.0", "3.0"]
        assert len(files(store)) == 4

    def test_a_leased_archive_stays(self, store: Path, environment: dict[str, str]) -> None:
        archives = open_archives(store, environment, room_for(2))
        leased = archives.fetch("clip", "1.0", silent)
        with archives.open(leased) as reader:
            for version in ("2.0", "3.0", "4.0"):
                archives.fetch("clip", version, silent)
            assert kept(archives) == ["1.0", "4.0"]
            assert len(reader.read("a.bin")) == SIZE - 200
        archives.fetch("clip", "2.0", silent)
        assert kept(archives) == ["2.0", "4.0"]
        with pytest.raises(NotFound, match=r"clip@1\.0|no longer"), archives.open(leased):
            pass

    def test_the_newest_archive_stays_even_if_it_alone_is_too_large(
        self, store: Path, environment: dict[str, str]
    ) -> None:
        archives = open_archives(store, environment, ArchiveLimits(store_bytes=1))
        for version in ("1.0", "2.0"):
            archives.fetch("clip", version, silent)
        assert kept(archives) == ["2.0"]

    def test_one_file_under_two_names_is_kept_once(self, tmp_path: Path, store: Path) -> None:
        same = CONTENT["1.0"]
        url = write_index(tmp_path / "two", {name: [upload(f"{name}-1.0.zip", same)] for name in ("a", "b")})
        archives = open_archives(store, {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": url})
        one, two = archives.fetch("a", "1.0", silent), archives.fetch("b", "1.0", silent)
        assert one.sha256 == two.sha256
        assert len(files(store)) == 3
        assert {archive.package for archive in archives.kept()} == {"a", "b"}

    def test_a_lease_of_another_process_holds_until_it_is_killed(
        self, store: Path, environment: dict[str, str]
    ) -> None:
        archives = open_archives(store, environment, room_for(1))
        archives.fetch("clip", "1.0", silent)
        code = CHILD + (
            "with archives.open(next(archives.kept())):\n    print('leased', flush=True)\n    sys.stdin.read()\n"
        )
        with _child(code, store, environment) as process:
            assert process.stdout
            assert process.stdout.readline() == "leased\n"
            archives.fetch("clip", "2.0", silent)
            assert kept(archives) == ["1.0", "2.0"]
            process.kill()
            process.wait(timeout=30)
        archives.fetch("clip", "3.0", silent)
        assert kept(archives) == ["3.0"]


class TestSharing:
    def test_of_many_that_want_one_version_one_downloads(self, store: Path) -> None:
        with LoopbackRegistry(PACKAGES).serving() as registry:
            environment = {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": registry.url}
            found: list[Archive] = []

            def fetch() -> None:
                found.append(open_archives(store, environment).fetch("clip", "1.0", silent))

            threads = [threading.Thread(target=fetch) for _ in range(4)]
            with _children(CHILD + "print(archives.fetch('clip', '1', silent).sha256)", store, environment, 2) as more:
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join(timeout=60)
                told = [process.communicate(timeout=60)[0].strip() for process in more]
            assert len(registry.downloads()) == 1
        assert len(found) == 4
        assert {one.sha256 for one in found} | set(told) == {found[0].sha256}
        assert {path.name for path in files(store)} == {found[0].sha256, "clip==1.json"}

    def test_a_version_that_another_holds_for_too_long_is_busy(self, store: Path, environment: dict[str, str]) -> None:
        impatient = open_archives(store, environment, ArchiveLimits(wait_seconds=0))

        def ask_meanwhile(step: Step) -> None:
            if step.stage == "download":
                with pytest.raises(Busy):
                    impatient.fetch("clip", "1.0", silent)

        patient = open_archives(store, environment)
        # A lock belongs to a thread here, so the second asks from another one.
        failures: list[BaseException] = []

        def ask_in_a_thread(step: Step) -> None:
            def run() -> None:
                try:
                    ask_meanwhile(step)
                except BaseException as error:  # noqa: BLE001 - handed to the test's own thread
                    failures.append(error)

            thread = threading.Thread(target=run)
            thread.start()
            thread.join(timeout=30)

        patient.fetch("clip", "1.0", ask_in_a_thread)
        assert not failures

    def test_a_killed_download_is_cleaned_up_and_begins_anew(self, store: Path, environment: dict[str, str]) -> None:
        code = CHILD + (
            "def stop(step):\n"
            "    if step.stage == 'download':\n"
            "        print('half', flush=True)\n"
            "        sys.stdin.read()\n"
            "archives.fetch('clip', '1.0', stop)\n"
        )
        with _child(code, store, environment) as process:
            assert process.stdout
            assert process.stdout.readline() == "half\n"
            # Another start while it is alive takes nothing away.
            open_archives(store, environment)
            assert [path.parent.name for path in files(store)] == ["incoming"]
            process.send_signal(signal.SIGKILL)
            process.wait(timeout=30)
        archives = open_archives(store, environment)
        assert not files(store)
        assert archives.fetch("clip", "1.0", silent).verified

    def test_bytes_without_a_name_are_removed_when_something_is_kept(
        self, store: Path, archives: RegistryArchives
    ) -> None:
        archive = archives.fetch("clip", "1.0", silent)
        (store / "names" / "clip==1.json").unlink()
        archives.fetch("clip", "2.0", silent)
        assert not (store / archive.sha256[:2] / archive.sha256).exists()
        assert kept(archives) == ["2.0"]


class TestDamage:
    @pytest.mark.parametrize(
        "text",
        ["", "{", "[]", "{}", '{"package": "clip"}', "null"],
        ids=["empty", "broken", "a list", "no fields", "few fields", "null"],
    )
    def test_a_damaged_name_is_as_none(self, store: Path, archives: RegistryArchives, text: str) -> None:
        archive = archives.fetch("clip", "1.0", silent)
        (store / "names" / "clip==1.json").write_text(text, encoding="utf-8")
        assert not kept(archives)
        assert archives.fetch("clip", "1.0", silent) == archive

    def test_a_name_cannot_lead_out_of_the_store(self, store: Path, archives: RegistryArchives) -> None:
        archives.fetch("clip", "1.0", silent)
        name = store / "names" / "clip==1.json"
        name.write_text(json.dumps(json.loads(name.read_text(encoding="utf-8")) | {"sha256": "../../x"}))
        assert not kept(archives)

    def test_bytes_that_were_cut_are_fetched_again(self, store: Path, archives: RegistryArchives) -> None:
        archive = archives.fetch("clip", "1.0", silent)
        content = store / archive.sha256[:2] / archive.sha256
        content.write_bytes(b"short")
        with pytest.raises(NotFound), archives.open(archive):
            pass
        archives.fetch("clip", "2.0", silent)
        assert kept(archives) == ["2.0"]
        assert archives.fetch("clip", "1.0", silent) == archive
        assert content.read_bytes() == CONTENT["1.0"]


class TestFolder:
    def test_a_folder_that_may_not_be_written_still_answers(
        self, store: Path, environment: dict[str, str], archives: RegistryArchives
    ) -> None:
        archive = archives.fetch("clip", "1.0", silent)
        with _unwritable(store):
            again = open_archives(store, environment)
            assert again.fetch("clip", "1.0", silent) == archive
            with again.open(archive) as reader:
                assert reader.names() == ["a.bin"]
            with pytest.raises(StorageReadOnly, match="may not be written"):
                again.fetch("clip", "2.0", silent)
        assert kept(archives) == ["1.0"]

    def test_a_folder_that_may_not_be_read_is_told(self, store: Path, archives: RegistryArchives) -> None:
        archive = archives.fetch("clip", "1.0", silent)
        with _unwritable(store, 0o000):
            with pytest.raises(StorageFailure):
                archives.fetch("clip", "1.0", silent)
            with pytest.raises(StorageFailure), archives.open(archive):
                pass

    def test_a_kept_archive_is_read_without_loading_a_database(self) -> None:
        program = (
            "import sys, refdesk.adapters.archives; print([one for one in ('apsw', 'sqlite3') if one in sys.modules])"
        )
        # Coverage, where it follows into processes, keeps its data in a database.
        own = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
        found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=own)
        assert found.stdout.strip() == "[]"

    def test_a_file_in_place_of_the_folder_is_told(self, store: Path, environment: dict[str, str]) -> None:
        store.write_text("in the way", encoding="utf-8")
        archives = open_archives(store, environment)
        assert not kept(archives)
        with pytest.raises(StorageFailure):
            archives.fetch("clip", "1.0", silent)

    def test_a_full_disk_is_told_while_a_tar_is_decompressed(self, tmp_path: Path, store: Path) -> None:
        # More than what stays in memory.
        packed = tar_gz_of({"large-2.0/zeros": bytes(40_000_000)})
        url = write_index(tmp_path / "tar", {"large": [upload("large-2.0.tar.gz", packed)]})
        limits = ArchiveLimits(ratio=2_000)
        archives = open_archives(store, {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": url}, limits)
        archive = archives.fetch("large", "2.0", silent)
        with _largest_file(1_000), pytest.raises(StorageFull, match="temporary"), archives.open(archive):
            pass
        with archives.open(archive) as reader:
            assert len(reader.read("zeros")) == 40_000_000

    def test_a_full_disk_is_told_and_leaves_nothing(self, store: Path, archives: RegistryArchives) -> None:
        archives.fetch("clip", "1.0", silent)
        before = files(store)
        for package in ("clip", "large"):
            with _largest_file(1_000), pytest.raises(StorageFull, match="No space"):
                archives.fetch(package, "2.0", silent)
            assert files(store) == before
        assert archives.fetch("clip", "2.0", silent).version == "2.0"

    @pytest.mark.parametrize(
        ("number", "expected"),
        [
            (errno.ENOSPC, StorageFull),
            (errno.EDQUOT, StorageFull),
            (errno.EROFS, StorageReadOnly),
            (errno.EACCES, StorageReadOnly),
            (errno.EPERM, StorageReadOnly),
            (errno.EIO, StorageFailure),
        ],
        ids=errno.errorcode.get,
    )
    def test_each_error_of_the_file_system_has_its_name(
        self, archives: RegistryArchives, number: int, expected: type[StorageFailure]
    ) -> None:
        def fail(step: Step) -> None:
            if step.stage == "resolve":
                raise OSError(number, os.strerror(number))

        with pytest.raises(StorageFailure) as caught:
            archives.fetch("clip", "1.0", fail)
        assert type(caught.value) is expected


@contextmanager
def _unwritable(folder: Path, mode: int = 0o555) -> Iterator[None]:
    """A folder that this process may not write, as root too: root acts as nobody for the while."""
    every = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
    outside = [path for path in folder.parents if path.stat().st_uid == os.geteuid() and path.stat().st_mode & 0o11 < 1]
    before = {path: path.stat().st_mode & 0o7777 for path in (*every, *outside)}
    for path in outside:
        path.chmod(0o755)
    for path in reversed(every):
        path.chmod(mode)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        for path, former in before.items():
            path.chmod(former)


@contextmanager
def _largest_file(size: int) -> Iterator[None]:
    """No file may grow beyond a size: the nearest thing to a full disk that needs no disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    former = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, former)


@contextmanager
def _child(code: str, store: Path, environment: dict[str, str]) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(store)],
        env=os.environ | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def _children(
    code: str, store: Path, environment: dict[str, str], count: int
) -> Iterator[list["subprocess.Popen[str]"]]:
    with ExitStack() as stack:
        yield [stack.enter_context(_child(code, store, environment)) for _ in range(count)]
