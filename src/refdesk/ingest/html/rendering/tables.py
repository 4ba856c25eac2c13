"""Tables: spans resolved by repeating, several header rows joined, blocks inside cells kept."""

from dataclasses import dataclass, field

from lxml.html import HtmlElement

from refdesk.ingest.html.rendering.blocks import bold
from refdesk.ingest.html.rendering.code import code_text, language_of, numbered_code, write_code
from refdesk.ingest.html.rendering.escaping import BREAK, code_span, escape, one_line
from refdesk.ingest.html.rendering.queries import found, truth
from refdesk.ingest.html.rendering.tags import HEADINGS
from refdesk.ingest.html.rendering.walker import ClassHandler, Lines, Walker

_MOST_COLUMNS = 200
_MOST_REPEATED = 20_000
_DEEPEST = 30
_BLOCKS_INSIDE = truth(
    ".//*[self::p or self::ul or self::ol or self::dl or self::pre or self::div or self::blockquote"
    " or self::h1 or self::h2 or self::h3 or self::h4 or self::h5 or self::h6]"
)
_is_framework = truth(".//table or .//h1 or .//h2 or .//section or .//article")
_may_be_code = truth(".//td[@class]//pre")
_holds_header = truth(".//th")
_titled_empty = found(".//*[@title or @aria-label]")


@dataclass(slots=True)
class _Cell:
    text: str
    header: bool
    across: int
    down: int


@dataclass(slots=True)
class _Table:
    """Cells with their spans, row by row, and what was lifted out of them.

    Attributes:
        header: How many of the first rows are headers.
        lifted: Blocks of code from inside cells, with their languages.
    """

    rows: list[list[_Cell]] = field(default_factory=list)
    header: int = 0
    lifted: list[tuple[str, str]] = field(default_factory=list)


def table(walker: Walker, element: HtmlElement, out: Lines) -> None:
    """A table of data; what only arranges other things is rendered as these things."""
    if walker.by_class(element, out) or (_may_be_code(element) and numbered_code(walker, element, out)):
        return
    rows = _rows(element)
    if not rows or _arranges(element, rows):
        walker.flow(element, out)
        return
    for one in dict.fromkeys([element, *(row.getparent() for row in rows), *rows]):
        walker.stray(one, out)
    for one in element:
        if one.tag == "caption" and not walker.left_out(one):
            run: Lines = []
            walker.inline(one, run)
            out += (bold(one_line(run)), "") if one_line(run) else ()
    _write(_read(walker, rows), out)


def grid(walker: Walker, element: HtmlElement, out: Lines) -> bool:
    """Javadoc's table of divisions: as many columns as it has headers, then cell after cell."""
    cells = [child for child in element if isinstance(child.tag, str) and not walker.left_out(child)]
    columns = sum("table-header" in (cell.get("class") or "").split() for cell in cells)
    if columns < 2 or len(cells) % columns:
        return False
    found = _Table(header=1)
    read = [_Cell(cell_text(walker, cell, found.lifted), False, 1, 1) for cell in cells]
    found.rows = [read[at : at + columns] for at in range(0, len(read), columns)]
    _write(found, out)
    return True


def cell_text(walker: Walker, cell: HtmlElement, lifted: list[tuple[str, str]]) -> str:
    """A cell in one line: breaks as `<br>`, items with dashes, pipes escaped; code of several lines is lifted out."""
    run: Lines = []
    if len(cell) and _BLOCKS_INSIDE(cell):
        _CellBlocks(walker, run, lifted).add(cell)
    else:
        walker.inline(cell, run)
    text = one_line(run, "<br>")
    if not text and len(cell):
        marked = next(iter(_titled_empty(cell)), None)
        text = escape((marked.get("title") or marked.get("aria-label") or "").strip()) if marked is not None else ""
    return text.replace("|", "\\|") if "|" in text else text


def _rows(element: HtmlElement) -> list[HtmlElement]:
    """The rows of this table, header first and footer last, not those of tables inside."""
    head: list[HtmlElement] = []
    body: list[HtmlElement] = []
    foot: list[HtmlElement] = []
    for child in element:
        if child.tag == "tr":
            body.append(child)
        elif child.tag in ("thead", "tbody", "tfoot"):
            place = {"thead": head, "tbody": body, "tfoot": foot}[child.tag]
            place += [row for row in child if row.tag == "tr"]
        elif child.tag in ("td", "th"):  # DevDocs and old pages leave out the row
            return [element]
    return head + body + foot


def _arranges(element: HtmlElement, rows: list[HtmlElement]) -> bool:
    """Whether a table is no table of data but a means to put things beside each other."""
    if element.get("role") in ("presentation", "none") or _is_framework(element):
        return True
    widest = max(sum(cell.tag in ("td", "th") for cell in row) for row in rows)
    if widest <= 1:
        return not _holds_header(element) and (len(rows) == 1 or _BLOCKS_INSIDE(element))
    return False


def _read(walker: Walker, rows: list[HtmlElement]) -> _Table:
    found = _Table()
    in_header = True
    for row in rows:
        if walker.left_out(row):
            continue
        cells = [cell for cell in row if cell.tag in ("td", "th") and not walker.left_out(cell)]
        read = [
            _Cell(
                cell_text(walker, cell, found.lifted),
                cell.tag == "th",
                _span(cell.get("colspan"), _MOST_COLUMNS),
                _span(cell.get("rowspan"), 65_534),
            )
            for cell in cells
        ]
        if not read:
            continue
        found.rows.append(read)
        parent = row.getparent()
        is_header = (parent is not None and parent.tag == "thead") or all(cell.header for cell in read)
        in_header = in_header and is_header
        found.header += in_header
    if found.header == len(found.rows) and found.header > 1:
        found.header = 1  # nothing but headers: the rows are data
    return found


def _write(found: _Table, out: Lines) -> None:
    out += _written(found)
    for number, (code, language) in enumerate(found.lifted, 1):
        out += (f"Code {number}:", "")
        write_code(code, language, out)


def _written(found: _Table) -> Lines:
    grid = _grid(found.rows)
    width = max((len(row) for row in grid), default=0)
    if not width:
        return []
    grid = [row + [""] * (width - len(row)) for row in grid]
    header = grid[0] if found.header == 1 else _joined(grid[: found.header], width)
    lines = [_line(header), "|" + " --- |" * width]
    return [*lines, *map(_line, grid[found.header :]), ""]


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _joined(rows: list[list[str]], width: int) -> list[str]:
    """Several header rows as one: what stands above one another, each text once."""
    return [" / ".join(dict.fromkeys(row[at] for row in rows if row[at])) for at in range(width)]


def _grid(rows: list[list[_Cell]]) -> list[list[str]]:
    """Texts by row and column, each cell repeated over the rows and columns that it spans."""
    grid: list[list[str]] = []
    hanging: dict[int, tuple[int, str]] = {}
    for number, row in enumerate(rows):
        line: list[str] = []
        for cell in [*row, None]:
            while len(line) in hanging:
                left, text = hanging.pop(len(line))
                if left > 1:
                    hanging[len(line)] = (left - 1, text)
                line.append(text)
            if cell is None:
                continue
            down = min(cell.down or len(rows), len(rows) - number)
            again = cell.text if len(cell.text) * cell.across * down <= _MOST_REPEATED else ""
            for offset in range(cell.across):
                if len(line) < _MOST_COLUMNS:
                    if down > 1:
                        hanging[len(line)] = (down - 1, again)
                    line.append(again if offset else cell.text)
        grid.append(line)
    return grid


def _span(value: str | None, most: int) -> int:
    """How far a cell reaches; a rowspan of 0 means to the end, which `most` rows are."""
    if value is None or not value.strip().isdecimal() or len(value) > 6:
        return 1
    return min(int(value) or (most if most > _MOST_COLUMNS else 1), most)


class _CellBlocks:
    """Blocks in a cell as lines that breaks set apart."""

    def __init__(self, walker: Walker, run: Lines, lifted: list[tuple[str, str]]) -> None:
        self._walker = walker
        self._run = run
        self._lifted = lifted

    def add(self, element: HtmlElement, depth: int = 0) -> None:
        """What an element holds."""
        if element.text:
            self._run.append(escape(element.text))
        for child in element:
            if isinstance(child.tag, str) and not self._walker.left_out(child):
                self._child(child, depth)
            if child.tail:
                self._run.append(escape(child.tail))

    def _child(self, child: HtmlElement, depth: int) -> None:
        run, tag = self._run, child.tag
        if tag == "pre":
            self._code(child)
        elif tag in HEADINGS:
            inner: Lines = []
            self._walker.inline(child, inner)
            run += (BREAK, bold(one_line(inner)), BREAK)
        elif depth < _DEEPEST and (tag in ("li", "ul", "ol") or (len(child) and _BLOCKS_INSIDE(child))):
            at = len(run)
            self.add(child, depth + 1)
            text = "".join(run[at:]).lstrip(f"{BREAK} \n\t")
            run[at:] = [f"{BREAK}- " if tag == "li" else BREAK, text, BREAK]
        else:
            self._walker.inline_element(child, run)

    def _code(self, child: HtmlElement) -> None:
        code = code_text(self._walker, child)
        if "\n" in code:
            self._lifted.append((code, language_of(child)))
            self._run.append(f"{BREAK}(code {len(self._lifted)} below){BREAK}")
        else:
            self._run += (BREAK, code_span(code), BREAK)


BLOCKS = {"table": table}

CLASSES: dict[str, ClassHandler] = {"summary-table": grid}
