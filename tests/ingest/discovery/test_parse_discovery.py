"""What a discovery document says, as symbols and shapes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.clock import FixedClock
from fakes.discovery import PATH, shelf, source
from refdesk.adapters.sources import GcpSource
from refdesk.domain.entries import Entries, Relation
from refdesk.domain.errors import SourceRejected
from refdesk.domain.shapes import descend, members_of, type_text
from refdesk.domain.specs import parse_specs
from refdesk.domain.symbols import Deprecation, Returns, Symbol
from refdesk.ingest.discovery import parse_discovery
from refdesk.ingest.discovery.descriptions import markdown
from refdesk.ports.archives import Archives
from refdesk.ports.progress import silent


@pytest.fixture(scope="module")
def entries() -> Entries:
    return parse_discovery(source(shelf()))


def symbol(entries: Entries, name: str) -> Symbol:
    return next(one for one in entries.symbols if one.name == name)


def member(entries: Entries, shape: str, name: str) -> Any:
    return next(one for one in members_of(entries.shapes[shape], entries.shapes.get) if one.name == name)


def test_every_name_is_there_once_and_methods_keep_theirs(entries: Entries) -> None:
    assert [(one.kind, one.name) for one in entries.symbols] == [
        ("resource", "shelf"),
        ("resource", "shelf.items"),
        ("method", "shelf.items.put"),
        ("method", "shelf.items.get"),
        ("method", "shelf.items.list"),
        ("paginator", "shelf.items.list_next"),
        ("method", "shelf.items.import"),
        ("method", "shelf.items.move"),
        ("resource", "shelf.items.put()"),
        ("method", "shelf.items.put.undo"),
        *[("type", one) for one in ("Item", "ItemList", "Empty", "Rows", "Bag", "Mixed", "Value")],
    ]


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("shelf.items.put", ("shelf.items.put", "items.put")),
        ("shelf.items.import", ("shelf.items.import", "items.import_", "shelf.items.import_", "items.import")),
        (
            "shelf.items.get",
            ("shelf.items.get", "items.get", "shelf.items.get_media", "items.get_media"),
        ),
        ("shelf.items", ("shelf.items", "items")),
        ("Item", ("Item", "shelf.Item")),
    ],
)
def test_names_in_every_spelling(entries: Entries, name: str, names: tuple[str, ...]) -> None:
    assert symbol(entries, name).names == names


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        ("shelf", 'service = googleapiclient.discovery.build("shelf", "v1")'),
        ("shelf.items", "service.items()"),
        (
            "shelf.items.put",
            (
                "service.items().put(rack=…, body=…, dry_run=None, order=None, limit=None, tags=None, row=None, "
                "old=None, media_body=None, media_mime_type=None)"
            ),
        ),
        ("shelf.items.import", "service.items().import_()"),
        ("shelf.items.list_next", "service.items().list_next(previous_request, previous_response)"),
        ("shelf.items.put.undo", "service.items().put().undo()"),
    ],
)
def test_signatures_as_one_writes_them(entries: Entries, name: str, signature: str) -> None:
    assert symbol(entries, name).signature == signature


def test_parameters_say_what_the_document_says(entries: Entries) -> None:
    params = {one.name: one for one in symbol(entries, "shelf.items.put").params}
    assert [name for name, one in params.items() if one.required] == ["rack"]
    assert (params["rack"].kind, params["rack"].limits) == ("path", {"pattern": "^[a-z]+$"})
    assert (params["limit"].type, params["limit"].limits) == (
        "integer (int32)",
        {"min": 0, "max": 1.5, "format": "int32"},
    )
    assert params["tags"].type == "list of string"
    assert (params["dry.run"].default, params["dry.run"].doc) == ("false", "In Python: `dry_run`.")
    assert params["order"].enum == ("UP", "DOWN", "SIDE")
    assert params["order"].doc == "Values:\n\n- `UP`: Upwards.\n- `DOWN` (deprecated)\n- `SIDE`"
    assert (params["body"].shape, params["body"].kind, params["body"].required) == ("Item", "body", False)
    assert params["row"].deprecation == Deprecation("prose", replacement="rack", note="Deprecated. Use `rack` instead.")
    assert (params["old"].deprecation, params["old"].kind) == (Deprecation("flag"), "")


def test_the_facts_of_a_method(entries: Entries) -> None:
    put = symbol(entries, "shelf.items.put")
    assert put.summary == "Puts an item on a rack."
    assert put.doc == "Puts an item on a rack. It stays there."
    assert put.returns == Returns("Item", "A thing on a shelf.", "Item")
    assert put.place.url == "https://example.org/shelf"
    assert put.place.path == PATH
    assert put.attributes == {
        "http": {
            "method": "POST",
            "path": "racks/{rack}/items",
            "flat_path": "racks/{rackId}/items",
            "base_url": "https://shelf.example.org/v1/",
        },
        "scopes": {"https://auth/all": "See and change shelves", "https://auth/other": ""},
        "parameter_order": ["rack", "absent"],
        "media_upload": {
            "accept": ["image/*"],
            "max_size": "10GB",
            "protocols": {"simple": "/upload/racks/{rack}/items"},
        },
        "api_version": "2026-01-01",
    }
    assert symbol(entries, "shelf.items.import").returns is None


def test_what_the_client_adds_is_told(entries: Entries) -> None:
    assert "`service.items().get_media(…)`" in symbol(entries, "shelf.items.get").doc
    listing = symbol(entries, "shelf.items.list")
    assert listing.attributes["paging"] == {"request_token": "pageToken", "response_token": "nextPageToken"}
    assert "Next page: `service.items().list_next(previous_request, previous_response)`." in listing.doc
    following = symbol(entries, "shelf.items.list_next")
    assert [one.name for one in following.params if one.required] == ["previous_request", "previous_response"]
    assert following.attributes["of"] == "shelf.items.list"


def test_global_parameters_stand_once_at_the_api(entries: Entries) -> None:
    api = symbol(entries, "shelf")
    assert [one.name for one in api.params] == ["$.xgafv"]
    assert "In Python: `x__xgafv`." in api.params[0].doc
    assert api.members == ("shelf.items",)
    assert api.attributes["revision"] == "20260101"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("id", "string"),
        ("size", "Item.size"),
        ("parts", "list of Item"),
        ("corners", "list of Item.corners"),
        ("labels", "map of string to string"),
        ("extra", "map of string to any"),
        ("blob", "object"),
        ("anything", "any"),
        ("ghost", "Ghost"),
    ],
)
def test_types_of_properties(entries: Entries, name: str, text: str) -> None:
    shape = next(one.shape for one in entries.shapes["Item"].members if one.name == name)
    assert type_text(shape, entries.shapes.get) == text


def test_properties_say_what_the_document_says(entries: Entries) -> None:
    found = member(entries, "Item", "id")
    assert found.limits == {"readOnly": True}
    assert found.doc == "Output only. Its id.\n\nRequired by `shelf.items.put`, `shelf.items.get`."
    state = member(entries, "Item", "state")
    assert state.enum == ("NEW", "OLD")
    assert state.doc.startswith("Output only. Its state.\n\nValues:\n\n- `NEW`: Just put.")
    assert member(entries, "Item", "colours").enum == ("RED",)
    assert member(entries, "Item", "kind").default == "shelf#item"
    assert member(entries, "Item", "row").deprecation == Deprecation(
        "flag", replacement="rack", note="Deprecated: use `rack`."
    )


def test_nested_properties_are_reached_from_the_body(entries: Entries) -> None:
    top = symbol(entries, "shelf.items.put").params
    for path in ("body.size.width", "body.parts[].size.width", "body.corners.x"):
        assert descend(top, path, entries.shapes.get)


@pytest.mark.parametrize(
    ("name", "kind", "text"),
    [
        ("Empty", "structure", "Empty"),
        ("Rows", "list", "list of Rows[]"),
        ("Bag", "map", "map of string to any"),
        ("Mixed", "structure", "Mixed"),
        ("Value", "scalar", "any"),
    ],
)
def test_schemas_that_are_no_plain_objects(entries: Entries, name: str, kind: str, text: str) -> None:
    assert entries.shapes[name].type == kind
    assert type_text(name, entries.shapes.get) == text
    assert symbol(entries, name).input_shape == (name if kind == "structure" else "")


def test_every_shape_that_is_referred_to_exists_and_missing_schemas_are_told(entries: Entries) -> None:
    for shape in entries.shapes.values():
        assert not shape.element or shape.element in entries.shapes
        assert {one.shape for one in shape.members} <= set(entries.shapes)
    assert [one.message for one in entries.problems] == [
        f"{'Item'}.ghost refers to the schema Ghost, which the document does not declare."
    ]


def test_relations(entries: Entries) -> None:
    found = set(entries.relations)
    assert {
        Relation("shelf", "member", "shelf.items"),
        Relation("shelf.items", "member", "shelf.items.put"),
        Relation("shelf.items", "member", "shelf.items.put()"),
        Relation("shelf.items.put", "parameter_type", "Item"),
        Relation("shelf.items.list", "returns", "ItemList"),
        Relation("shelf.items.move", "replaced_by", "shelf.items.put"),
    } <= found
    names = {one.name for one in entries.symbols}
    assert {one.source for one in found} | {one.target for one in found} <= names


def test_ids_may_begin_with_another_word_than_the_name_of_the_api() -> None:
    document = shelf()
    for name, method in document["resources"]["items"]["methods"].items():
        method["id"] = f"rack.items.{name}"
    entries = parse_discovery(source(document))
    assert symbol(entries, "rack.items").names == ("rack.items", "shelf.items", "items")
    assert symbol(entries, "rack.items.put").names == ("rack.items.put", "shelf.items.put", "items.put")
    assert symbol(entries, "shelf").names == ("shelf", "rack")


def test_methods_of_one_id_are_told() -> None:
    document = shelf()
    document["resources"]["items"]["methods"]["get"]["id"] = "shelf.items.put"
    entries = parse_discovery(source(document))
    assert "shelf.items.put is declared more than once; the first one is taken." in [
        one.message for one in entries.problems
    ]


def test_inline_requests_and_responses_get_names_and_unknown_keys_are_ignored() -> None:
    inline = {"type": "object", "properties": {"a": {"type": "string"}}}
    method = {"path": "x", "httpMethod": "POST", "request": inline, "response": {"type": "string"}, "new": [1]}
    method["mediaUpload"] = {"accept": ["*/*"]}
    entries = parse_discovery(source({"methods": {"do": method | {"id": "shelf.do"}}, "future": {"a": None}}))
    found = symbol(entries, "shelf.do")
    assert found.names == ("shelf.do",)
    assert found.signature == "service.do(body=…, media_body=None, media_mime_type=None)"
    assert (found.params[0].shape, found.returns) == ("shelf.do.request", Returns("string"))
    assert found.attributes["media_upload"] == {"accept": ["*/*"], "protocols": {}}


def test_a_limit_that_is_no_number_stays_as_it_stands() -> None:
    entries = parse_discovery(source({"parameters": {"when": {"type": "string", "minimum": "today"}}}))
    assert entries.symbols[0].params[0].limits == {"min": "today"}


def test_an_empty_document_is_an_api_without_anything() -> None:
    entries = parse_discovery(source({}))
    assert [one.name for one in entries.symbols] == ["shelf"]
    assert not entries.problems


def nested(levels: int, of: str) -> Any:
    inner: Any = {"type": "string"} if of == "properties" else {}
    for _ in range(levels):
        inner = {"type": "object", of: {"a": inner}}
    return inner


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"{\n  \"a\": ]", r"not JSON: .*\(line 2, column 8\)", id="broken-json"),
        pytest.param(b"", "not JSON", id="empty"),
        pytest.param(b'{"a": "\xff"}', "not UTF-8: byte 7 is 0xff", id="not-utf-8"),
        pytest.param(b'{"a": "\\ud800"}', "not JSON", id="half-a-surrogate-pair"),
        pytest.param(b"[]", "must be an object, not a list", id="a-list"),
        pytest.param({"resources": []}, r"v1.json.resources must be an object, not a list", id="resources"),
        pytest.param({"resources": {"a": 1}}, r"resources.a must be an object, not a number", id="one-resource"),
        pytest.param({"schemas": {"A": "x"}}, r"schemas.A must be an object, not a string", id="schema"),
        pytest.param({"name": ["x"]}, r"name must be a string, not a list", id="name"),
        pytest.param({"methods": {"a": {"id": {}}}}, r"methods.a.id must be a string, not an object", id="id"),
        pytest.param({"methods": {"a": {"scopes": [1]}}}, r"methods.a.scopes must be a list of strings", id="scopes"),
        pytest.param({"methods": {"a": {"deprecated": "no"}}}, r"a.deprecated must be true or false", id="flag"),
        pytest.param(
            {"parameters": {"p": {"enum": ["A"], "enumDeprecated": [None]}}},
            r"parameters.p.enumDeprecated must be a list of true and false",
            id="flags",
        ),
        pytest.param({"schemas": {"A": nested(80, "properties")}}, "nested at most 60 levels", id="deep-schemas"),
        pytest.param(nested(80, "resources"), "nested at most 30 levels", id="deep-resources"),
    ],
)  # fmt: skip
def test_documents_that_cannot_be_read_are_rejected_with_the_place(content: Any, message: str) -> None:
    with pytest.raises(SourceRejected, match=message):
        parse_discovery(source(content))


def test_a_byte_order_mark_does_no_harm_and_two_documents_are_none() -> None:
    assert parse_discovery(source(b"\xef\xbb\xbf{}")).symbols
    one = source(b"{}")
    two = type(one)(one.release, one.format, {"a": b"{}", "b": b"{}"}, one.origin, one.updated)
    with pytest.raises(SourceRejected, match="not from 2 files"):
        parse_discovery(two)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("One line\nwrapped by hand.\n\nNext\r\nparagraph.", "One line wrapped by hand.\n\nNext paragraph."),
        ("Values:\n- a\n- b", "Values:\n- a\n- b"),
        ("Do:\n1. a\n2. b", "Do:\n1. a\n2. b"),
        ("Such as:\n```\na\nb\n\n\nc\n```\nand\nmore", "Such as:\n```\na\nb\n\n\nc\n```\nand more"),
        ('"data": [\n  {\n   "key": 1\n  }]', '"data": [\n  {\n   "key": 1\n  }]'),
        ("a | b\n--|--\n1 | 2", "a | b\n--|--\n1 | 2"),
        ("hard  \nbreak", "hard  \nbreak"),
        ("One.\n\n\n\nTwo.", "One.\n\nTwo."),
    ],
)
def test_paragraphs_are_joined_and_code_and_lists_are_not(written: str, read: str) -> None:
    assert markdown(written) == read


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=12,
)


@given(st.data())
def test_whatever_stands_anywhere_it_is_read_or_rejected(data: st.DataObject) -> None:
    document = shelf()
    holder: Any = document
    key = data.draw(st.sampled_from(sorted(holder)), "key")
    while isinstance(holder[key], dict) and holder[key] and data.draw(st.booleans(), "deeper"):
        holder = holder[key]
        key = data.draw(st.sampled_from(sorted(holder)), "key")
    holder[key] = data.draw(JSON, "value")
    try:
        found = parse_discovery(source(document))
    except SourceRejected:
        return
    assert len({one.name for one in found.symbols}) == len(found.symbols)


@given(st.text())
def test_joining_lines_never_loses_a_word_and_is_done_once(text: str) -> None:
    found = markdown(text)
    assert found.split() == text.replace("\r\n", "\n").replace("\r", "\n").split()
    assert markdown(found) == found


def real(archives: Archives, word: str, carrier: str = "2.202.0") -> Entries:
    spec = parse_specs([word], f"google-api-python-client=={carrier}")[0]
    return parse_discovery(GcpSource(archives, FixedClock()).discover(spec, silent)[0].read(silent))


@pytest.mark.packages
def test_the_real_storage_api(real_archives: Archives) -> None:
    insert = symbol(real(real_archives, "gcp:storage@v1"), "storage.objects.insert")
    assert [one.name for one in insert.params if one.required] == ["bucket"]
    assert insert.attributes["http"]["method"] == "POST"  # type: ignore[index, call-overload]  # JSON
    assert insert.attributes["http"]["path"] == "b/{bucket}/o"  # type: ignore[index, call-overload]  # JSON


@pytest.mark.packages
def test_the_real_compute_api(real_archives: Archives) -> None:
    v1 = real(real_archives, "gcp:compute@v1")
    assert [one.name for one in v1.symbols if one.kind == "method" and one.deprecation] == [
        "compute.projects.moveDisk",
        "compute.projects.moveInstance",
    ]
    insert = symbol(v1, "compute.instances.insert")
    assert [one.name for one in insert.params][:3] == ["project", "zone", "body"]
    assert insert.attributes["parameter_order"] == ["project", "zone"]
    assert insert.params[2].shape == "Instance"
    http = insert.attributes["http"]
    assert isinstance(http, dict)
    assert http["flat_path"] == "projects/{project}/zones/{zone}/instances"
    assert descend(insert.params, "body.disks[].initializeParams.diskSizeGb", v1.shapes.get)
    assert "compute.zoneQueuedResources" not in {one.name for one in v1.symbols}
    queued = symbol(real(real_archives, "gcp:compute@alpha"), "compute.zoneQueuedResources")
    assert "compute.zoneQueuedResources.insert" in queued.members


@pytest.mark.packages
def test_the_real_drive_apis(real_archives: Archives) -> None:
    v2, v3 = (
        {one.name: one for one in real(real_archives, f"gcp:drive@{version}").symbols} for version in ("v2", "v3")
    )
    assert ("drive.files.insert" in v2, "drive.files.create" in v2) == (True, False)
    assert ("drive.files.insert" in v3, "drive.files.create" in v3) == (False, True)
    teams = {one.name: one for one in v3["drive.files.create"].params}["supportsTeamDrives"]
    assert teams.deprecation is not None
    assert (teams.deprecation.evidence, teams.deprecation.replacement) == ("flag", "supportsAllDrives")
