"""Descriptors are texts for agents: short, with an example that works."""

import json
import re
from typing import Any

import pytest

from refdesk.domain.errors import RefdeskError
from refdesk.operations.catalogue import CATALOGUE
from refdesk.operations.descriptor import Operation
from refdesk.operations.dispatcher import validate
from refdesk.operations.guidance import INSTRUCTIONS, PROMPTS, rules

every = pytest.mark.parametrize("one", CATALOGUE, ids=[one.name for one in CATALOGUE])


@every
def test_a_description_is_short_and_ends_with_an_example_that_validates(one: Operation[Any, Any]) -> None:
    assert len(one.description.encode()) < 1_024
    text, _, example = one.description.partition(" Example: ")
    assert text.endswith(".")
    validate(one, json.loads(example))


@every
def test_the_examples_that_are_executed_validate(one: Operation[Any, Any]) -> None:
    for example in one.examples:
        assert example.shows
        validate(one, example.arguments)


@every
def test_every_argument_says_what_it_is_in_a_line(one: Operation[Any, Any]) -> None:
    for name, field in one.input.model_fields.items():
        assert field.description, name
        assert len(field.description) <= 160
    assert next(iter(one.output.model_fields)) == "version_line"


def test_names_commands_and_places_are_unique_and_in_a_stable_order() -> None:
    names = [one.name for one in CATALOGUE]
    assert names == [
        "search_docs",
        "get_page",
        "list_apis",
        "get_api_detail",
        "check_version",
        "get_specification",
        "extract_page",
        "index_library",
        "list_releases",
        "remove_library",
        "refresh_library",
        "check_index",
    ]
    for key in ("cli", "rest"):
        values = [getattr(one, key) for one in CATALOGUE]
        assert len(set(values)) == len(values)
    assert [one.name for one in CATALOGUE if one.effects == "write"] == [
        "index_library", "remove_library", "refresh_library",
    ]  # fmt: skip


@every
def test_ceilings_keep_to_the_budgets(one: Operation[Any, Any]) -> None:
    assert one.ceiling <= 25_000
    assert all(issubclass(error, RefdeskError) for error in one.errors)


def test_descriptions_name_only_tools_that_exist() -> None:
    names = {one.name for one in CATALOGUE}
    texts = [one.description for one in CATALOGUE] + [INSTRUCTIONS, rules()]
    verbs = "search|get|list|check|index|remove|refresh|extract"
    said = {name for text in texts for name in re.findall(rf"\b(?:{verbs})_[a-z_]+", text)}
    assert said <= names


def test_instructions_are_under_a_kilobyte_of_what_clients_keep() -> None:
    assert len(INSTRUCTIONS.encode()) < 1_024
    assert [prompt.name for prompt in PROMPTS] == ["ground_my_code", "review_code", "migration_guide"]
