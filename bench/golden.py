"""Golden questions on real packages, asked through the command line: right, wrong, wrong version, or not covered.

A question is answered from what refdesk says in JSON, never from its data. Each row's `expected` facts are checked one
by one; which API or release a fact is about is taken from the row (`library`, `version`, `evidence`). Rows that need
later parts of refdesk (npm packages, differences of two releases, how-to questions in Chinese) are counted as not
covered, with the part that they wait for.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.cli import Cli, Reply
from bench.machine import data_folder, describe

KINDS = ("signature", "parameter", "availability", "deprecation", "error")
LIBRARIES = ("aws:", "google:", "gcp:", "azure-storage", "azure-mgmt-")

_EVIDENCE = re.compile(r"(?P<package>[A-Za-z0-9-]+)==(?P<version>[^:\s]+): (?P<path>\S+)(?: :: (?P<symbol>[\w.]+))?")


class WrongVersionError(Exception):
    """An answer that is not from the release that the question is about."""


@dataclass(frozen=True, slots=True)
class Proof:
    """One piece of evidence of a row: a file of a package, and the symbol in it."""

    package: str
    version: str
    path: str
    symbol: str


@dataclass(frozen=True, slots=True)
class Question:
    """One row."""

    id: str
    kind: str
    library: str
    version: str
    expected: Mapping[str, Any]
    proofs: tuple[Proof, ...]

    @property
    def via(self) -> str:
        """The carrier that the question is about, `PACKAGE==VERSION`."""
        if "==" in self.version and ".." not in self.version:
            return self.version
        return f"{self.proofs[0].package}=={self.proofs[0].version}"


def main(arguments: list[str]) -> int:
    """Ask all questions; the exit code says whether any answer was wrong."""
    folder = data_folder()
    if folder is None:
        print("golden: no benchmark data here (set REFDESK_BENCH_DATA); nothing was asked")
        return 0
    path = Path(arguments[0]) if arguments else folder / "golden-questions" / "golden-questions.jsonl"
    questions = [read(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    cli = Cli(Path(__file__).parents[1] / ".cache" / "bench-golden")
    print(f"{describe()}\ngolden: {len(questions)} questions of {path.name}")
    verdicts: Counter[str] = Counter()
    for question in questions:
        verdict, why = judge(question, cli)
        verdicts[verdict] += 1
        print(f"{question.id:8} {verdict:13} {why}")
    print(", ".join(f"{verdicts[name]} {name}" for name in ("right", "wrong", "wrong version", "not covered")))
    return 1 if verdicts["wrong"] or verdicts["wrong version"] else 0


def read(row: Mapping[str, Any]) -> Question:
    """A row of the file."""
    matches = [_EVIDENCE.match(text) for text in row["evidence"]]
    proofs = tuple(Proof(m["package"], m["version"], m["path"], m["symbol"] or "") for m in matches if m)
    return Question(row["id"], row["kind"], row["library"], row["version"], row["expected"], proofs)


def judge(question: Question, cli: Cli) -> tuple[str, str]:
    """What became of one question, and why."""
    if not question.library.startswith(LIBRARIES) or question.kind not in KINDS:
        return "not covered", f"waits for a later issue ({question.kind} of {question.library})"
    facts = [check for keys, check in CHECKS if all(key in question.expected for key in keys)]
    if not facts:
        return "not covered", f"no check for {', '.join(question.expected)}"
    try:
        faults = [fault for check in facts for fault in check(question, cli)]
    except WrongVersionError as error:
        return "wrong version", str(error)
    return ("wrong", "; ".join(faults)) if faults else ("right", f"{len(facts)} checks")


Faults = Iterable[str]


def _library(question: Question) -> str:
    name = question.library
    return name if ":" in name else f"pypi:{name}"


def _indexed(question: Question, cli: Cli, version: str = "") -> str:
    """Add the release in question; returns the version to ask for."""
    library = _library(question)
    if library.startswith("pypi:"):
        wanted = question.via.partition("==")[2]
        cli.add(f"{library}@{wanted}")
        return wanted
    api = version or ("" if "==" in question.version else question.version)
    cli.add(library + (f"@{api}" if api else ""), question.via)
    return f"{api} via {question.via}" if api else question.via


def _served(reply: Reply, question: Question) -> dict[str, Any]:
    answer = reply.answer
    package = question.via.partition("==")[2]
    if answer and package not in (answer["version"]["served"], (answer["version"]["via"] or "").partition("==")[2]):
        raise WrongVersionError(f"{answer['version_line']} instead of {question.via}")
    return answer


def _api(question: Question, cli: Cli, name: str, version: str = "") -> dict[str, Any]:
    wanted = _indexed(question, cli, version)
    return _served(cli.ask("api", name, "--library", _library(question), "--version", wanted), question)


def _name(question: Question) -> str:
    expected = question.expected
    return str(expected.get("operation") or expected.get("method") or expected.get("paginator")).rpartition(":")[2]


def _differs(what: str, got: object, wanted: object) -> Faults:
    return [] if got == wanted else [f"{what}: {got!r} instead of {wanted!r}"]


def required(question: Question, cli: Cli) -> Faults:
    """Required top-level parameters."""
    answer = _api(question, cli, _name(question))
    top = [one["name"] for one in answer.get("params", []) if one["required"] and "." not in one["name"]]
    return _differs("required", sorted(top), sorted(question.expected["required"]))


def enum_of_operation(question: Question, cli: Cli) -> Faults:
    """The allowed values of one of the parameters."""
    answer = _api(question, cli, _name(question))
    lists = [one["enum"] for one in answer.get("params", [])]
    wanted = list(question.expected["enum"])
    return [] if wanted in lists else [f"no parameter allows exactly {wanted}"]


def http(question: Question, cli: Cli) -> Faults:
    """Verb and path."""
    answer = _api(question, cli, _name(question))
    got = answer.get("attributes", {}).get("http", {})
    wanted = question.expected
    pairs = (("path", "path"), ("flatPath", "flat_path"), ("http", "method"))
    return [fault for key, ours in pairs if key in wanted for fault in _differs(key, got.get(ours), wanted[key])]


def parameter_order(question: Question, cli: Cli) -> Faults:
    """Order of the parameters, and the schema of the body."""
    answer = _api(question, cli, _name(question))
    order = answer.get("attributes", {}).get("parameter_order")
    bodies = [one["type"] for one in answer.get("params", []) if one["name"] == "body"]
    return [
        *_differs("parameterOrder", order, question.expected["parameterOrder"]),
        *_differs("request", bodies, [question.expected["request"]]),
    ]


def paginator(question: Question, cli: Cli) -> Faults:
    """Tokens and keys of a paginator."""
    got = _api(question, cli, _name(question)).get("attributes", {}).get("paginator", {})
    keys = ("input_token", "output_token", "more_results", "limit_key", "result_key")
    return [
        fault
        for key in keys
        if key in question.expected
        for fault in _differs(key, got.get(key), question.expected[key])
    ]


def removed(question: Question, cli: Cli) -> Faults:
    """An operation that is gone: since when, and what does its work now."""
    expected = question.expected
    package = question.via.partition("==")[0]
    cli.add(_library(question), f"{package}=={expected['last_seen_in']}")
    wanted = _indexed(question, cli)
    name = _name(question).rpartition(".")[2]
    answer = cli.ask("check-version", name, "--library", _library(question), "--version", wanted).answer
    faults = [*_differs("status", answer.get("status"), "removed")]
    seen = [one["state"] for one in answer.get("states", []) if expected["last_seen_in"] in one["version"]]
    faults += [] if seen and seen[0] != "absent" else [f"not seen in {expected['last_seen_in']}"]
    if "use_service" in expected:
        service = f"aws:{expected['use_service']}"
        cli.add(service, question.via)
        found = cli.ask("api", expected["use_operation"], "--library", service, "--version", question.via)
        faults += _differs(f"{service} {expected['use_operation']}", found.code, 0)
    return faults


def api_versions(question: Question, cli: Cli) -> Faults:
    """In which API versions of one carrier an operation exists."""
    expected = question.expected
    faults: list[str] = []
    states: dict[str, str] = {}
    for version in (*expected["api_versions"], *expected["absent_in"]):
        wanted = _indexed(question, cli, version)
        answer = cli.ask("check-version", _name(question), "--library", _library(question), "--version", wanted).answer
        _served(Reply(0, answer, {}), question)
        states[version] = answer.get("status", "")
    faults += [f"{one} is {states[one]}" for one in expected["api_versions"] if states[one] != "available"]
    faults += [f"{one} is {states[one]}" for one in expected["absent_in"] if states[one] in ("available", "deprecated")]
    if "api_versions_bundled" in expected:
        error = cli.add(f"{_library(question)}@1900-01-01", question.via).error
        bundled = len(error.get("details", {}).get("available", []))
        faults += _differs("API versions bundled", bundled, expected["api_versions_bundled"])
    return faults


def resource(question: Question, cli: Cli) -> Faults:
    """In which API versions a resource exists."""
    faults: list[str] = []
    versions = {key: value for key, value in question.expected.items() if isinstance(value, bool)}
    for version, exists in versions.items():
        wanted = _indexed(question, cli, version)
        name = question.expected["resource"]
        answer = cli.ask("check-version", name, "--library", _library(question), "--version", wanted).answer
        _served(Reply(0, answer, {}), question)
        got = answer.get("status") in ("available", "deprecated")
        faults += _differs(version, got, exists)
    return faults


def deprecated_methods(question: Question, cli: Cli) -> Faults:
    """All methods that are marked as deprecated by a flag."""
    wanted = _indexed(question, cli)
    names: list[str] = []
    cursor: list[str] = []
    while True:
        arguments = ("apis", _library(question), "--version", wanted, "--limit", "500", *cursor)
        answer = cli.ask(*arguments).answer
        names += [one["name"] for one in answer["apis"] if one["deprecated"] and one["kind"] == "method"]
        if not answer["next_cursor"]:
            break
        cursor = ["--cursor", answer["next_cursor"]]
    flagged = [name for name in names if _api(question, cli, name)["deprecated"]["evidence"] == "flag"]
    return _differs("deprecated methods", sorted(flagged), sorted(question.expected["deprecated_methods"]))


def keyword(question: Question, cli: Cli) -> Faults:
    """Default of a keyword argument, and the error that its description names."""
    expected = question.expected
    answer = _api(question, cli, question.proofs[0].symbol)
    rows = [one for one in answer.get("params", []) if one["name"] == expected["keyword"]]
    if not rows:
        return [f"no parameter {expected['keyword']}"]
    faults = [*_differs("default", rows[0]["default"], str(expected["default"]))]
    told = json.dumps(rows[0]) + json.dumps(answer["errors"])
    return [*faults, *([] if expected.get("error", "") in told else [f"{expected['error']} is not mentioned"])]


def _in_folder(proof: Proof, version: str) -> str:
    """Name of the proof's symbol in the folder of another API version: `…v2021_08_01.models.NAME`."""
    symbol = proof.symbol.removesuffix(".__init__")
    package = proof.path.partition("/v20")[0].replace("/", ".")
    return f"{package}.v{version.replace('-', '_')}.models.{symbol}"


def first_api_version(question: Question, cli: Cli) -> Faults:
    """From which API version on a class takes a keyword, and what came with it."""
    expected = question.expected
    proof = question.proofs[0]
    before = re.findall(r"/v(\d{4}_\d{2}_\d{2})/", question.proofs[1].path)[0].replace("_", "-")
    new, old = (
        {
            one["name"]
            for one in _api(question, cli, _in_folder(proof, version)).get("params", [])
            if "." not in one["name"]
        }
        for version in (expected["first_api_version"], before)
    )
    return _differs("added together", sorted(new - old), sorted(expected["added_together"]))


def enum_versions(question: Question, cli: Cli) -> Faults:
    """In which API versions an enum has a value."""
    expected = question.expected
    faults: list[str] = []
    for version in (*expected["api_versions"], expected["absent_in"]):
        answer = _api(question, cli, _in_folder(question.proofs[0], version))
        has = expected["value"] in json.dumps(answer)
        faults += _differs(f"{expected['value']} in {version}", has, version in expected["api_versions"])
    return faults


def added_on(question: Question, cli: Cli) -> Faults:
    """The API version that a method needs."""
    answer = _api(question, cli, question.expected["method"])
    return _differs("since", answer.get("since"), question.expected["method_added_on"])


CHECKS: tuple[tuple[tuple[str, ...], Callable[[Question, Cli], Faults]], ...] = (
    (("required",), required),
    (("operation", "enum"), enum_of_operation),
    (("method", "path"), http),
    (("method", "flatPath"), http),
    (("parameterOrder", "request"), parameter_order),
    (("paginator",), paginator),
    (("operation", "last_seen_in"), removed),
    (("operation", "api_versions"), api_versions),
    (("resource",), resource),
    (("deprecated_methods",), deprecated_methods),
    (("keyword", "default"), keyword),
    (("first_api_version", "added_together"), first_api_version),
    (("enum", "value", "api_versions"), enum_versions),
    (("method", "method_added_on"), added_on),
)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
