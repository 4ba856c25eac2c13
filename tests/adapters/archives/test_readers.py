"""Archives from strangers: what is read is what is there, and nothing leads out, blows up or passes for another."""

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import warnings
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.registry import tar_gz_of, tar_of, zip_of
from refdesk.adapters.archives import ArchiveLimits
from refdesk.adapters.archives.readers import open_reader
from refdesk.domain.errors import SourceRejected
from refdesk.ports.archives import ArchiveReader

WHEEL = "clip-1.0-py3-none-any.whl"
SDIST = "clip-1.0.tar.gz"
LIMITS = ArchiveLimits()


@contextmanager
def reading(content: bytes, filename: str, limits: ArchiveLimits = LIMITS) -> Iterator[ArchiveReader]:
    with open_reader(io.BytesIO(content), filename, limits) as reader:
        yield reader


def everything(content: bytes, filename: str, limits: ArchiveLimits = LIMITS) -> dict[str, bytes]:
    with reading(content, filename, limits) as reader:
        return {name: reader.read(name) for name in reader.names()}


def skipped(content: bytes, filename: str) -> dict[str, str]:
    with reading(content, filename) as reader:
        return dict(reader.skipped())


def zip_entries(*entries: tuple[zipfile.ZipInfo, bytes]) -> bytes:
    """A zip with entries as given, however odd."""
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w") as archive:
        warnings.simplefilter("ignore", UserWarning)  # names that occur twice
        for info, content in entries:
            archive.writestr(info, content)
    return buffer.getvalue()


def zip_info(name: str, mode: int = 0o100644, compression: int = zipfile.ZIP_DEFLATED) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    info.compress_type = compression
    return info


def tar_members(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for member, content in members:
            if member.isreg():
                member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def tar_info(name: str, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type = kind
    member.linkname = target
    return member


PACKED: list[tuple[str, Callable[[Mapping[str, bytes]], bytes]]] = [
    ("clip-1.0.zip", zip_of),
    ("clip-1.0.tar", tar_of),
    ("clip-1.0.tar.gz", tar_gz_of),
    ("clip-1.0.tgz", tar_gz_of),
    ("clip-1.0.tar.bz2", lambda files: bz2.compress(tar_of(files))),
    ("clip-1.0.tar.xz", lambda files: lzma.compress(tar_of(files))),
]
KINDS = pytest.mark.parametrize(("filename", "pack"), PACKED, ids=[name for name, _ in PACKED])
BOTH = pytest.mark.parametrize(("filename", "pack"), [PACKED[0], PACKED[2]], ids=["zip", "tar.gz"])
Pack = Callable[[Mapping[str, bytes]], bytes]


class TestNames:
    def test_a_wheel_is_read_as_it_is(self) -> None:
        files = {"clip/b.py": b"b", "clip/a.py": b"", "clip-1.0.dist-info/METADATA": "ü".encode()}
        content = zip_of(files)
        assert everything(content, WHEEL) == files
        with reading(content, WHEEL) as reader:
            assert reader.names() == sorted(files)

    def test_the_only_folder_of_a_wheel_stays(self) -> None:
        assert everything(zip_of({"clip/a.py": b""}), WHEEL) == {"clip/a.py": b""}

    @KINDS
    def test_the_top_folder_of_a_source_archive_is_taken_off(self, filename: str, pack: Pack) -> None:
        packed = pack({"clip-1.0/clip/a.py": b"a", "clip-1.0/PKG-INFO": b"p"})
        assert everything(packed, filename) == {"clip/a.py": b"a", "PKG-INFO": b"p"}

    @KINDS
    def test_a_top_folder_of_another_name_too_if_it_is_the_only_one(self, filename: str, pack: Pack) -> None:
        assert everything(pack({"./Clip/a.py": b"a", "./Clip/b/c.py": b"c"}), filename) == {
            "a.py": b"a",
            "b/c.py": b"c",
        }

    @BOTH
    def test_what_lies_beside_the_top_folder_is_left_out(self, filename: str, pack: Pack) -> None:
        packed = pack({"clip-1.0/a.py": b"a", "._clip-1.0": b"", "other/a.py": b"x"})
        assert everything(packed, filename) == {"a.py": b"a"}
        assert skipped(packed, filename) == {
            "._clip-1.0": "outside the archive's folder clip-1.0",
            "other/a.py": "outside the archive's folder clip-1.0",
        }

    @BOTH
    def test_without_a_top_folder_names_stay(self, filename: str, pack: Pack) -> None:
        files = {"a.py": b"a", "b/c.py": b"c", "d/c.py": b"d"}
        assert everything(pack(files), filename) == files

    @BOTH
    def test_an_empty_archive_has_no_names(self, filename: str, pack: Pack) -> None:
        assert everything(pack({}), filename) == {}

    def test_folders_are_no_files(self) -> None:
        content = zip_entries((zip_info("a/", 0o040755), b""), (zip_info("b", 0o040755), b""), (zip_info("a/x"), b"x"))
        assert everything(content, WHEEL) == {"a/x": b"x"}
        assert not skipped(content, WHEEL)
        packed = tar_members((tar_info("t", tarfile.DIRTYPE), b""), (tar_info("t/x"), b"x"))
        assert everything(packed, "clip-1.0.tar") == {"x": b"x"}

    @BOTH
    def test_names_that_differ_in_case_or_accents_alone_do_not_mask_each_other(self, filename: str, pack: Pack) -> None:
        files = {"t/A.py": b"1", "t/a.py": b"2", "t/é.py": b"3", "t/e\u0301.py": b"4", "t/ﬁ.py": b"5", "t/fi.py": b"6"}
        assert everything(pack(files), filename) == {name[2:]: content for name, content in files.items()}


ESCAPES = [
    "../x",
    "a/../../x",
    "a/..",
    "..",
    "/etc/passwd",
    "//host/share",
    "C:/x",
    "c:x",
    "..\\x",
    "\\x",
    "a\\..\\x",
    "C:\\x",
]


class TestDanger:
    @BOTH
    @pytest.mark.parametrize("name", ESCAPES)
    def test_an_archive_with_a_name_that_leads_out_is_refused(self, filename: str, pack: Pack, name: str) -> None:
        with pytest.raises(SourceRejected, match=filename) as caught:
            everything(pack({"good.py": b"", name: b""}), filename)
        assert caught.value.details["filename"] == filename

    def test_a_nul_in_a_name_hides_nothing(self) -> None:
        sound = zip_of({"clip.py_hidden": b""})
        with pytest.raises(SourceRejected, match="NUL"):
            everything(sound.replace(b"clip.py_hidden", b"clip.py\0hidden"), WHEEL)

    def test_a_nul_in_the_extended_name_of_a_tar_hides_nothing(self) -> None:
        member = tar_info("x")
        member.pax_headers = {"path": "clip.py\0hidden"}
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
            archive.addfile(member)
        with pytest.raises(SourceRejected, match="NUL"):
            everything(buffer.getvalue(), "clip-1.0.tar")

    @pytest.mark.parametrize(
        ("name", "reason"),
        [("a\\b.py", "a backslash in its name"), ("a\nb.py", "a control character in its name")],
    )
    def test_odd_but_harmless_names_are_left_out(self, name: str, reason: str) -> None:
        packed = tar_of({"t/ok.py": b"1", f"t/{name}": b"2"})
        assert list(skipped(packed, "clip-1.0.tar").values()) == [reason]
        assert everything(packed, "clip-1.0.tar") == {"ok.py": b"1"}

    def test_a_name_that_is_not_utf_8_is_left_out(self) -> None:
        packed = tar_of({"t/ok.py": b"1", "t/b\udcff.py": b"2"})
        assert everything(packed, "clip-1.0.tar") == {"ok.py": b"1"}
        assert skipped(packed, "clip-1.0.tar") == {"t/b\\udcff.py": "its name is not UTF-8"}

    def test_an_entry_without_a_name_is_left_out(self) -> None:
        assert skipped(zip_entries((zip_info("."), b""), (zip_info("a"), b"")), WHEEL) == {".": "it has no name"}

    def test_links_and_special_files_of_a_zip_are_left_out(self) -> None:
        content = zip_entries(
            (zip_info("a.py"), b"a"),
            (zip_info("link.py", 0o120777), b"/etc/passwd"),
            (zip_info("pipe", 0o010644), b""),
            (zip_info("packed.py", compression=zipfile.ZIP_BZIP2), b"p"),
            (zip_info("plain.py", 0, zipfile.ZIP_STORED), b"s"),
        )
        assert everything(content, WHEEL) == {"a.py": b"a", "plain.py": b"s"}
        assert skipped(content, WHEEL) == {
            "link.py": "a link",
            "packed.py": "compressed by method 12, which is not read",
            "pipe": "a special file",
        }

    def test_links_and_special_files_of_a_tar_are_left_out(self) -> None:
        content = tar_members(
            (tar_info("t/a.py"), b"a"),
            (tar_info("t/symbolic", tarfile.SYMTYPE, "/etc/passwd"), b""),
            (tar_info("t/hard", tarfile.LNKTYPE, "t/a.py"), b""),
            (tar_info("t/device", tarfile.CHRTYPE), b""),
            (tar_info("t/pipe", tarfile.FIFOTYPE), b""),
            (tar_info("t/sparse", tarfile.GNUTYPE_SPARSE), b""),
        )
        assert everything(content, "clip-1.0.tar") == {"a.py": b"a"}
        assert skipped(content, "clip-1.0.tar") == {
            "t/device": "a special file",
            "t/hard": "a link",
            "t/pipe": "a special file",
            "t/sparse": "a sparse file",
            "t/symbolic": "a link",
        }

    @pytest.mark.parametrize("twin", ["t/a.py", "./t/a.py", "t//a.py", "t/./a.py"])
    def test_two_different_files_of_one_name_are_refused(self, twin: str) -> None:
        with pytest.raises(SourceRejected, match="two different files"):
            everything(zip_entries((zip_info("t/a.py"), b"1"), (zip_info(twin), b"2")), WHEEL)
        with pytest.raises(SourceRejected, match="two different files"):
            everything(tar_members((tar_info("t/a.py"), b"1"), (tar_info(twin), b"2")), "clip-1.0.tar")

    def test_the_same_file_twice_is_read_once(self) -> None:
        content = zip_entries((zip_info("a.py"), b"1"), (zip_info("a.py"), b"1"))
        assert everything(content, WHEEL) == {"a.py": b"1"}
        assert skipped(content, WHEEL) == {"a.py": "the same file once more"}

    def test_an_encrypted_entry_is_refused(self) -> None:
        content = bytearray(zip_of({"a.py": b"a"}))
        place = content.rindex(b"PK\1\2") + 8
        content[place] |= 1
        with pytest.raises(SourceRejected, match="encrypted"):
            everything(bytes(content), WHEEL)

    def test_a_name_that_differs_between_directory_and_entry_is_refused(self) -> None:
        content = zip_of({"a.py": b"a"}).replace(b"a.py", b"b.py", 1)
        with pytest.raises(SourceRejected, match="damaged"):
            everything(content, WHEEL)

    @pytest.mark.parametrize("filename", ["clip-1.0.egg", "clip-1.0.tar.Z", "clip"])
    def test_another_kind_of_archive_is_refused(self, filename: str) -> None:
        with pytest.raises(SourceRejected, match="kind of archive"):
            everything(b"", filename)


class TestLimits:
    @BOTH
    def test_entries_are_counted(self, filename: str, pack: Pack) -> None:
        packed = pack({f"t/{number}": b"" for number in range(4)})
        assert len(everything(packed, filename, ArchiveLimits(entries=4))) == 4
        with pytest.raises(SourceRejected, match="more than 3 entries"):
            everything(packed, filename, ArchiveLimits(entries=3))

    @BOTH
    def test_a_large_file_is_refused_and_the_others_are_read(self, filename: str, pack: Pack) -> None:
        packed = pack({"t/small": b"1234", "t/large": b"12345"})
        with reading(packed, filename, ArchiveLimits(file_bytes=4)) as reader:
            with pytest.raises(SourceRejected, match="larger than 4 bytes"):
                reader.read("large")
            assert reader.read("small") == b"1234"

    def test_everything_that_is_read_counts_together(self) -> None:
        packed = zip_of({"a": b"12", "b": b"34"})
        with reading(packed, WHEEL, ArchiveLimits(read_bytes=5)) as reader:
            assert [reader.read(name) for name in "ab"] == [b"12", b"34"]
            with pytest.raises(SourceRejected, match="more than 5 bytes"):
                reader.read("a")

    def test_a_tar_is_cut_off_while_it_is_decompressed(self) -> None:
        with pytest.raises(SourceRejected, match="more than 10,000 bytes"):
            everything(tar_gz_of({"t/a": bytes(20_000)}), SDIST, ArchiveLimits(read_bytes=10_000))

    @BOTH
    def test_content_that_grows_out_of_proportion_is_refused(self, filename: str, pack: Pack) -> None:
        bomb = pack({"t/a": bytes(1_000_000)})
        limits = ArchiveLimits(ratio=100, ratio_from=10_000)
        with pytest.raises(SourceRejected, match="grows"):
            everything(bomb, filename, limits)
        assert len(everything(bomb, filename)["a"]) == 1_000_000

    @pytest.mark.parametrize("claimed", [0, 10, 2**31])
    def test_a_size_in_a_header_is_not_believed(self, claimed: int) -> None:
        content = bytearray(zip_of({"a": bytes(100_000)}))
        struct.pack_into("<L", content, content.rindex(b"PK\1\2") + 24, claimed)
        with pytest.raises(SourceRejected):
            everything(bytes(content), WHEEL, ArchiveLimits(ratio=50, ratio_from=1_000))

    def test_a_member_larger_than_its_tar_is_cut_off(self) -> None:
        member = tar_info("t/a")
        member.size = 5_000
        content = member.tobuf() + b"x" * 512
        with pytest.raises(SourceRejected):
            everything(gzip.compress(content), SDIST)


class TestDamage:
    @KINDS
    @pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9])
    def test_a_truncated_archive_is_refused(self, filename: str, pack: Pack, share: float) -> None:
        # Of the uncompressed tar only the first file's middle is a truncation: it ends in empty blocks.
        packed = pack({"t/a": bytes(range(256)) * 400})
        with pytest.raises(SourceRejected, match=filename):
            everything(packed[: int(len(packed) * share)], filename)

    def test_a_header_that_is_damaged_in_the_middle_is_no_end(self) -> None:
        content = bytearray(tar_of({"t/a": b"1", "t/b": b"2"}))
        content[1024 + 150] ^= 0xFF
        with pytest.raises(SourceRejected, match="damaged"):
            everything(bytes(content), "clip-1.0.tar")

    def test_a_damaged_file_names_itself(self) -> None:
        content = zip_entries((zip_info("a.py", compression=zipfile.ZIP_STORED), b"AAAA"), (zip_info("b.py"), b"b"))
        with reading(content.replace(b"AAAA", b"AAAB"), WHEEL) as reader:
            with pytest.raises(SourceRejected, match=r"a\.py"):
                reader.read("a.py")
            assert reader.read("b.py") == b"b"

    def test_a_comment_at_the_end_is_allowed(self) -> None:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("a", b"1")
            archive.comment = b"hello"
        assert everything(buffer.getvalue(), WHEEL) == {"a": b"1"}

    def test_the_large_format_is_read_and_counted(self) -> None:
        """ZIP64 (APPNOTE 4.3.14 and 4.3.15): the end record holds no numbers, the one before it does."""
        plain = zip_of({"a": b"1", "b": b"2", "c": b"3"})
        place = plain.rindex(b"PK\5\6")
        count, size, offset = struct.unpack_from("<HLL", plain, place + 10)
        record = struct.pack("<4sQHHLLQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, offset)
        locator = struct.pack("<4sLQL", b"PK\6\7", 0, place, 1)
        end = struct.pack("<4sHHHHLLH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
        packed = plain[:place] + record + locator + end
        assert everything(packed, WHEEL) == {"a": b"1", "b": b"2", "c": b"3"}
        with pytest.raises(SourceRejected, match="more than 2 entries"):
            everything(packed, WHEEL, ArchiveLimits(entries=2))

    def test_an_empty_name_in_a_zip_is_left_out(self) -> None:
        content = bytearray(zip_of({"a": b"1"}))
        for signature, length in ((b"PK\3\4", 26), (b"PK\1\2", 28)):
            place = content.index(signature) + length
            content[place : place + 2] = b"\0\0"
            content[place + 2 : place + 4] = b"\1\0"  # the letter becomes an extra field
        assert skipped(bytes(content), WHEEL) == {"": "it has no name"}


@given(name=st.text(max_size=20))
def test_no_name_ever_leads_out(name: str) -> None:
    """Whatever an entry is called: refused, left out, or a plain relative path."""
    try:
        found = everything(zip_entries((zip_info(name or "-"), b"")), WHEEL)
    except (SourceRejected, UnicodeEncodeError):  # the second: no zip can be written with such a name
        return
    for one in found:
        assert not one.startswith("/")
        assert not {"", ".", ".."} & set(one.split("/"))
        assert "\\" not in one
        assert "\0" not in one


@given(content=st.binary(max_size=200), filename=st.sampled_from([WHEEL, *(name for name, _ in PACKED)]))
def test_any_bytes_are_read_or_refused(content: bytes, filename: str) -> None:
    try:
        everything(content, filename)
    except SourceRejected:
        return


@given(place=st.integers(0, 10_000), value=st.integers(0, 255), kind=st.sampled_from(PACKED))
def test_an_archive_with_one_wrong_byte_is_read_or_refused(place: int, value: int, kind: tuple[str, Pack]) -> None:
    filename, pack = kind
    content = bytearray(pack({"t/a.py": b"abc" * 50, "t/b.py": b"xyz" * 500}))
    content[place % len(content)] = value
    try:
        everything(bytes(content), filename)
    except SourceRejected:
        return
