# ruff: noqa: E501  # HTML as generators write it: long lines whose breaks would be text
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from refdesk.domain.symbols import Param
from refdesk.ingest.html.heads.signatures import code_text, copyable, read_declaration, signature_text, tidy


@pytest.mark.parametrize(
    ("declared", "params"),
    [
        ("open()", ()),
        ("open(path)", (Param("path", required=True),)),
        ("open(path, mode='r')", (Param("path", required=True), Param("mode", default="'r'"))),
        ("open(path, sep=', ', to=(1, 2))", (Param("path", required=True), Param("sep", default="', '"), Param("to", default="(1, 2)"))),
        ("axis(n=- 1)", (Param("n", default="-1"),)),
        ("f(a: dict[str, int] = {}, b: str | None = None)", (Param("a", "dict[str, int]", default="{}"), Param("b", "str | None", default="None"))),
        ("f(a, /, b, *, c, d=1)", (
            Param("a", required=True, kind="positional_only"), Param("b", required=True),
            Param("c", required=True, kind="keyword_only"), Param("d", default="1", kind="keyword_only"),
        )),
        ("f(*args, key, **kwargs)", (
            Param("args", kind="var_positional"), Param("key", required=True, kind="keyword_only"),
            Param("kwargs", kind="var_keyword"),
        )),
        ("range(start, stop[, step])", (Param("start", required=True), Param("stop", required=True), Param("step"))),
        ("open([path[, mode]])", (Param("path"), Param("mode"))),
        ("f(a, b=[])", (Param("a", required=True), Param("b", default="[]"))),
        ("f(self, a)", (Param("a", required=True),)),
        ("f(9, a", (Param("a", required=True),)),
    ],
)  # fmt: skip
def test_parameters_of_python(declared: str, params: tuple[Param, ...]) -> None:
    assert read_declaration(declared, "python").params == params


@pytest.mark.parametrize(
    ("declared", "language", "name", "params"),
    [
        ("PyObject *PyList_New(Py_ssize_t len)", "c", "PyList_New", (Param("len", "Py_ssize_t", required=True),)),
        ("int printf(const char *format, ...)", "c", "printf", (Param("format", "const char *", required=True), Param("...", kind="var_positional"))),
        ("int rand(void)", "c", "rand", ()),
        ("void f(int a[3], std::map<int, int> m = {})", "cpp", "f", (Param("a", "int [3]", required=True), Param("m", "std::map<int, int>", default="{}"))),
        ("public Date(int year, String... rest)", "java", "Date", (Param("year", "int", required=True), Param("rest", "String...", kind="var_positional"))),
        ("@A(x=1)\npublic int get(Map<K,V> of)", "java", "get", (Param("of", "Map<K,V>", required=True),)),
        ("pub fn push(&mut self, value: Vec<T, A>) -> bool", "rust", "push", (Param("value", "Vec<T, A>", required=True),)),
        ("fs.read(path[, options], callback)", "javascript", "read", (Param("path", required=True), Param("options"), Param("callback", required=True))),
        ("read(path?: string, ...rest: string[])", "typescript", "read", (Param("path", "string"), Param("rest", "string[]", kind="var_positional"))),
        ("on(then: (a: A) => B)", "typescript", "on", (Param("then", "(a: A) => B", required=True),)),
    ],
)  # fmt: skip
def test_parameters_of_other_languages(declared: str, language: str, name: str, params: tuple[Param, ...]) -> None:
    assert read_declaration(declared, language, name).params == params


def test_what_comes_back_stands_after_the_arrow() -> None:
    assert read_declaration("f(a) -> list[int]", "python").returns == "list[int]"
    assert read_declaration("fn f<T>(a: T) -> u8\nwhere\n    T: A", "rust", "f").returns == "u8"
    assert read_declaration("int f(a)", "c", "f").returns == ""


def test_a_declaration_without_parameters_calls_nothing() -> None:
    assert not read_declaration("tap.LIMIT = 3", "python").called
    assert read_declaration("tap()", "python", "tap").called


@given(st.text(max_size=60), st.sampled_from(["python", "c", "rust", ""]), st.text("abc", max_size=3))
def test_any_text_is_read(text: str, language: str, name: str) -> None:
    read_declaration(f"f({text}", language, name)
    read_declaration(text, language, name)


def element(markup: str) -> html.HtmlElement:
    return html.fragment_fromstring(markup)


MARKED = """<dt><em class="property"><span class="pre">class</span> </em><span class="sig-name descname">Tap</span>(<em>a</em>,
<em><abbr title="Keyword-only parameters separator (PEP 3102)">*</abbr></em>, <em>b</em>)<span class="viewcode-link">[source]</span>
<a class="reference" href="x"><span class="viewcode-link">[source]</span></a><a class="headerlink" href="#x">¶</a></dt>"""


def test_marks_and_tooltips_are_no_part_of_a_declaration() -> None:
    assert signature_text(element(MARKED)) == "class Tap(a, *, b)"


def test_lines_of_a_declaration_stay() -> None:
    assert signature_text(
        element("<dt>template&lt;typename T&gt;<br>void f(\n  T t)<a class='headerlink'>#</a></dt>")
    ) == ("template<typename T>\nvoid f( T t)")
    assert code_text(element("<pre>f(\n    a,\n)<!-- x --><a class='headerlink'>#</a>\n</pre>")) == "f(\n    a,\n)"


def test_marks_inside_a_declaration_go_too() -> None:
    assert signature_text(element("<h4>fn <a class='anchor'>§</a>f()<b>x</b></h4>")) == "fn f()x"


def test_arrows_are_code() -> None:
    assert (copyable("f() → int"), copyable("f()→ int"), copyable("f()")) == ("f() -> int", "f()-> int", "f()")
    assert tidy("(- 1, 2)") == "(-1, 2)"
