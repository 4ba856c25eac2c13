import pytest
from hypothesis import given
from hypothesis import strategies as st

from refdesk.retrieval import question


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("how do I call put_object", ("put_object",)),
        ("required members of PutObject", ("PutObject",)),
        ("what does HTTPError mean", ("HTTPError",)),
        ("httpx.Client.get timeout", ("httpx.Client.get",)),
        ("std::vec::Vec push", ("std::vec::Vec",)),
        ("drive.files().create with media", ("drive.files().create",)),
        ("run() twice", ("run",)),
        ("pass --dry-run or -v to it", ("--dry-run", "-v")),
        ('"--error-on-warnings"', ("--error-on-warnings",)),
        ("error E0308 and TS2304", ("E0308", "TS2304")),
        ("set AWS_REGION", ("AWS_REGION",)),
        ("the `get` method of `Client`", ("get", "Client")),
        ("`files.create` and files.create", ("files.create",)),
        ("在 botocore 里 create_meeting 还有吗", ("create_meeting",)),
        ("IDs, VMs and APIs of bucket(s)", ()),
        ("a well-known e.g. i.e. U.S. plain sentence", ()),
        ("NEAR(a b", ()),
        ("`a whole sentence in backticks is prose`", ()),
        ("```", ()),
    ],
)
def test_identifiers_are_what_is_spelt_as_code(text: str, expected: tuple[str, ...]) -> None:
    assert question.identifiers(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in botocore 1.34.162?", ("1.34.162",)),
        ("botocore==1.44.8 and 2.0rc1", ("1.44.8", "2.0rc1")),
        ("drive v2 or v3", ("v2", "v3")),
        ("compute v1beta1", ("v1beta1",)),
        ("API version 2006-03-01, 2023-01-01-preview.", ("2006-03-01", "2023-01-01-preview")),
        ("v1.2.3 then v1.2.3 again", ("v1.2.3",)),
        ("port 22, 404, S3, EC2, x86_64", ()),
        ("file1.2x", ()),
    ],
)
def test_versions_are_found_as_written(text: str, expected: tuple[str, ...]) -> None:
    assert question.versions(text) == expected


def test_versions_are_blanked_out_without_touching_the_rest() -> None:
    assert question.without_versions("upload in 1.34.162 or v3 to S3").split() == ["upload", "in", "or", "to", "S3"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("upload a file", "en"),
        ("télécharger", "en"),
        ("上传文件", "zh"),
        ("在 botocore 里,chime 客户端还有 create_meeting 吗", "zh"),
        ("ファイルを upload する方法", "ja"),
        ("파일 업로드", "ko"),
        ("загрузить файл", "ru"),
        ("رفع ملف", "ar"),
        ("the sign 中 appears once in this long English sentence about characters", "en"),
        ("123 !?", "en"),
        ("µ 𝛼 ª", "en"),
    ],
)
def test_the_script_tells_the_language(text: str, expected: str) -> None:
    assert question.language(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what changed between versions", "change"),
        ("breaking changes of httpx", "change"),
        ("what differs in 0.23.3 and 0.28.1", "change"),
        ("from v2 to v3", "change"),
        ("升级到新版本", "change"),
        ("methods of v1 in 2.202.0", "any"),
        ("change the visibility timeout of a message", "any"),
        ("is create_meeting deprecated", "availability"),
        ("what exceptions can it raise", "error"),
        ("NoSuchKeyException", "error"),
        ("signature of upload_blob", "signature"),
        ("which parameters are required", "parameter"),
        ("默认值", "parameter"),
        ("how do I upload a file", "howto"),
        ("如何上传文件", "howto"),
        ("what is a presigned url", "concept"),
        ("PutObject", "lookup"),
        ("create key pair", "any"),
    ],
)
def test_intent_is_the_first_table_that_fits(text: str, expected: str) -> None:
    assert question.intent(text, question.identifiers(text), question.versions(text)) == expected


@given(st.text())
def test_any_text_is_understood_somehow(text: str) -> None:
    names, mentioned = question.identifiers(text), question.versions(text)
    assert len(set(names)) == len(names)
    assert all(version in text for version in mentioned)
    assert len(question.language(text)) == 2
    assert question.intent(text, names, mentioned)
