"""Cursors: where to go on in a list or page; bound to the index and the call that they were made for."""

import base64
import binascii
import hashlib
import json

from refdesk.domain.errors import InvalidInput


def make_cursor(scope: str, after: str | int) -> str:
    """An opaque cursor that goes on after a name or offset.

    Args:
        scope: What it is valid for: the pack, and the document or list inside it.
        after: The last name that was listed, or the offset that comes next.
    """
    return base64.urlsafe_b64encode(json.dumps([_mark(scope), after]).encode()).decode().rstrip("=")


def read_cursor(cursor: str, scope: str) -> str | int:
    """What follows a cursor.

    Raises:
        InvalidInput: No cursor of ours, one of another document or list, or of a pack that has been replaced since.
    """
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        made_for, after = json.loads(base64.urlsafe_b64decode(padded.encode("ascii", "strict")))
    except (ValueError, binascii.Error, RecursionError, TypeError) as error:
        raise InvalidInput(
            f"{cursor[:40]!r} is not a cursor.", "Pass next_cursor of the answer before, or leave it out."
        ) from error
    if not isinstance(after, str | int) or isinstance(after, bool):
        raise InvalidInput("That cursor holds no position.", "Leave cursor out to start again.")
    if made_for != _mark(scope):
        raise InvalidInput(
            "That cursor does not belong to this call: it was made for another page, list or release, or the index"
            " has been rebuilt since.",
            "Leave cursor out to start again.",
        )
    return after


def _mark(scope: str) -> str:
    """A short stand-in for the scope; 48 bits are plenty to notice a mix-up, and cursors cost tokens."""
    return hashlib.blake2s(scope.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
