"""A missing version: whoever can be asked is asked, everybody else gets the default and is told so."""

from typing import Any

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp.types import ElicitResult, ErrorData

from fakes.desk import MemoryDesk
from fakes.links import Connect, text_of
from refdesk.surfaces.mcp.desk import Offer
from refdesk.surfaces.mcp.server import build_server

pytestmark = pytest.mark.anyio

SEND = ("get_api_detail", {"api": "send", "library": "parcel"})


class User:
    """A person in front of a client, who gives one answer to every question."""

    def __init__(self, answer: ElicitResult | ErrorData) -> None:
        self.answer = answer
        self.questions: list[tuple[str, Any]] = []

    async def __call__(self, context: Any, params: Any) -> ElicitResult | ErrorData:
        assert context is not None
        self.questions.append((params.message, params.requested_schema))
        return self.answer


def accept(content: dict[str, Any] | None) -> ElicitResult:
    return ElicitResult(action="accept", content=content)


async def test_the_user_is_asked_which_of_the_indexed_versions(connect: Connect) -> None:
    user = User(accept({"version": "1.0.0"}))
    async with connect(elicitation_callback=user) as client:
        text = text_of(await client.call_tool(*SEND))
    ((message, schema),) = user.questions
    assert message == "Which version of pypi:parcel does your project use?"
    assert schema["properties"]["version"]["enum"] == ["2.0.0", "1.0.0"]
    assert schema["required"] == ["version"]
    assert text.startswith("[Version: pypi:parcel 1.0.0]\nrequested: 1.0.0;")
    assert "You named no version" not in text


@pytest.mark.parametrize(
    "answer",
    [
        ElicitResult(action="decline"),
        ElicitResult(action="cancel"),
        accept(None),
        accept({"version": 3}),
        accept({"version": " "}),
    ],
    ids=["declined", "cancelled", "accepted without content", "accepted with a number", "accepted with a blank"],
)
async def test_without_an_answer_the_default_is_served_and_said(connect: Connect, answer: ElicitResult) -> None:
    user = User(answer)
    async with connect(elicitation_callback=user) as client:
        text = text_of(await client.call_tool(*SEND))
    assert len(user.questions) == 1
    assert text.startswith("[Version: pypi:parcel 2.0.0]")
    assert "You named no version: this is pypi:parcel 2.0.0; name one if your project uses another." in text


async def test_a_client_that_cannot_ask_gets_the_default(connect: Connect) -> None:
    async with connect() as client:
        text = text_of(await client.call_tool(*SEND))
    assert "You named no version: this is pypi:parcel 2.0.0" in text


async def test_a_client_that_fails_to_ask_gets_the_default(desk: MemoryDesk) -> None:
    server = build_server(desk, Offer("mcp-http", ("docs",), writes=False))
    user = User(ErrorData(code=-32603, message="no window"))
    async with Client(server, mode="legacy", elicitation_callback=user) as client:
        text = text_of(await client.call_tool(*SEND))
    assert "You named no version: this is pypi:parcel 2.0.0" in text


async def test_a_version_that_is_not_indexed_is_not_replaced_even_if_the_user_gave_it(connect: Connect) -> None:
    async with connect(elicitation_callback=User(accept({"version": "7.0"}))) as client:
        result = await client.call_tool(*SEND)
    assert result.is_error
    assert '"error":"version_not_indexed"' in text_of(result)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("get_api_detail", {"api": "send", "library": "parcel", "version": "1"}),
        ("get_api_detail", {"api": "roll", "library": "wagon"}),
        ("get_api_detail", {"api": "roll"}),
        ("get_api_detail", {"api": "send", "library": "parcel", "verson": "1"}),
        ("get_api_detail", {"api": "send", "library": "cart"}),
        ("get_page", {"page": "pypi:parcel@1.0.0/page/README.md", "library": "parcel"}),
        ("check_version", {"api": "send", "library": "parcel"}),
        ("list_apis", {"library": "parcel", "cursor": "x"}),
    ],
    ids=[
        "version named", "one release only", "no library", "unknown argument", "library not indexed",
        "id names a version", "the tool answers for all versions", "cursor belongs to a version",
    ],
)  # fmt: skip
async def test_nobody_is_asked_where_there_is_nothing_to_choose(
    connect_local: Connect, tool: str, arguments: dict[str, Any]
) -> None:
    user = User(accept({"version": "1.0.0"}))
    async with connect_local(elicitation_callback=user) as client:
        await client.call_tool(tool, arguments)
    assert user.questions == []


async def test_a_refusal_holds_for_the_one_client_of_a_stdio_server(connect_local: Connect) -> None:
    user = User(ElicitResult(action="decline"))
    async with connect_local(elicitation_callback=user) as client:
        for _ in range(3):
            await client.call_tool(*SEND)
    assert len(user.questions) == 1


async def test_over_http_every_call_is_a_new_one(desk: MemoryDesk) -> None:
    server = build_server(desk, Offer("mcp-http", ("docs",), writes=False))
    user = User(ElicitResult(action="decline"))
    async with Client(server, mode="auto", elicitation_callback=user) as client:
        for _ in range(2):
            await client.call_tool(*SEND)
    assert len(user.questions) == 2


async def test_an_api_of_two_axes_is_chosen_by_a_name_that_a_caller_can_write(desk: MemoryDesk) -> None:
    desk.add_carrier("1.1.0")
    user = User(accept({"version": "2020-01-01 via botocore 1.0.0"}))
    server = build_server(desk, Offer("mcp-stdio", ("docs",), writes=True))
    async with Client(server, mode="legacy", elicitation_callback=user) as client:
        text = text_of(await client.call_tool("get_api_detail", {"api": "keep_parcel", "library": "aws:depot"}))
    ((_, schema),) = user.questions
    assert schema["properties"]["version"]["enum"] == [
        "2020-01-01 via botocore 1.1.0",
        "2020-01-01 via botocore 1.0.0",
    ]
    assert text.startswith("[Version: aws:depot 2020-01-01 via botocore 1.0.0]")


async def test_a_retry_that_answers_a_question_of_its_own_is_not_trusted(desk: MemoryDesk) -> None:
    """The answer is data of the client: it is looked up like any version that a caller names."""
    server = build_server(desk, Offer("mcp-http", ("docs",), writes=False))
    async with Client(server, mode="auto", elicitation_callback=User(accept({"version": "x; y"}))) as client:
        result = await client.call_tool(*SEND)
        assert result.is_error
        with pytest.raises(MCPError):
            await client.read_resource("refdesk://pypi/parcel/x; y/page/README.md")
