"""Dates of releases as their changelogs state them."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.entries import ContentType, Page
from refdesk.domain.releases import Updated
from refdesk.ingest.changelog_dates import stated_date


def dated(version: str, *texts: str, content_type: ContentType = "changelog") -> str:
    """The ISO date that pages give for a version; empty if none."""
    pages = [Page(f"{number}.md", "Changes", text, content_type) for number, text in enumerate(texts)]
    found = stated_date(pages, version)
    if found is None:
        return ""
    assert found.by == "changelog"
    assert found.at.tzinfo is UTC
    return found.at.date().isoformat()


@pytest.mark.parametrize(
    "heading",
    [
        "## 1.2.0 (2024-05-29)",
        "## [1.2.0] - 2024-05-29",
        "## [1.2](https://example.org/1.2) - 2024/5/29",
        "# v1.2.0 — May 29, 2024",
        "### Version 1.2 (29th May, 2024)",
        "## parcel 1.2.0, 29 May 2024",
        "## 2024-05-29: 1.2.0",
        "## 1.2.0 / 29-May-2024",
        "## Release 1.2.0 (May 29th 2024)",
        "Version 1.2.0\n-------------\n\nReleased 2024-05-29",
        "## 1.2.0\n\n*Release date: May 29, 2024*\n\n- Words.",
        "## 1.2.0\n2024-05-29\n",
    ],
)
def test_the_heading_of_a_version_states_its_date(heading: str) -> None:
    assert dated("1.2.0", f"# Changes\n\n## 1.3.0 (2025-01-01)\n\n{heading}\n\n- Words.\n") == "2024-05-29"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "## 1.2.0\n\nWords.",
        "## 1.2.0",
        "## 1.2.0 (05/04/2024)",
        "## 1.2.0 (2024-13-01)",
        "## 1.2.0 (unreleased)",
        "## 1.2.0\n\nIn use since 2024-05-29 at the latest.",
        "## 1.2.1 (2024-05-29)",
        "## 11.2.0 (2024-05-29)",
        "## What is new for those who come from 1.2.0 (2024-05-29)",
        "1.2.0 (2024-05-29)",
        "```\n## 1.2.0 (2024-05-29)\n```",
        "## 1.2.0 (12024-05-29)",
    ],
)
def test_what_states_no_date_for_the_version_gives_none(text: str) -> None:
    assert dated("1.2.0", text) == ""


def test_the_history_in_a_readme_counts_for_its_own_version_only() -> None:
    readme = "# parcel\n\n## Release history\n\n### 1.2.0 (2024-05-29)\n\n- Words.\n"
    assert dated("1.2.0", readme, content_type="concept") == "2024-05-29"
    assert dated("main", readme, content_type="concept") == ""


def test_a_label_that_is_no_number_means_the_newest_entry_of_the_changelog() -> None:
    texts = ("## 1.2.0 (2024-05-29)\n\n## 1.1.0 (2024-01-01)\n\n## Meeting (2025-02-02)", "## 1.3 (2024-06-01)")
    assert dated("main", *texts) == "2024-06-01"
    assert dated("2026-11-30", *texts) == "2024-06-01"
    assert dated("2.0", *texts) == ""


def test_of_several_dates_for_a_version_the_latest_counts() -> None:
    assert dated("1.2", "## 1.2 (2024-05-29)", "## 1.2.0 (2024-06-01)") == "2024-06-01"


@given(st.dates(min_value=datetime(1000, 1, 1).date()), st.sampled_from(["{d.year}-{d.month}-{d.day}", "{d:%d %B %Y}"]))
def test_any_day_is_read_as_it_is_written(day: datetime, form: str) -> None:
    assert dated("1.2.0", f"## 1.2.0 ({form.format(d=day)})") == day.isoformat()


@given(st.text(max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    found = stated_date([Page("a.md", "A", f"## 1.2 {text}", "changelog")], "1.2")
    assert found is None or isinstance(found, Updated)
