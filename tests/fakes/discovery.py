"""A small discovery document in the structure of the real ones."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import orjson

from refdesk.domain.entries import SourceFiles
from refdesk.domain.libraries import Library
from refdesk.domain.releases import Carrier, Origin, Release, Updated

PATH = "documents/shelf.v1.json"


def source(content: bytes | Mapping[str, Any]) -> SourceFiles:
    data = content if isinstance(content, bytes) else orjson.dumps(content)
    release = Release(Library("gcp", "shelf"), "v1", Carrier("google-api-python-client", "2.0.0"))
    origin = Origin("google-api-python-client", "2.0.0", "g.whl", "0" * 64, verified=True)
    return SourceFiles(
        release, "discovery", {PATH: data}, origin, Updated(datetime(2026, 1, 1, tzinfo=UTC), "revision")
    )


def shelf() -> dict[str, Any]:
    return {
        "kind": "discovery#restDescription",
        "name": "shelf",
        "version": "v1",
        "revision": "20260101",
        "title": "Shelf API",
        "description": "Keeps things on shelves.",
        "documentationLink": "https://example.org/shelf",
        "baseUrl": "https://shelf.example.org/v1/",
        "auth": {"oauth2": {"scopes": {"https://auth/all": {"description": "See and change shelves"}}}},
        "parameters": {"$.xgafv": {"type": "string", "location": "query", "description": "Error format."}},
        "resources": {
            "items": {
                "methods": {
                    "put": {
                        "id": "shelf.items.put",
                        "path": "racks/{rack}/items",
                        "flatPath": "racks/{rackId}/items",
                        "httpMethod": "POST",
                        "description": "Puts an item\non a rack. It stays there.",
                        "parameterOrder": ["rack", "absent"],
                        "parameters": {
                            "dry.run": {"type": "boolean", "location": "query", "default": False},
                            "order": {
                                "type": "string",
                                "location": "query",
                                "enum": ["UP", "DOWN", "SIDE"],
                                "enumDescriptions": ["Upwards.", "", ""],
                                "enumDeprecated": [False, True, False],
                            },
                            "rack": {
                                "type": "string",
                                "location": "path",
                                "required": True,
                                "pattern": "^[a-z]+$",
                                "description": "Name of the rack.",
                            },
                            "limit": {
                                "type": "integer",
                                "format": "int32",
                                "location": "query",
                                "minimum": "0",
                                "maximum": "1.5",
                            },
                            "tags": {"type": "string", "repeated": True, "location": "query"},
                            "row": {
                                "type": "string",
                                "location": "query",
                                "description": "Deprecated. Use `rack` instead.",
                            },
                            "old": {"type": "string", "location": "header", "deprecated": True},
                        },
                        "request": {"$ref": "Item"},
                        "response": {"$ref": "Item"},
                        "scopes": ["https://auth/all", "https://auth/other"],
                        "mediaUpload": {
                            "accept": ["image/*"],
                            "maxSize": "10GB",
                            "protocols": {"simple": {"multipart": True, "path": "/upload/racks/{rack}/items"}},
                        },
                        "apiVersion": "2026-01-01",
                    },
                    "get": {
                        "id": "shelf.items.get",
                        "path": "items/{item}",
                        "httpMethod": "GET",
                        "response": {"$ref": "Item"},
                        "supportsMediaDownload": True,
                    },
                    "list": {
                        "id": "shelf.items.list",
                        "path": "items",
                        "httpMethod": "GET",
                        "description": "Lists items.",
                        "parameters": {"pageToken": {"type": "string", "location": "query"}},
                        "response": {"$ref": "ItemList"},
                    },
                    "import": {
                        "id": "shelf.items.import",
                        "path": "items:import",
                        "httpMethod": "POST",
                        "description": "Imports items.",
                        "deprecated": True,
                    },
                    "move": {
                        "id": "shelf.items.move",
                        "path": "items:move",
                        "httpMethod": "POST",
                        "description": "Deprecated: Use `items.put` instead.",
                        "deprecated": True,
                    },
                },
                "resources": {
                    "put": {"methods": {"undo": {"id": "shelf.items.put.undo", "path": "undo", "httpMethod": "POST"}}}
                },
            }
        },
        "schemas": {
            "Item": {
                "id": "Item",
                "type": "object",
                "description": "A thing on a shelf.",
                "properties": {
                    "id": {
                        "type": "string",
                        "readOnly": True,
                        "description": "Its id.",
                        "annotations": {"required": ["shelf.items.put", "shelf.items.get"]},
                    },
                    "state": {
                        "type": "string",
                        "enum": ["NEW", "OLD"],
                        "enumDescriptions": ["Just put.", "Long there."],
                        "description": "Output only. Its state.",
                        "readOnly": True,
                    },
                    "size": {"type": "object", "properties": {"width": {"type": "integer", "format": "int32"}}},
                    "parts": {"type": "array", "items": {"$ref": "Item"}},
                    "corners": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "number"}}}},
                    "colours": {"type": "array", "items": {"type": "string", "enum": ["RED"]}},
                    "labels": {"type": "object", "additionalProperties": {"type": "string"}},
                    "extra": {"type": "object", "additionalProperties": True},
                    "blob": {"type": "object"},
                    "anything": {"type": "any"},
                    "kind": {"type": "string", "default": "shelf#item"},
                    "row": {"type": "string", "deprecated": True, "description": "Deprecated: use `rack`."},
                    "ghost": {"$ref": "Ghost"},
                },
            },
            "ItemList": {
                "id": "ItemList",
                "type": "object",
                "properties": {
                    "nextPageToken": {"type": "string"},
                    "items": {"type": "array", "items": {"$ref": "Item"}},
                },
            },
            "Empty": {"id": "Empty", "type": "object"},
            "Rows": {"id": "Rows", "type": "array", "items": {"type": "object", "properties": {"a": {"type": "any"}}}},
            "Bag": {"id": "Bag", "type": "object", "additionalProperties": {"type": "any"}},
            "Mixed": {
                "id": "Mixed",
                "type": "object",
                "properties": {"a": {"type": "string"}},
                "additionalProperties": {"type": "integer"},
            },
            "Value": {"id": "Value", "type": "any", "description": "Any JSON."},
        },
    }
