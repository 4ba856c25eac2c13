import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.domain.entries import Chunk
from refdesk.domain.libraries import Library
from refdesk.retrieval.evidence import FORM, LONGEST, text_of, vectors_id


@pytest.mark.parametrize(
    ("chunk", "expected"),
    [
        (
            Chunk("api/Put", "Amazon S3 Put", "```python\nput(Bucket)\n```\n\nAdds **one** to a `bucket`.", "howto"),
            "Amazon S3 Put\nput(Bucket) Adds one to a bucket.",
        ),
        (
            Chunk("a#1", "Retries", "See [the guide](https://x.test/y) ![logo](a.png).", "howto", ("Guide", "Retries")),
            "Retries\nGuide\nSee the guide logo.",
        ),
        (
            Chunk("page/a#2", "List", "## Steps\n\n- first\n* second_name\n> note\n\n~~~\ncode\n~~~", "howto"),
            "List\nSteps first second_name code",
        ),
        (Chunk("page/a#3", "Only a title", "", "howto"), "Only a title"),
    ],
    ids=["symbol", "heading and links", "marks", "no text"],
)  # fmt: skip
def test_what_is_embedded_is_the_name_and_the_beginning(chunk: Chunk, expected: str) -> None:
    assert text_of(chunk) == expected


@pytest.mark.parametrize(
    ("symbol", "library", "expected"),
    [
        ("PutObject", Library("aws", "s3"), "aws s3 put object"),
        ("compute.instances.insert", Library("gcp", "compute"), "gcp compute instances insert"),
        ("azure.storage.blob.BlobClient.upload_blob", Library("pypi", "azure-storage-blob"),
         "azure storage blob blob client upload blob"),
        ("", Library("site", "handbook"), "handbook"),
        ("httpx.Client", None, "httpx client"),
    ],
)  # fmt: skip
def test_a_symbol_is_named_in_words_with_its_library(symbol: str, library: Library | None, expected: str) -> None:
    assert text_of(Chunk("a", "T", "Text.", "howto", symbol=symbol), library) == f"{expected}\nT\nText."


def test_notes_in_quotation_give_way_to_what_a_thing_is() -> None:
    note = "> **Note:** Ends soon.\n>\n> Really.\n"
    assert text_of(Chunk("a", "T", f"{note}\nAdds an object.", "howto")) == "T\nAdds an object."
    assert text_of(Chunk("a", "T", note, "howto")) == "T\nNote: Ends soon. Really."


def test_the_beginning_ends_with_a_whole_word() -> None:
    found = text_of(Chunk("a", "T", "abcdefg " * 200, "howto")).removeprefix("T\n")
    assert found == ("abcdefg " * 65).strip()
    assert len(found) <= LONGEST


def test_text_without_spaces_is_cut_hard() -> None:
    assert text_of(Chunk("a", "T", "字" * 2_000, "howto")) == "T\n" + "字" * LONGEST


def test_the_form_of_the_texts_has_another_name_when_they_change() -> None:
    """If this fails because texts changed on purpose: give FORM a new name, then write the new hash here."""
    text = "> **Note:** x\n\n## Sends\n\nOne `file` to [it](u).\n\n```\ncode\n```\n" + "word " * 200
    chunk = Chunk("a", "Put_Object", text, "howto", ("Guide", "Put_Object"), symbol="a.Client.put_object")
    libraries = (None, *(Library(ecosystem, "my-box") for ecosystem in ("aws", "pypi")))
    texts = "\0".join(text_of(chunk, library) for library in libraries)
    assert (FORM, hashlib.sha256(texts.encode()).hexdigest()[:16]) == ("text-2", "99e5a428745e368c")


def test_a_signature_leaves_its_room_to_what_the_entry_does() -> None:
    chunk = Chunk("a", "T", "```python\nf(a, b)\n```\n\nSends it.", "api_reference", symbol="f")
    assert text_of(chunk).endswith("\nT\nSends it.")
    alone = Chunk("a", "T", "```python\nf(a, b)\n```", "api_reference", symbol="f")
    assert "f(a, b)" in text_of(alone)


def test_vectors_are_named_by_embedder_and_form() -> None:
    assert vectors_id("model-1") == f"model-1+{FORM}"


@given(st.text(max_size=3_000), st.text(max_size=20))
def test_equal_chunks_give_equal_bounded_texts(text: str, title: str) -> None:
    chunk = Chunk("a", title, text, "howto")
    assert text_of(chunk) == text_of(Chunk("other id", title, text, "concept"))
    assert len(text_of(chunk)) <= len(title) + 1 + LONGEST
