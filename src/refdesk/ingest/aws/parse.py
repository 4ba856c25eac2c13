"""One AWS service in one API version, from the bytes of its model to entries."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from refdesk.domain.entries import Entries, Relation, SourceFiles
from refdesk.domain.shapes import Shape
from refdesk.domain.symbols import Symbol
from refdesk.ingest.aws.errors import read_errors
from refdesk.ingest.aws.files import read_model
from refdesk.ingest.aws.graph import read_shapes
from refdesk.ingest.aws.operations import read_operations, read_service
from refdesk.ingest.aws.waiters import read_waiters


def parse_aws(source: SourceFiles) -> Entries:
    """Read a service model with its paginators, waiters, examples and extras.

    Args:
        source: The files of one service and one API version, plain or gzipped, as they lie in a botocore wheel.

    Returns:
        Symbols (operations, errors, waiters), the graph of shapes, relations and problems; no chunks, no pages.

    Raises:
        SourceRejected: The service model is missing, or a file of it is damaged, no JSON, not UTF-8 or too large.
    """
    model = read_model(source.files)
    shapes, problems = read_shapes(model.service, model.path)
    operations = read_operations(read_service(model, shapes))
    errors = read_errors(model.service, shapes, model.path)
    symbols = _with_distinct_names([*operations, *errors, *read_waiters(model, shapes)])
    errors = [symbol for symbol in symbols if symbol.kind == "error"]
    return Entries(
        symbols=symbols,
        shapes=shapes,
        relations=tuple(dict.fromkeys(_relations(operations, errors, shapes))),
        problems=(*source.problems, *model.problems, *problems),
    )


def _with_distinct_names(symbols: Sequence[Symbol]) -> tuple[Symbol, ...]:
    """A later symbol whose canonical name is taken gets its kind as a prefix; all its names still lead to it."""
    taken: set[str] = set()
    distinct: list[Symbol] = []
    for symbol in symbols:
        name = f"{symbol.kind}.{symbol.name}" if symbol.name in taken else symbol.name
        taken.add(name)
        distinct.append(symbol if name == symbol.name else replace(symbol, name=name, names=(name, *symbol.names)))
    return tuple(distinct)


def _relations(
    operations: Sequence[Symbol], errors: Sequence[Symbol], shapes: Mapping[str, Shape]
) -> Iterator[Relation]:
    known = {name.lower(): symbol.name for symbol in operations for name in symbol.names}
    of_shape = {error.name.removeprefix("error."): error.name for error in errors}
    for operation in operations:
        for error in operation.errors:
            if error.name in of_shape:
                yield Relation(operation.name, "raises", of_shape[error.name])
        for structure in _structures(operation.input_shape, shapes):
            yield Relation(operation.name, "parameter_type", structure)
        if operation.returns is not None and operation.returns.shape in shapes:
            yield Relation(operation.name, "returns", operation.returns.shape)
        replacement = operation.deprecation.replacement.lower() if operation.deprecation else ""
        if replacement in known and known[replacement] != operation.name:
            yield Relation(operation.name, "replaced_by", known[replacement])


def _structures(request: str, shapes: Mapping[str, Shape]) -> Iterator[str]:
    """Structures that the top-level parameters have as their types, through lists and maps."""
    shape = shapes.get(request)
    for member in shape.members if shape is not None else ():
        seen: set[str] = set()
        inner = shapes.get(member.shape)
        while inner is not None and inner.element and inner.name not in seen:
            seen.add(inner.name)
            inner = shapes.get(inner.element)
        if inner is not None and inner.type == "structure":
            yield inner.name
