"""Reports T15, T17 and T22: any query is words, any file is indexed or named, any shown form finds its page."""

from pathlib import Path

import pytest

from fakes.printed import Cli, Printed
from refdesk.surfaces.cli.main import run

FILES = {
    "README.MD": "# Read me\n\nThe word aardvark.\n",
    "a.mdoc": "# Mdoc\n\nThe word baboon.\n",
    "b.markdown": "# Markdown\n\nThe word caracal.\n",
    "ref.txt": "Title\n=====\n\n.. note:: The word dingo.\n",
    "q.qmd": "---\ntitle: Q\n---\n\nThe word ermine.\n",
    "page.tsx": "export default () => <p>ferret</p>\n",
    "tokens.md": "# Flags\n\nUse `--error-on-warnings`, follow `@nasa`, set `a=b`.\n\n## Grammar\n\n`grammar::fa` and "
    "`health.base`; AND, OR and NEAR are words.\n\n## 上传 文件\n\n分段上传大文件。\n",
    "sub/deep/s.md": "# Sub\n\nDeep.\n",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reading")
    for name, text in FILES.items():
        path = folder / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFDESK_HOME", str(folder / "home"))
        patch.setenv("REFDESK_VECTORS", "0")
        assert run(["add", f"files:{folder / 'docs'}", "as", "site:odd@1.0"], lambda _desk: []) == 0
    return folder / "home"


@pytest.fixture
def ask(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    monkeypatch.setenv("REFDESK_HOME", str(home))
    monkeypatch.setenv("REFDESK_VECTORS", "0")

    def call(*arguments: str) -> Printed:
        code = run(arguments, lambda _desk: [])
        printed = capsys.readouterr()
        return Printed(code, printed.out, printed.err)

    return call


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ('"--error-on-warnings"', "Flags"),
        ("--error-on-warnings", "Flags"),
        ("@nasa", "Flags"),
        ("a=b", "Flags"),
        ("grammar::fa", "Grammar"),
        ("health.base", "Grammar"),
        ("NEAR", "Grammar"),
        ("NEAR(words AND", "Grammar"),
        ("上传", "上传 文件"),
        ('"baboon', "Mdoc"),
    ],
)
def test_t15_a_query_is_words_and_finds_exact_tokens(ask: Cli, query: str, title: str) -> None:
    assert ask("search", "--library", "odd", "--json", "--", query).json["hits"][0]["title"] == title


@pytest.mark.parametrize("query", ["", " ", '"', "'", "*", "(", "%", "\\", "\0", "x" * 10_240])
def test_t15_a_query_without_words_is_an_error_and_no_failure(ask: Cli, query: str) -> None:
    printed = ask("search", "--library", "odd", "--json", "--", query)
    assert (printed.code, printed.out, printed.error["error"]) == (2, "", "invalid_input")


@pytest.mark.parametrize("limit", ["0", "-1", "1000000"])
def test_a_limit_out_of_range_is_an_error(ask: Cli, limit: str) -> None:
    assert ask("search", "word", "--limit", limit).code == 2


@pytest.mark.parametrize("word", ["aardvark", "baboon", "caracal", "dingo", "ermine"])
def test_t17_a_page_is_read_whatever_its_ending(ask: Cli, word: str) -> None:
    assert word in ask("search", word, "--library", "odd", "--limit", "1").out


def test_t17_a_file_that_is_not_read_is_named(ask: Cli) -> None:
    assert "page.tsx" in ask("list", "odd").out


@pytest.mark.parametrize(
    "page",
    [
        "site:odd@1.0/page/tokens.md#grammar",
        "site:odd@1.0/page/tokens.md?view=old#grammar",
        "site:odd@1.0/page/tokens.md#grammar/",
        "site:odd%401.0/page/tokens.md#grammar",
        "`site:odd@1.0/page/tokens.md#grammar`",
        "refdesk://site/odd/1.0/page/tokens.md#grammar",
    ],
)
def test_t22_a_shown_form_with_an_anchor_finds_its_section(ask: Cli, page: str) -> None:
    printed = ask("page", page)
    assert "## Grammar" in printed.out
    assert "# Flags" not in printed.out


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("tokens", "# Flags"),
        ("tokens.md/", "# Flags"),
        ("./tokens.md", "# Flags"),
        ("sub/deep/../../tokens.md", "# Flags"),
        ("../../tokens.md?view=x", "# Flags"),
        ("s.md", "# Sub"),
        ("deep/s", "# Sub"),
        ("readme.md", "# Read me"),
    ],
)
def test_t22_a_relative_path_finds_its_page(ask: Cli, path: str, title: str) -> None:
    assert title in ask("page", path, "--library", "odd").out


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("nope.md", "has no page 'nope.md'"),
        ("tokens.md#nope", "Sections: flags, grammar"),
        ("site:odd@2.0/page/tokens.md", "not indexed in version 2.0"),
    ],
)
def test_t22_what_is_unknown_is_an_error_that_helps(ask: Cli, page: str, said: str) -> None:
    printed = ask("page", page, *([] if page.startswith("site:") else ["--library", "odd"]))
    assert (printed.code, printed.out) == (3, "")
    assert said in printed.err


def test_a_cursor_of_an_older_pack_is_refused(ask: Cli) -> None:
    printed = ask("page", "tokens.md", "--library", "odd", "--cursor", "WyI3OTEzMjA0Yjc5MWQiLCA1XQ", "--json")
    assert (printed.code, printed.error["error"]) == (2, "invalid_input")


def test_what_is_not_there_is_not_offered_to_be_added_when_it_was_to_be_removed(ask: Cli) -> None:
    printed = ask("remove", "site:odd@9")
    assert (printed.code, "Nothing was removed" in printed.err, "refdesk add" in printed.err) == (3, True, False)
