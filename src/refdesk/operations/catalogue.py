"""All operations, in the order in which agents see them."""

from typing import Any

from refdesk.operations import admin, checkup, docs, extracting, refreshing, specification
from refdesk.operations.descriptor import Operation

CATALOGUE: tuple[Operation[Any, Any], ...] = (
    *docs.OPERATIONS,
    *specification.OPERATIONS,
    *extracting.OPERATIONS,
    *admin.OPERATIONS,
    *refreshing.OPERATIONS,
    *checkup.OPERATIONS,
)
