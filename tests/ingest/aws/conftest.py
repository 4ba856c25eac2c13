import gzip
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from refdesk.domain.entries import Entries, SourceFiles
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Carrier, Origin, Release, Updated
from refdesk.ingest.aws import parse_aws

FOLDER = "botocore/data/gates/2020-01-02/"

SERVICE: dict[str, Any] = {
    "version": "2.0",
    "metadata": {
        "apiVersion": "2020-01-02",
        "protocol": "rest-json",
        "serviceFullName": "Example Gate Service",
        "serviceId": "Gates",
        "signatureVersion": "v4",
        "uid": "gates-2020-01-02",
    },
    "operations": {
        "OpenGate": {
            "name": "OpenGate2020_01_02",
            "http": {"method": "PUT", "requestUri": "/gates/{Name}"},
            "input": {"shape": "OpenGateRequest"},
            "output": {"shape": "OpenGateResult", "documentation": "<p>What was opened.</p>"},
            "errors": [
                {"shape": "NoSuchGate"},
                {"shape": "GateBusy", "documentation": "<p>Somebody stands in it.</p>"},
                {"shape": "NoSuchGate"},
                {"shape": "Storm"},
            ],
            "documentation": "<note><p>Only by day.</p></note><p>Opens <code>one</code> gate. It creaks.</p>",
            "authtype": "v4-unsigned-body",
            "endpoint": {"hostPrefix": "gate."},
        },
        "UnlatchGates": {
            "http": {"method": "POST", "requestUri": "/old"},
            "input": {"shape": "OpenGateRequest"},
            "deprecated": True,
            "deprecatedMessage": "This operation is deprecated, use OpenGate instead.",
            "deprecatedSince": "2019-05-06",
            "auth": ["aws.auth#sigv4", "smithy.api#noAuth"],
        },
        "WatchGates": {
            "http": {"method": "GET", "requestUri": "/watch"},
            "output": {"shape": "WatchGatesResult"},
            "documentation": "<p>This action is deprecated.</p>",
        },
        "ListGateARNs": {"http": {}, "input": {"shape": "ListGatesRequest"}, "deprecated": True},
    },
    "shapes": {
        "OpenGateRequest": {
            "type": "structure",
            "required": ["Name"],
            "members": {
                "Width": {"shape": "Width", "documentation": "<p>In <i>cm</i>.</p>"},
                "Name": {"shape": "Name", "location": "uri", "locationName": "Name"},
                "Owner": {"shape": "Name", "location": "header", "deprecated": True, "deprecatedMessage": "Use Tags."},
                "Speed": {"shape": "Name", "documentation": "<p>This member is no longer used.</p>"},
                "Force": {"shape": "Flag", "location": "querystring"},
                "Token": {"shape": "Name", "idempotencyToken": True},
                "Tags": {"shape": "Tags"},
                "Parts": {"shape": "Parts", "location": "headers"},
                "Body": {"shape": "Body"},
                "Opened": {"shape": "When"},
            },
        },
        "OpenGateResult": {"type": "structure", "members": {"Part": {"shape": "Part"}}, "documentation": "<p>No.</p>"},
        "WatchGatesResult": {"type": "structure", "members": {"Name": {"shape": "Name"}, "Live": {"shape": "Events"}}},
        "ListGatesRequest": {"type": "structure", "members": {f"M{number}": {"shape": "Name"} for number in range(16)}},
        "Events": {"type": "structure", "members": {"Part": {"shape": "Part"}}, "eventstream": True},
        "Part": {
            "type": "structure",
            "members": {"Parts": {"shape": "Parts"}, "Weight": {"shape": "Weight"}},
            "union": True,
            "documentation": "<p>A part of a gate.</p>",
            "deprecated": True,
        },
        "Parts": {"type": "list", "member": {"shape": "Part", "documentation": "<p>Inner first.</p>"}, "max": 9},
        "Tags": {"type": "map", "key": {"shape": "Kind"}, "value": {"shape": "Name"}},
        "Kind": {"type": "string", "enum": ["wood", "iron"], "max": 4},
        "Name": {"type": "string", "min": 1, "max": 63, "pattern": "[a-z]+", "sensitive": True},
        "Width": {"type": "integer", "min": 10, "box": True},
        "Weight": {"type": "double"},
        "Flag": {"type": "boolean"},
        "Body": {"type": "blob", "streaming": True},
        "When": {"type": "timestamp", "timestampFormat": "iso8601"},
        "Free": {"type": "structure", "members": {}, "document": True},
        "NoSuchGate": {
            "type": "structure",
            "members": {"message": {"shape": "Name"}},
            "error": {"httpStatusCode": 404, "code": "GateNotFound"},
            "exception": True,
            "documentation": "<p>There is no gate of that name. Build it.</p>",
        },
        "GateBusy": {
            "type": "structure", "members": {}, "exception": True, "fault": True, "retryable": {"throttling": True}
        },
        "Storm": {"type": "structure", "members": {}},
        "Sender": {"type": "structure", "members": {}, "error": {"senderFault": True}},
        "Moved": {"type": "structure", "members": {}, "error": {"httpStatusCode": 301}},
    },
}  # fmt: skip

PAGINATORS = {"pagination": {"ListGateARNs": {"input_token": ["A", "B"], "output_token": "C", "result_key": "D"}}}

WAITERS = {
    "version": 2,
    "waiters": {
        "GateOpen": {
            "operation": "OpenGate",
            "delay": 5,
            "maxAttempts": 20,
            "description": "<p>Waits for the gate.</p>",
            "acceptors": [
                {"matcher": "status", "expected": 200, "state": "success"},
                {"matcher": "error", "expected": "NoSuchGate", "state": "retry"},
                {"matcher": "error", "expected": True, "state": "failure"},
                {"matcher": "path", "argument": "Part.Weight", "expected": "0", "state": "success"},
                {"matcher": "pathAll", "argument": "Parts[].Weight", "expected": "1", "state": "success"},
                {"matcher": "pathAny", "argument": "Parts[].Weight", "expected": "2", "state": "failure"},
                {"matcher": "moon", "expected": None, "state": "full"},
            ],
        }
    },
}

EXAMPLES = {
    "examples": {
        "OpenGate": [
            {
                "title": " To open a gate ",
                "description": "<p>Opens it.</p>",
                "input": {
                    "Name": "north",
                    "Width": "12",
                    "Force": "true",
                    "Body": "oil",
                    "Opened": "2020-01-02T03:04:00Z",
                    "Tags": {"wood": "oak"},
                    "Parts": [{"Weight": "1.5", "Parts": [{"Weight": 2}]}] * 2,
                    "x-not-known": "later",
                },
                "output": {"Part": {"Weight": 1}},
                "comments": {"input": {"Name": "which\n gate"}, "output": {}},
            },
            {"input": {}, "output": {}},
        ]
    }
}


def packed(value: object) -> bytes:
    return gzip.compress(json.dumps(value).encode(), mtime=0)


def source(files: Mapping[str, bytes]) -> SourceFiles:
    return SourceFiles(
        release=Release(Library("aws", "gates"), "2020-01-02", Carrier("botocore", "1.0")),
        format="aws",
        files=files,
        origin=Origin("botocore", "1.0", "botocore-1.0-py3-none-any.whl", "0" * 64, verified=True),
        updated=Updated(datetime(2020, 1, 2, tzinfo=UTC), "registry"),
    )


@pytest.fixture(scope="session")
def folder() -> str:
    return FOLDER


@pytest.fixture
def gate_files() -> dict[str, bytes]:
    return {
        FOLDER + "endpoint-rule-set-1.json.gz": b"not read",
        FOLDER + "examples-1.json": json.dumps(EXAMPLES).encode(),
        FOLDER + "paginators-1.json.gz": packed(PAGINATORS),
        FOLDER + "service-2.json.gz": packed(SERVICE),
        FOLDER + "waiters-2.json": json.dumps(WAITERS).encode(),
    }


@pytest.fixture(scope="session")
def parse() -> Callable[[Mapping[str, bytes]], Entries]:
    return lambda files: parse_aws(source(files))


@pytest.fixture
def gates(gate_files: dict[str, bytes], parse: Callable[[Mapping[str, bytes]], Entries]) -> Entries:
    return parse(gate_files)


@pytest.fixture
def service() -> dict[str, Any]:
    copied: dict[str, Any] = json.loads(json.dumps(SERVICE))
    return copied


@pytest.fixture(scope="session")
def pack() -> Callable[[object], bytes]:
    return packed
