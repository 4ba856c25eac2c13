"""What one call of `add` says: specs, and beside them how the pages of a site are found.

Forms: `pypi:httpx --version 0.27.2`, `site:flask@3.0 --url https://…`, `site:handbook --path docs`,
`site:tools --urls https://… --urls https://… --documents pypi:tools`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal
from urllib.parse import urlsplit

from refdesk.domain.errors import InvalidInput
from refdesk.domain.libraries import Library
from refdesk.domain.specs import ScopeRule, SiteOptions, Spec, VersionFrom, parse_specs

_LABEL = re.compile(r"[^\s@]+\Z")
_UNREADABLE = re.compile(r"[\s\x00-\x1f\x7f]")
_DEFAULTS = SiteOptions()


@dataclass(frozen=True, slots=True)
class AddOptions:
    """What stands beside the specs.

    Attributes:
        via: Carrier of `aws:` and `gcp:` libraries, `PACKAGE==VERSION`.
        version: Version of the one spec that is given.
        path: Folder that a site is read from, instead of `url` and `urls`.
        url, urls, version_from, max_pages, render, documents: As in `SiteOptions`.
        scope: The same; empty where none was chosen: then `path`, or `listed` without a `url`.
    """

    via: str = ""
    version: str = ""
    url: str = ""
    path: str = ""
    urls: tuple[str, ...] = ()
    version_from: VersionFrom = ""
    scope: ScopeRule | Literal[""] = ""
    max_pages: int = _DEFAULTS.max_pages
    render: bool = False
    documents: str = ""

    def places(self) -> Sequence[str]:
        """Names of the options that say where pages are."""
        return [name for name in ("url", "path", "urls") if getattr(self, name)]

    def of_crawling(self) -> Sequence[str]:
        """Names of the options that make sense for pages that are fetched, and not for a folder."""
        given = {
            "urls": self.urls,
            "scope": self.scope,
            "max_pages": self.max_pages != _DEFAULTS.max_pages,
            "render": self.render,
            "version_from": self.version_from in ("url", "switcher"),
        }
        return [name for name, said in given.items() if said]

    def of_sites(self) -> Sequence[str]:
        """Names of all options that make sense for a site only."""
        given = {"version_from": self.version_from, "documents": self.documents}
        named = [*self.places(), *self.of_crawling(), *(name for name, said in given.items() if said)]
        return list(dict.fromkeys(named))


def parse_add(words: Sequence[str], options: AddOptions) -> tuple[Spec, ...]:
    """Read the specs of one `add` call with what stands beside them.

    Raises:
        InvalidInput: A word that is no spec, or a mixture that cannot be meant; the suggestion is a call that can.
    """
    of_sites = options.of_sites()
    if not of_sites:
        return tuple(_with_version(parse_specs(words, options.via), options.version))
    spec = _site(words, options)
    _refuse_strangers(spec, options)
    return (_described(spec, options),)


def _with_version(specs: Sequence[Spec], version: str) -> Sequence[Spec]:
    if not version.strip():
        return specs
    if len(specs) > 1:
        raise InvalidInput(
            f"version belongs to one library, and {len(specs)} are named.", f"Write: {specs[0].library}@{version}"
        )
    return [_versioned(specs[0], version)]


def _versioned(spec: Spec, version: str) -> Spec:
    version = version.strip()
    if spec.version and version and spec.version != version:
        raise InvalidInput(
            f"Two versions of {spec.library} are named: {spec.version} and {version}.",
            f"Write one of them: {spec.library}@{version}",
        )
    version = version or spec.version
    if version and not _LABEL.match(version):
        raise InvalidInput(f"{version!r} cannot label a version.", f"Write for example: {spec.library}@2.1")
    return replace(spec, version=version)


def _site(words: Sequence[str], options: AddOptions) -> Spec:
    """The spec of the one site that is named, without what stands beside it.

    Raises:
        InvalidInput: Several libraries, another library than a site, or a place that is named twice.
    """
    said = _list(options.of_sites())
    folder = any(word.strip().startswith("files:") for word in words)
    specs = parse_specs(words) if folder else [_named(word, options) for word in words]
    if len(specs) != 1:
        raise InvalidInput(
            f"{said} {'describe' if ' and ' in said else 'describes'} one site, and {len(specs)} libraries are named.",
            f"Add it by itself: refdesk add site:NAME {_example(options)}",
        )
    (spec,) = specs
    if folder and options.places():
        raise InvalidInput(
            f"files:{spec.path} says where the pages of {spec.library} are, and {_list(options.places())} does too.",
            f"Write: refdesk add {spec.library} {_example(options)}",
        )
    return spec


def _named(word: str, options: AddOptions) -> Spec:
    name, _, version = word.strip().partition("@")
    library = Library.parse(name)
    if library.ecosystem != "site":
        raise InvalidInput(
            f"{library} is read from its package registry; {_said(options.of_sites())} for documentation sites.",
            f"Write: refdesk add site:{library.name.strip('*') or 'NAME'} {_example(options)} --documents {library}",
        )
    if library.name == "*":
        raise InvalidInput("site:* names no site.", f"Write: refdesk add site:NAME {_example(options)}")
    return Spec(library, version.strip())


def _refuse_strangers(spec: Spec, options: AddOptions) -> None:
    """Refuse what does not go together.

    Raises:
        InvalidInput: With the call that leaves out what is wrong.
    """
    library = spec.library
    if options.via:
        raise InvalidInput(f"{library} has no carrier; via is for aws: and gcp:.", "Leave via out.")
    if options.path and options.url:
        raise InvalidInput(
            "url and path name two places.",
            f"Write one: refdesk add {library} --url {options.url}, or: refdesk add {library} --path {options.path}",
        )
    folder = options.path or spec.path
    if folder and options.of_crawling():
        raise InvalidInput(
            f"{_said(options.of_crawling())} for pages that are fetched; a folder is read whole.",
            f"Write: refdesk add {library} --path {folder}",
        )
    if not folder and not options.url and not options.urls:
        raise InvalidInput(
            f"{library} needs to be told where its pages are.",
            f"Write: refdesk add {library} --url URL, or: refdesk add {library} --path FOLDER",
        )
    if options.scope in ("path", "host") and not options.url:
        raise InvalidInput(
            f"scope={options.scope} needs a url to begin at.", f"Write: refdesk add {library} --url URL --urls URL"
        )
    if options.version_from and (spec.version or options.version):
        raise InvalidInput(
            f"The version is given, {spec.version or options.version}; there is nothing to find out by version_from.",
            "Leave one of them out.",
        )


def _described(spec: Spec, options: AddOptions) -> Spec:
    spec = _versioned(spec, options.version)
    documents = _documented(options.documents)
    if options.path.lower().startswith(("http://", "https://")):
        raise InvalidInput(
            f"path is a folder on this machine, and {options.path} is an address.",
            f"Write: refdesk add {spec.library} --url {options.path}",
        )
    if options.path or spec.path:
        said = SiteOptions(version_from=options.version_from, documents=documents)
        return replace(spec, path=options.path or spec.path, site=None if said == _DEFAULTS else said)
    urls = tuple(dict.fromkeys(_address(one, spec.library, "urls") for one in options.urls))
    return replace(
        spec,
        site=SiteOptions(
            url=_address(options.url, spec.library, "url") if options.url else "",
            urls=urls,
            version_from=options.version_from,
            scope=options.scope or ("path" if options.url else "listed"),
            max_pages=options.max_pages,
            render=options.render,
            documents=documents,
        ),
    )


def _address(text: str, library: Library, option: str) -> str:
    """An address that can be fetched and may be shown.

    Raises:
        InvalidInput: No http or https url, or one that carries a password.
    """
    text = text.strip()
    try:
        parts = urlsplit(text)
        host, secret = parts.hostname, parts.password is not None
    except ValueError:
        host, secret, parts = None, False, urlsplit("")
    if secret:
        raise InvalidInput(
            f"{option} carries a password, and addresses are stored and shown.", "Leave the password out."
        )
    if parts.scheme in ("http", "https") and host and not _UNREADABLE.search(text):
        return text
    shown = text if len(text) <= 100 else f"{text[:99]}…"
    if option == "url" and text.startswith(("/", ".", "~", "file:")):
        way = f"For a folder write: refdesk add {library} --path {shown.removeprefix('file://')}"
    elif re.match(r"[\w-]+(\.[\w-]+)+([:/]|\Z)", text) and "//" not in text:
        way = f"Write: --{option} https://{shown}"
    else:
        way = f"Write: --{option} https://HOST/PATH/"
    raise InvalidInput(f"{option}: {shown!r} is no http or https address.", way, value=shown)


def _documented(text: str) -> str:
    """The library that a site documents, in its canonical spelling; empty if none is stated.

    Raises:
        InvalidInput: No library of a package registry, or one with a version.
    """
    if not text.strip():
        return ""
    name = re.split(r"[@=]", text.strip())[0]
    library = Library.parse(name)
    if library.ecosystem == "site" or library.name == "*" or name != text.strip():
        raise InvalidInput(
            f"documents names a library without a version, and {text.strip()!r} is none.",
            f"Write for example: --documents {library if library.ecosystem != 'site' else f'pypi:{library.name}'}",
        )
    return str(library)


def _said(names: Sequence[str]) -> str:
    return f"{_list(names)} {'are' if len(names) > 1 else 'is'}"


def _list(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _example(options: AddOptions) -> str:
    if options.path:
        return f"--path {options.path}"
    return f"--url {options.url or 'URL'}"
