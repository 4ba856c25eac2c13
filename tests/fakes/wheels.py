"""Small wheels of our own writing in a find-links folder: a service in botocore's structure, a Python package."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fakes.registry import upload, write_links, zip_of

PARCEL = '''"""Send parcels."""

__all__ = ["Client", "send"]


class Client:
    """Sends parcels.

    Args:
        timeout: Seconds to wait.
    """

    def __init__(self, *, timeout: float = 5.0) -> None:
        self.timeout = timeout

    def get(self, url: str) -> bytes:
        """Get a parcel."""
        return b""


def send(what: str{more}) -> None:
    """Send one parcel to somebody."""
'''


def links(folder: Path) -> str:
    """Write the wheels; returns the folder for `PIP_FIND_LINKS`."""
    packages = {
        "botocore": [
            wheel("botocore", "1.34.0", _botocore(newer=False)),
            wheel("botocore", "1.44.0", _botocore(newer=True)),
        ],
        "parcel": [
            wheel("parcel", "1.0.0", {"parcel/__init__.py": PARCEL.replace("{more}", "").encode()}),
            wheel(
                "parcel", "2.0.0", {"parcel/__init__.py": PARCEL.replace("{more}", ", *, fast: bool = False").encode()}
            ),
            wheel("parcel", "3.0.0", {"parcel/__init__.py": PARCEL.replace("{more}", "").encode()}, escape=True),
        ],
    }
    return write_links(folder, packages)


def wheel(name: str, version: str, files: Mapping[str, bytes], *, escape: bool = False) -> Any:
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nSummary: About {name}.\n\n# {name}\n\nText.\n"
    content = {
        **files,
        f"{info}/METADATA": metadata.encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": b"",
    }
    if escape:
        content["../outside.py"] = b""
    return upload(f"{name}-{version}-py3-none-any.whl", zip_of(content))


def _botocore(*, newer: bool) -> dict[str, bytes]:
    members: dict[str, Any] = {
        "Depot": {"shape": "Name", "documentation": "<p>Which depot keeps it.</p>"},
        "Key": {"shape": "Name", "documentation": "<p>Under which name.</p>"},
        "Labels": {"shape": "Labels", "documentation": "<p>What is written on it.</p>"},
    }
    if newer:
        members["IfNoneMatch"] = {"shape": "Name", "documentation": "<p>Keep it only if there is none yet.</p>"}
    shapes = {
        "Name": {"type": "string", "min": 1, "max": 255},
        "Labels": {"type": "list", "member": {"shape": "Label"}},
        "Label": {"type": "structure", "members": {"Key": {"shape": "Name"}, "Value": {"shape": "Name"}}},
        "KeepParcelRequest": {"type": "structure", "required": ["Depot", "Key"], "members": members},
        "KeepParcelOutput": {"type": "structure", "members": {"ETag": {"shape": "Name"}}},
        "NoSuchDepot": {
            "type": "structure",
            "members": {},
            "exception": True,
            "error": {"httpStatusCode": 404},
            "documentation": "<p>There is no such depot.</p>",
        },
    }
    operations = {
        "KeepParcel": {
            "name": "KeepParcel",
            "http": {"method": "PUT", "requestUri": "/{Depot}/{Key}"},
            "input": {"shape": "KeepParcelRequest"},
            "output": {"shape": "KeepParcelOutput"},
            "errors": [{"shape": "NoSuchDepot"}],
            "documentation": "<p>Keeps a parcel in a depot.</p>",
        }
    }
    model = {
        "version": "2.0",
        "metadata": {
            "apiVersion": "2020-01-01",
            "endpointPrefix": "depot",
            "protocol": "rest-json",
            "serviceFullName": "Depot",
            "serviceId": "Depot",
            "signatureVersion": "v4",
            "uid": "depot-2020-01-01",
        },
        "operations": operations,
        "shapes": shapes,
        "documentation": "<p>Depots keep parcels.</p>",
    }
    return {
        "botocore/__init__.py": b"",
        "botocore/data/depot/2020-01-01/service-2.json": json.dumps(model).encode(),
    }
