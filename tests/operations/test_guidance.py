"""Ready-made prompts and rules."""

import pytest

from refdesk.domain.errors import InvalidInput
from refdesk.operations.guidance import PROMPTS, Prompt, rules

BY_NAME = {one.name: one for one in PROMPTS}
FILLED = {
    "ground_my_code": {"task": "send a parcel", "library": "pypi:parcel", "version": "1.0"},
    "review_code": {"code": "```\nparcel.send()\n```", "library": "pypi:parcel", "version": "1.0"},
    "migration_guide": {"library": "pypi:parcel", "from": "1.0", "to": "2.0"},
}


@pytest.mark.parametrize("prompt", PROMPTS, ids=[one.name for one in PROMPTS])
def test_a_prompt_holds_what_was_filled_in(prompt: Prompt) -> None:
    given = FILLED[prompt.name]
    text = prompt.text(given)
    assert all(value in text for value in given.values())


@pytest.mark.parametrize("prompt", PROMPTS, ids=[one.name for one in PROMPTS])
def test_optional_arguments_may_be_left_out_and_required_ones_not(prompt: Prompt) -> None:
    required = {one.name: FILLED[prompt.name][one.name] for one in prompt.arguments if one.required}
    assert prompt.text(required)
    for name in required:
        with pytest.raises(InvalidInput) as caught:
            prompt.text({**required, name: "  "})
        assert name in caught.value.message


def test_an_unknown_argument_names_the_nearest() -> None:
    with pytest.raises(InvalidInput) as caught:
        BY_NAME["review_code"].text({"cod": "x"})
    assert "did you mean 'code'?" in caught.value.message
    with pytest.raises(InvalidInput) as caught:
        BY_NAME["review_code"].text({"zzzzz": "x"})
    assert caught.value.message.endswith("'zzzzz'.")


def test_code_is_fenced_by_a_fence_that_it_does_not_hold() -> None:
    assert "````" in BY_NAME["review_code"].text({"code": "```\nx\n```"})


def test_rules_for_cursor_apply_always() -> None:
    assert rules("cursor").startswith("---\n")
    assert rules("cursor").endswith(rules())
