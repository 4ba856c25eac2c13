"""Cursors: where to go on in a list or page; bound to the pack that they were made for."""

import base64
import binascii
import json

from refdesk.domain.errors import InvalidInput


def make_cursor(pack: str, after: str | int) -> str:
    """An opaque cursor that goes on after a name or offset in a pack."""
    return base64.urlsafe_b64encode(json.dumps([pack, after]).encode()).decode().rstrip("=")


def read_cursor(cursor: str, pack: str) -> str | int:
    """What follows a cursor.

    Raises:
        InvalidInput: No cursor of ours, or one of a pack that has been replaced since.
    """
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        made_for, after = json.loads(base64.urlsafe_b64decode(padded.encode("ascii", "strict")))
    except (ValueError, binascii.Error, UnicodeError, TypeError) as error:
        raise InvalidInput(
            f"{cursor[:40]!r} is not a cursor.", "Pass next_cursor of the answer before, or leave it out."
        ) from error
    if not isinstance(after, str | int) or isinstance(after, bool):
        raise InvalidInput("That cursor holds no position.", "Leave cursor out to start again.")
    if made_for != pack:
        raise InvalidInput(
            "That cursor belongs to another index of this release; the index has been rebuilt, or the call names"
            " another release.",
            "Leave cursor out to start again.",
        )
    return after
