"""Packs as files: their names, their bytes, and what damage does to them."""

import hashlib
import random
import string
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import apsw
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contracts.packs_contract import ENTRIES, PUT, RELEASE, manifest_of
from fakes.packs import MemoryPack, MemoryPacks
from refdesk.adapters.packs.folder import FolderPacks
from refdesk.adapters.packs.format import release_in, stem_of
from refdesk.domain.entries import Chunk, Entries, Page, Relation
from refdesk.domain.errors import InternalError, PackUnreadable, SourceRejected
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Release
from refdesk.domain.symbols import Symbol
from refdesk.ports.packs import PACK_FORMAT, Pack, Vectors
from refdesk.ports.progress import silent


@pytest.fixture
def packs(tmp_path: Path) -> FolderPacks:
    return FolderPacks(tmp_path / "packs", tmp_path / "locks")


@pytest.fixture
def path(packs: FolderPacks, tmp_path: Path) -> Path:
    return tmp_path / "packs" / packs.write(manifest_of(), ENTRIES, silent)


def large_entries(count: int = 400) -> Entries:
    """Enough for many blocks of each kind."""
    words = random.Random(5)

    def text(length: int) -> str:
        return " ".join("".join(words.choices(string.ascii_lowercase, k=words.randint(2, 9))) for _ in range(length))

    symbols = [
        Symbol(
            f"module{number % 7}.Class{number}.do", "method", (f"module{number % 7}.Class{number}.do",), doc=text(60)
        )
        for number in range(count)
    ]
    return Entries(
        symbols=symbols,
        pages=[Page(f"page{number}.md", f"Page {number}", text(500), "concept") for number in range(20)],
        chunks=[
            Chunk(f"api/{one.name}", one.name, one.doc, "api_reference", names=(one.name,), symbol=one.name)
            for one in symbols
        ],
        relations=[Relation("page1.md", "mentions", one.name) for one in symbols],
    )


def read_everything(pack: Pack) -> object:
    names = pack.entries.names()
    return (
        pack.manifest,
        list(pack.problems()),
        list(pack.relations()),
        list(pack.fidelity()),
        names,
        [pack.entries.find(name) for name in names],
        pack.entries.summaries("", "", 10_000),
        [pack.entries.symbol(one.name) for one in pack.entries.summaries("", "", 10_000)],
        [pack.entries.shape(name) for name in ("PutThingRequest", "DrawerName", "zzz")],
        [pack.entries.page(page.path) for page in pack.entries.pages()],
        pack.text.chunks(range(len(pack.text.lengths().prose))),
        [pack.text.rows_of_symbol(name) for name in names],
        sorted(pack.text.postings([word for name in names for word in name.lower().split(".")])),
    )


def test_the_same_input_gives_the_same_bytes_and_the_name_tells_their_hash(path: Path, tmp_path: Path) -> None:
    twin = FolderPacks(tmp_path / "twin", tmp_path / "locks")
    shuffled = replace(ENTRIES, symbols=ENTRIES.symbols[::-1], chunks=ENTRIES.chunks[::-1], pages=ENTRIES.pages[::-1])
    other = tmp_path / "twin" / twin.write(manifest_of(), shuffled, silent)
    assert other.name == path.name
    assert other.read_bytes() == path.read_bytes()
    assert hashlib.sha256(path.read_bytes()).hexdigest()[:16] == path.stem[-16:]


def test_nothing_but_the_pack_is_left_in_the_folder(path: Path) -> None:
    assert list(path.parent.iterdir()) == [path]


def test_any_sqlite_can_look_into_a_pack(path: Path) -> None:
    connection = apsw.Connection(str(path), apsw.SQLITE_OPEN_READONLY)
    assert connection.pragma("integrity_check") == "ok"
    assert connection.pragma("user_version") == PACK_FORMAT
    connection.close()


def test_entries_of_many_blocks_are_all_found(packs: FolderPacks) -> None:
    entries = large_entries()
    memory = MemoryPacks()
    pack = packs.open(packs.write(manifest_of(), entries, silent))
    assert read_everything(pack) == read_everything(memory.open(memory.write(manifest_of(), entries)))
    assert [one.name for one in pack.entries.summaries("MODULE3", "module3.Class3.do", 3)] == [
        "module3.Class304.do",
        "module3.Class31.do",
        "module3.Class311.do",
    ]
    with pytest.raises(IndexError):
        pack.text.chunks([400])


def test_text_that_is_the_doc_of_its_symbol_is_stored_once(packs: FolderPacks, tmp_path: Path) -> None:
    entries = large_entries()
    other = replace(entries, chunks=[replace(one, text=one.text + ".") for one in entries.chunks])
    sizes = [(tmp_path / "packs" / packs.write(manifest_of(), one, silent)).stat().st_size for one in (entries, other)]
    assert sizes[0] < 0.8 * sizes[1]


def test_few_blocks_are_kept_in_memory_and_the_answers_stay_the_same(packs: FolderPacks, tmp_path: Path) -> None:
    name = packs.write(manifest_of(), large_entries(), silent)
    small = FolderPacks(tmp_path / "packs", tmp_path / "locks", cache_bytes=1, open_packs=1)
    assert read_everything(small.open(name)) == read_everything(packs.open(name))
    first = small.open(name)
    small.open(packs.write(manifest_of(replace(RELEASE, version="2")), ENTRIES, silent))
    assert small.open(name) is not first


@pytest.mark.parametrize(
    ("entries", "what"),
    [
        pytest.param(replace(ENTRIES, symbols=(PUT, PUT)), "PutThing", id="symbols"),
        pytest.param(replace(ENTRIES, chunks=[*ENTRIES.chunks, *ENTRIES.chunks]), "api/PutThing", id="chunks"),
        pytest.param(replace(ENTRIES, pages=[*ENTRIES.pages, *ENTRIES.pages]), "README.md", id="pages"),
        pytest.param(replace(ENTRIES, fidelity=[*ENTRIES.fidelity] * 2), "README.md", id="receipts"),
    ],
)
def test_two_entries_of_one_name_are_a_defect_and_leave_nothing(
    packs: FolderPacks, tmp_path: Path, entries: Entries, what: str
) -> None:
    with pytest.raises(InternalError, match=what):
        packs.write(manifest_of(), entries, silent)
    assert list((tmp_path / "packs").iterdir()) == []


@pytest.mark.parametrize(
    ("release", "entries"),
    [
        pytest.param(RELEASE, Entries(chunks=[Chunk("a", "a", "half \ud800", "concept")]), id="text"),
        pytest.param(RELEASE, Entries(pages=[Page("\ud800", "a", "", "concept")]), id="key"),
        pytest.param(replace(RELEASE, version="\udc80" * 200), Entries(), id="version"),
    ],
)
def test_half_a_surrogate_pair_is_refused_and_leaves_nothing(
    packs: FolderPacks, tmp_path: Path, release: Release, entries: Entries
) -> None:
    with packs.building(release.key), pytest.raises(SourceRejected):
        packs.write(manifest_of(release), entries, silent)
    assert list((tmp_path / "packs").iterdir()) == []


def test_an_interrupted_write_leaves_nothing(packs: FolderPacks, tmp_path: Path) -> None:
    def interrupt(_step: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        packs.write(manifest_of(), ENTRIES, interrupt)
    assert list((tmp_path / "packs").iterdir()) == []


@pytest.mark.parametrize(
    ("key", "stem"),
    [
        ("aws:s3@2006-03-01+1.34.162", "aws-s3@2006-03-01+1.34.162"),
        ("pypi:httpx@0.27.2", "pypi-httpx@0.27.2"),
        ("pypi:a-b@1!2.0", "pypi-a-b@1!2.0"),
        ("site:book@a/../b c", "site-book@a%2F..%2Fb%20c"),
        ("site:book@上", "site-book@%E4%B8%8A"),
        ("site:book@C:\\x", "site-book@C%3A%5Cx"),
    ],
)
def test_release_keys_become_file_names_and_can_be_read_back(key: str, stem: str) -> None:
    assert stem_of(key) == stem
    assert release_in(f"{stem}-0123456789abcdef.pack") == key


@given(st.lists(st.text(max_size=200), min_size=2, max_size=2, unique=True))
def test_different_versions_have_different_stems(versions: list[str]) -> None:
    stems = {stem_of(f"site:book@{version.encode('utf-8', 'replace').decode()}") for version in versions}
    assert len(stems) == len({version.encode("utf-8", "replace") for version in versions})
    assert all(len(one) < 200 and not set(one) & set('/\\:*?"<>|\0') for one in stems)


def test_a_release_with_an_odd_version_can_be_written_and_cleaned(packs: FolderPacks) -> None:
    release = Release(Library("site", "book"), "../a.pack/x.vectors~" + "ß" * 100)
    name = packs.write(manifest_of(release), ENTRIES, silent)
    packs.write_vectors(name, "e", Vectors(np.zeros((4, 2), np.int8), np.zeros(4, np.float32)))
    assert packs.open(name).manifest.release == release
    assert packs.clean([name]) == []
    assert packs.clean([]) == [name]


_PUBLIC = st.lists(st.sampled_from(["Put", "put", "get_it", "GetIt", "A", "_", "b"]), min_size=1, max_size=3).map(
    ".".join
)
_SYMBOLS = st.lists(
    st.builds(
        lambda name, names: Symbol(name, "function", tuple(dict.fromkeys((name, *names)))),
        _PUBLIC,
        st.lists(_PUBLIC, max_size=2),
    ),
    max_size=6,
    unique_by=lambda one: one.name,
)
_CHUNKS = st.lists(
    st.builds(
        Chunk,
        id=st.text(st.characters(codec="utf-8"), max_size=4),
        title=_PUBLIC,
        text=st.text(st.characters(codec="utf-8"), max_size=20),
        content_type=st.just("concept"),
        symbol=_PUBLIC,
        terms=_PUBLIC,
    ),
    max_size=4,
    unique_by=lambda one: one.id,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(symbols=_SYMBOLS, chunks=_CHUNKS, asked=st.lists(_PUBLIC | st.text(max_size=5), max_size=5))
def test_a_file_answers_like_the_same_entries_in_memory(
    packs: FolderPacks, symbols: list[Symbol], chunks: list[Chunk], asked: list[str]
) -> None:
    entries = Entries(symbols=symbols, chunks=chunks)
    file, memory = packs.open(packs.write(manifest_of(), entries, silent)), MemoryPack(manifest_of(), entries)
    assert read_everything(file) == read_everything(memory)
    assert [file.entries.find(one) for one in asked] == [memory.find(one) for one in asked]


@pytest.mark.parametrize(
    ("damage", "word"),
    [
        pytest.param(lambda _: b"", "damaged|no pack", id="empty"),
        pytest.param(lambda _: b"no pack at all" * 500, "damaged", id="something-else"),
        pytest.param(lambda data: data[: len(data) // 2], "damaged", id="truncated"),
        pytest.param(lambda data: data[:68] + bytes(4) + data[72:], "no pack", id="another-database"),
        pytest.param(lambda data: data[:60] + b"\0\0\0\7" + data[64:], "format 7", id="another-format"),
        pytest.param(lambda data: data[:60] + b"\0\0\0\1" + data[64:], "format 1", id="an-older-format"),
    ],
)
def test_what_is_no_readable_pack_says_so_and_how_to_get_one(
    path: Path, packs: FolderPacks, damage: object, word: str
) -> None:
    assert callable(damage)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(PackUnreadable, match=word) as caught:
        read_everything(packs.open(path.name))
    assert RELEASE.key in caught.value.suggestion
    assert caught.value.details == {"pack": path.name, "release": RELEASE.key}


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("UPDATE block SET data = (SELECT data FROM block WHERE id = 1)", id="one-block-for-all"),
        pytest.param("UPDATE block SET data = x'789c030000000001'", id="blocks-of-nothing"),
        pytest.param("UPDATE block SET data = (SELECT data FROM head WHERE name = 'manifest')", id="no-blocks"),
        pytest.param("DELETE FROM block", id="blocks-gone"),
        pytest.param("UPDATE block SET data = 7", id="numbers"),
        pytest.param("DELETE FROM head WHERE name = 'directory'", id="directory-gone"),
        pytest.param("DROP TABLE block", id="table-gone"),
    ],
)
def test_a_pack_that_was_written_to_is_damaged(path: Path, packs: FolderPacks, change: str) -> None:
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(change).fetchall()
    with pytest.raises(PackUnreadable, match="damaged"):
        read_everything(packs.open(path.name))


def test_writing_a_damaged_pack_again_heals_it(path: Path, packs: FolderPacks) -> None:
    damaged = packs.open(path.name)
    path.write_bytes(path.read_bytes()[:4_000])
    with pytest.raises(PackUnreadable):
        read_everything(damaged)
    assert packs.write(manifest_of(), ENTRIES, silent) == path.name
    assert packs.open(path.name).entries.symbol("PutThing") == PUT


@pytest.mark.parametrize("seed", range(40))
def test_damage_anywhere_is_noticed_or_harmless(tmp_path: Path, seed: int) -> None:
    """Every byte that answers is under a checksum: a damaged pack may refuse, it may not answer otherwise."""
    source = FolderPacks(tmp_path / "source", tmp_path / "locks")
    name = source.write(manifest_of(), replace(large_entries(60), shapes=ENTRIES.shapes), silent)
    expected = read_everything(source.open(name))
    dice = random.Random(seed)
    data = bytearray((tmp_path / "source" / name).read_bytes())
    for _ in range(dice.randint(1, 4)):
        start = dice.randrange(len(data))
        data[start : start + dice.choice((1, 4, 300))] = dice.randbytes(dice.choice((1, 4, 300)))
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / name).write_bytes(data)
    try:
        found = read_everything(FolderPacks(tmp_path / "packs", tmp_path / "locks").open(name))
    except PackUnreadable:
        return
    assert found == expected


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda _: b"", id="empty"),
        pytest.param(lambda data: data[:-1], id="truncated"),
        pytest.param(lambda data: b"x" + data[1:], id="something-else"),
        pytest.param(lambda data: data[:12] + b"{" * 30 + data[42:], id="no-header"),
        pytest.param(lambda data: data.replace(b"small-1", b"small-2"), id="of-another-embedder"),
    ],
)
def test_damaged_vectors_count_as_not_made(packs: FolderPacks, path: Path, damage: object) -> None:
    assert callable(damage)
    vectors = Vectors(np.ones((4, 8), np.int8), np.ones(4, np.float32))
    packs.write_vectors(path.name, "small-1", vectors)
    (file,) = (one for one in path.parent.iterdir() if one != path)
    file.write_bytes(damage(file.read_bytes()))
    assert packs.open(path.name).text.vectors("small-1") is None
    packs.write_vectors(path.name, "small-1", vectors)
    assert packs.open(path.name).text.vectors("small-1") is not None


def test_vectors_go_with_their_pack(packs: FolderPacks, path: Path) -> None:
    vectors = Vectors(np.ones((4, 8), np.int8), np.ones(4, np.float32))
    for embedder in ("a", "b"):
        packs.write_vectors(path.name, embedder, vectors)
    packs.remove(path.name)
    assert list(path.parent.iterdir()) == []
    packs.write_vectors(path.name, "late", vectors)
    (orphan,) = (one.name for one in path.parent.iterdir())
    assert packs.clean([path.name]) == [orphan]


def test_files_of_others_in_the_folder_are_left_alone(packs: FolderPacks, path: Path) -> None:
    (path.parent / "notes.txt").write_text("mine", encoding="utf-8")
    assert packs.clean([]) == [path.name]
    assert [one.name for one in path.parent.iterdir()] == ["notes.txt"]
