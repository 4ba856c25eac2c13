"""How the Python client spells what a discovery document declares.

After google-api-python-client, `googleapiclient/discovery.py`: `fix_method_name`, `key2param`, `_add_next_methods`,
`_fix_up_media_upload`, `_add_basic_methods`.
"""

import keyword
import re
from collections.abc import Iterable, Sequence

from refdesk.domain.symbols import Param


def method_name(name: str) -> str:
    """A method's or resource's name in Python: `import` → `import_`, `get-all` → `get_all`."""
    fixed = name.replace("$", "_").replace("-", "_")
    return f"{fixed}_" if keyword.iskeyword(fixed) or fixed == "body" else fixed


def param_name(name: str) -> str:
    """A parameter's name in Python: `endDate.day` → `endDate_day`, `$.xgafv` → `x__xgafv`."""
    fixed = re.sub(r"[\W_]", "_", name)
    return fixed if name[:1].isalpha() else f"x{fixed}"


def chain(path: Sequence[str]) -> str:
    """How one reaches a resource: `service.projects().locations()`."""
    return ".".join(["service", *(f"{method_name(one)}()" for one in path)])


def call(path: Sequence[str], method: str, params: Iterable[Param]) -> str:
    """A call as one writes it: what is required and the body with `…`, what may be left out with `None`."""
    written = [f"{param_name(one.name)}={'…' if one.required or one.name == 'body' else 'None'}" for one in params]
    return f"{chain(path)}.{method_name(method)}({', '.join(written)})"


def spellings(identifier: str, api: str, path: Sequence[str], method: str) -> tuple[str, ...]:
    """Every name of a method: its id, the API's name with the path of resources, and the client's chain."""
    raw, python = ".".join([*path, method]), ".".join(method_name(one) for one in [*path, method])
    every = [identifier, f"{api}.{raw}", python, f"{api}.{python}", raw]
    return tuple(dict.fromkeys(one for one in every if "." in one))


MEDIA_BODY = Param(
    "media_body",
    "file name or MediaUpload",
    doc="The file to upload: its name, or an instance of a MediaUpload subclass such as MediaFileUpload.",
    kind="body",
)
MEDIA_MIME_TYPE = Param(
    "media_mime_type",
    "string",
    doc="MIME type of the file that `media_body` names; guessed from its ending if left out.",
    kind="body",
)
NEXT_PARAMS = (
    Param("previous_request", "HttpRequest", required=True, doc="The request for the page before this one."),
    Param("previous_response", "dict", required=True, doc="What that request returned."),
)
