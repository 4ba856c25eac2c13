"""Long calls: progress, cancellation, several at once."""

import threading

import anyio
import anyio.to_thread
import pytest

from fakes.desk import MemoryDesk
from fakes.links import Connect, text_of
from refdesk.ports.progress import Step
from refdesk.surfaces.mcp.calls import message_of

pytestmark = pytest.mark.anyio

ADD = ("index_library", {"specs": ["pypi:cart==1.0"]})


async def test_indexing_reports_where_it_stands_with_a_growing_count(connect_local: Connect) -> None:
    reports: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        reports.append((progress, total, message))

    async with connect_local() as client:
        await client.call_tool(*ADD, progress_callback=note)
    assert [progress for progress, _, _ in reports] == [float(number) for number in range(1, len(reports) + 1)]
    messages = [message for _, _, message in reports]
    assert messages[0] == "resolve pypi:cart@1.0: 0 of 1 specs"
    assert "download pypi:cart 1.0: 1.0 of 2.0 MB" in messages
    assert "store pypi:cart 1.0: 1 of 1 chunks" in messages


async def test_steps_of_one_stage_are_reported_now_and_then_only(connect_local: Connect, desk: MemoryDesk) -> None:
    desk.source.one_stage = 1_000
    messages: list[str | None] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        assert (progress, total) == (len(messages) + 1, None)
        messages.append(message)

    async with connect_local() as client:
        await client.call_tool(*ADD, progress_callback=note)
    read = [one for one in messages if one and one.startswith("unpack")]
    assert 2 <= len(read) < 200
    assert read[-1] == "unpack pypi:cart 1.0: 1000 of 1000 files"


async def test_a_client_that_did_not_ask_for_progress_gets_the_answer_alone(connect_local: Connect) -> None:
    async with connect_local() as client:
        assert "indexed 1 APIs" in text_of(await client.call_tool(*ADD))


async def cancel_while_reading(connect: Connect, desk: MemoryDesk) -> None:
    """Start indexing, cancel it while its source is held, then let the source go on."""
    desk.source.hold = True
    async with connect() as client:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call_tool, *ADD)
            assert await anyio.to_thread.run_sync(desk.source.reached.wait, 20)
            tasks.cancel_scope.cancel()
            # In the modern era client and server share a task in memory, so the source is let go from another thread.
            threading.Timer(0.1, desk.source.go.set).start()
        assert await anyio.to_thread.run_sync(desk.ledger.failed.wait, 20)
        assert "wagon" in text_of(await client.call_tool("list_apis", {}))  # the connection still answers


async def test_cancelling_stops_the_indexing_and_leaves_the_index_whole(
    connect_local: Connect, desk: MemoryDesk
) -> None:
    before = list(desk.catalog.published())
    await cancel_while_reading(connect_local, desk)
    assert list(desk.catalog.published()) == before
    assert desk.packs.clean([one.pack for one in before]) == []
    (call,) = desk.ledger.calls(5, error="cancelled")
    assert call.operation == "index_library"


async def test_after_a_cancelled_call_the_same_call_succeeds(connect_local: Connect, desk: MemoryDesk) -> None:
    await cancel_while_reading(connect_local, desk)
    async with connect_local() as client:
        assert "pypi:cart 1.0: indexed" in text_of(await client.call_tool(*ADD))


async def test_reading_goes_on_while_something_is_indexed(connect_local: Connect, desk: MemoryDesk) -> None:
    desk.source.hold = True
    async with connect_local() as client, anyio.create_task_group() as tasks:
        tasks.start_soon(client.call_tool, *ADD)
        assert await anyio.to_thread.run_sync(desk.source.reached.wait, 20)
        text = text_of(await client.call_tool("get_api_detail", {"api": "roll", "library": "wagon"}))
        assert text.startswith("[Version: pypi:wagon 0.1.0]")
        desk.source.go.set()


async def test_calls_at_the_same_time_each_get_their_own_answer(connect: Connect, desk: MemoryDesk) -> None:
    answers: dict[int, str] = {}

    async with connect() as client:

        async def ask(number: int) -> None:
            version = ("1.0.0", "2.0.0")[number % 2]
            arguments = {"api": "send", "library": "parcel", "version": version}
            answers[number] = text_of(await client.call_tool("get_api_detail", arguments))

        async with anyio.create_task_group() as tasks:
            for number in range(40):
                tasks.start_soon(ask, number)
    for number, text in answers.items():
        assert text.startswith(f"[Version: pypi:parcel {('1.0.0', '2.0.0')[number % 2]}]")
        assert ("fast" in text) == bool(number % 2)
    assert len(answers) == len({one.trace_id for one in desk.ledger.calls(100)}) == 40


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (Step("resolve", "pypi:x"), "resolve pypi:x"),
        (Step("download", "x.whl", 1_200_000, 0, "bytes"), "download x.whl: 1.2 MB"),
        (Step("download", "x.whl", 0, 2_000_000, "bytes"), "download x.whl: 0.0 of 2.0 MB"),
        (Step("embed", "x", 3, 0, "chunks"), "embed x: 3 chunks"),
        (Step("embed", "x", 3, 9), "embed x: 3 of 9"),
    ],
)
async def test_a_step_reads_as_a_person_would_say_it(step: Step, text: str) -> None:
    assert message_of(step) == text
