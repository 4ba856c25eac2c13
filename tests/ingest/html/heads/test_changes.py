# ruff: noqa: E501  # HTML as generators write it: long lines whose breaks would be text
import pytest

from html_entries import symbols_in
from refdesk.domain.symbols import Deprecation
from refdesk.ingest.html.heads.changes import Change, added_parts, deprecated, read_words


@pytest.mark.parametrize(
    ("text", "kind", "version", "said"),
    [
        ("New in version 3.2.", "added", "3.2", ""),
        ("Added in version 20.1.0.", "added", "20.1.0", ""),
        ("New in version 3.11: The *a* parameter.", "added", "3.11", "The *a* parameter."),
        ("New in 1.4 – Words", "added", "1.4", "Words"),
        ("New in Django 3.2.", "added", "3.2", ""),
        ("New in pygame 1.9.2pre.", "added", "1.9.2pre", ""),
        ("Added in: v0.1.29", "added", "v0.1.29", ""),
        ("Changed in version 3.5: Faster.", "changed", "3.5", "Faster."),
        ("Deprecated since version 2.0", "deprecated", "2.0", ""),
        ("Deprecated in version 0.20: Use b.", "deprecated", "0.20", "Use b."),
        ("Deprecated since v1.0.0", "deprecated", "v1.0.0", ""),
        ("Deprecated since 1.29.0: use b", "deprecated", "1.29.0", "use b"),
        (
            "Deprecated since version 3.4, will be removed in version 3.12: Use b.",
            "deprecated",
            "3.4",
            "Use b. Will be removed in 3.12.",
        ),
        ("Deprecated since version 3.4, removed in version 3.12.", "deprecated", "3.4", "Will be removed in 3.12."),
        ("Removed in version 3.0: It hung.", "removed", "3.0", "It hung."),
        ("Deprecated: use b", "deprecated", "", "use b"),
    ],
)
def test_old_and_new_words(text: str, kind: str, version: str, said: str) -> None:
    assert read_words(text) == Change(kind, version, said)


def test_other_words_are_no_note() -> None:
    assert read_words("Newer ones are faster.") is None


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("Added *a* and *b* parameters.", ["a", "b"]),
        ("The `a`, `b` and `c_d` parameters were added.", ["a", "b", "c_d"]),
        ("Added support for the *a* keyword argument.", ["a"]),
        ("The *a* parameter now accepts paths.", []),
        ("It is faster.", []),
    ],
)
def test_a_note_may_say_which_parameters_were_added(said: str, names: list[str]) -> None:
    assert list(added_parts([Change("changed", "2", said)])) == names


@pytest.mark.parametrize(
    ("said", "whole"),
    [
        ("Use `shut()` instead.", True),
        ("", True),
        ("*close* hangs; use *shut*.", True),
        ("The *force* parameter.", False),
        ("The default value changed.", False),
        ("Passing an integer as argument.", False),
    ],
)
def test_a_note_about_a_part_leaves_the_whole_alone(said: str, whole: bool) -> None:
    assert (deprecated([Change("deprecated", "2", said)], "tap.close", ()) is not None) is whole


def note(name: str, words: str, more: str = "") -> str:
    return f'<div class="{name}"><p><span class="versionmodified">{words}</span>{more}</p></div>'


def test_notes_are_bound_to_what_they_stand_directly_under() -> None:
    """sources.md, F: they sit inside the description of the object that they qualify."""
    symbols = symbols_in(
        "sphinx",
        f"""<h1>Taps</h1>{note("versionadded", "New in version 9.")}
        <dl class="py class"><dt class="sig sig-object py" id="tap.Tap">class tap.Tap(size, *, force=False)</dt>
        <dd><p>A tap.</p>
          <ul><li><p>closes{note("deprecated", "Deprecated since version 7:", " An item.")}</p></li></ul>
          <dl class="field-list"><dt>Parameters</dt><dd><ul>
            <li><p><strong>size</strong> (<em>int</em>) – In litres.</p>{note("versionadded", "Added in version 1.2.")}</li>
            <li><p><strong>force</strong> – Hard.</p>{note("deprecated", "Deprecated since version 1.3:", " Use <em>size</em> instead.")}</li>
          </ul></dd></dl>
          {note("versionadded", "Added in version 1.0.")}
          {note("versionchanged", "Changed in version 1.1:", " Added the <em>force</em> parameter.")}
          <dl class="py method"><dt class="sig sig-object py" id="tap.Tap.close">close()</dt>
          <dd><p>Close it.</p>{note("deprecated", "Deprecated since version 2.0, will be removed in version 3.0:", " Use <code>shut()</code> instead.")}</dd></dl>
        </dd></dl>""",
    )
    tap, close = symbols["tap.Tap"], symbols["tap.Tap.close"]
    assert (tap.since, tap.deprecation) == ("1.0", None)
    assert [(one.name, one.type, one.since) for one in tap.params] == [("size", "int", "1.2"), ("force", "", "1.1")]
    assert tap.params[1].deprecation is not None
    assert (tap.params[1].deprecation.since, tap.params[1].deprecation.replacement) == ("1.3", "size")
    assert close.deprecation == Deprecation(
        "directive", "2.0", "shut()", "Use `shut()` instead. Will be removed in 3.0."
    )


def test_a_note_after_the_words_on_a_parameter_is_about_the_parameter() -> None:
    popen = symbols_in(
        "sphinx",
        f"""<dl class="py function"><dt class="sig sig-object py" id="run">run(group=None, umask=-1, size=0)</dt><dd>
        <p>Run it.</p>
        <p>If <em>group</em> is set, use it.</p><div class="availability"><p><em>Availability</em>: POSIX</p></div>
        {note("versionadded", "New in version 3.9.")}
        <p><em>umask</em> is one.</p>{note("deprecated", "Deprecated since version 3.10.")}
        <p>Words.</p>{note("versionadded", "New in version 3.2.")}</dd></dl>""",
    )["run"]
    assert popen.since == "3.2"
    assert popen.deprecation is None
    assert [one.since for one in popen.params] == ["3.9", "", ""]
    assert popen.params[1].deprecation == Deprecation("directive", "3.10")


def test_several_bare_notes_prove_nothing_about_the_whole() -> None:
    run = symbols_in(
        "sphinx",
        f"""<dl class="py function"><dt class="sig sig-object py" id="run">run()</dt><dd><p>Run.</p>
        {note("versionadded", "New in version 3.9.")}<p>More.</p>{note("versionadded", "New in version 3.10.")}</dd></dl>""",
    )["run"]
    assert run.since == ""


def test_notes_inside_a_change_log_are_the_entrys() -> None:
    run = symbols_in(
        "sphinx",
        f"""<dl class="py function"><dt class="sig sig-object py" id="run">run()</dt><dd><p>Run.</p>
        <details class="changelog"><summary>Changelog</summary>{note("versionadded", "New in version 0.5.")}</details></dd></dl>""",
    )["run"]
    assert run.since == "0.5"


def test_words_without_a_version_count_as_a_note() -> None:
    run = symbols_in(
        "sphinx",
        """<dl class="py function"><dt class="sig sig-object py" id="run">run()</dt><dd><p>Run.</p>
        <div class="deprecated"><p>It hangs. Use <code>go()</code> instead.</p></div></dd></dl>""",
    )["run"]
    assert run.deprecation == Deprecation("directive", "", "go()", "It hangs. Use `go()` instead.")


def test_prose_deprecates_too() -> None:
    run = symbols_in(
        "sphinx",
        """<dl class="py function"><dt class="sig sig-object py" id="run">run()</dt>
        <dd><p>This function is deprecated. Use <code>go()</code> instead.</p></dd></dl>""",
    )["run"]
    assert run.deprecation is not None
    assert (run.deprecation.evidence, run.deprecation.replacement) == ("prose", "go()")
