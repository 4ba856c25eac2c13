"""Where a site begins: what lies at the address that a person named, and what belongs to the site from there.

==================  ==============================================  =================================================
what lies there     what is read                                    the folder of the site
==================  ==============================================  =================================================
a page              it and what its links lead to, in scope         below its address where its links lie there
                                                                    (`/docs` without a slash), else its folder
`llms.txt`          the pages that it lists, on its host            the innermost folder of all of them
`llms-full.txt`     itself, parted into its pages                   its folder
a sitemap           the pages that it and its sitemaps list         the innermost folder of all of them
`objects.inv`       the pages that it names, and their links        its folder
==================  ==============================================  =================================================

A redirect of the start is followed within its host (`http` to `https` too); one that leads to another host is told
with the call that follows it. Under `--scope host` links are followed on the whole host, whatever lies at the start.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from refdesk.adapters.crawler.links import hash_routes
from refdesk.adapters.sources.sitemaps import Listed, read_inventory, read_sitemap
from refdesk.domain.errors import InvalidInput, NetworkUnavailable, NotFound, RefdeskError, SourceRejected
from refdesk.domain.llms import is_llms, links_of
from refdesk.domain.specs import ScopeRule, SiteOptions, Spec
from refdesk.domain.urls import Scope, canonical, common_folder, folder_of, host_of, same_host
from refdesk.ports.fetcher import Fetched

Kind = Literal["page", "llms", "full", "sitemap", "inventory", "urls"]
Fetch = Callable[[str], Fetched]

_MOST_LISTS = 50


@dataclass(frozen=True, slots=True)
class Start:
    """Where a crawl begins.

    Attributes:
        page: What lies at the first address.
        kind: What that is.
        starts: Canonical addresses to begin with.
        outside: Addresses that a list names on other hosts.
    """

    page: Fetched
    kind: Kind
    starts: tuple[str, ...]
    scope: Scope
    outside: int = 0


def find_start(spec: Spec, fetch: Fetch) -> Start:
    """Look at what lies at the address of a spec.

    Raises:
        InvalidInput: An address that is none, or that cannot be what it is said to be.
        NotFound: There is nothing, or nothing that its links lead to belongs to the site.
        SourceRejected: It may not be fetched: robots.txt, a private network, a redirect to another host. Or its pages
            have no addresses.
        NetworkUnavailable: The server did not answer.
    """
    options = spec.site or SiteOptions()
    urls = tuple(dict.fromkeys(_address(url, spec) for url in options.urls))
    first = _address(options.url, spec) if options.url else urls[0]
    page = fetch(first)
    if page.error or page.status != 200:
        raise _not_there(spec, first, page)
    if not options.url:
        root = common_folder(urls)
        return Start(page, "urls", urls, _scope("listed", options, root or folder_of(first), urls))
    start = _listed(spec, page, urls, fetch) or _page(spec, page, urls)
    if start.kind == "page":
        _need_addresses(spec, start)
        _need_links(spec, start)
    return start


def _listed(spec: Spec, page: Fetched, urls: tuple[str, ...], fetch: Fetch) -> Start | None:
    """The start for a list of any kind; None for a page."""
    options = spec.site or SiteOptions()
    url = page.final_url
    name = url.rpartition("/")[2].lower()
    if name in ("llms.txt", "llms-full.txt"):
        if not is_llms(page.body):
            raise SourceRejected(
                f"{url} is an HTML page, although it is called {name}; the server answers it for whatever it lacks.",
                f"Crawl the site instead: refdesk add {_named(spec)} --url {folder_of(url)}",
            )
        if name == "llms-full.txt":
            return Start(page, "full", (url,), Scope(folder_of(url), "listed", frozenset((url, *urls))))
        found = Listed(links_of(page.body.decode("utf-8", "replace"), url))
        return _of_list(spec, page, "llms", found, urls)
    inventory = read_inventory(page.body, url)
    if inventory is not None:
        root = folder_of(url)
        scope = _scope(options.scope, options, root, (url, root, *urls))
        return Start(page, "inventory", (root, *inventory.urls, url, *urls), scope)
    sitemap = read_sitemap(page.body, url)
    if sitemap is None:
        return None
    return _of_list(spec, page, "sitemap", Listed(_all_of(sitemap, url, fetch)), urls)


def _of_list(spec: Spec, page: Fetched, kind: Kind, found: Listed, urls: tuple[str, ...]) -> Start:
    options = spec.site or SiteOptions()
    inside = tuple(one for one in found.urls if same_host(one, page.final_url))
    if not inside and not urls:
        raise NotFound(
            f"{page.final_url} lists no page of its own host ({len(found.urls)} of others).",
            f"Name a page to begin with: refdesk add {_named(spec)} --url https://{host_of(page.final_url)}/",
        )
    starts = tuple(dict.fromkeys((*inside, *urls)))
    root = common_folder(starts) or folder_of(page.final_url)
    rule: ScopeRule = "host" if options.scope == "host" else "listed"
    return Start(page, kind, starts, _scope(rule, options, root, starts), len(found.urls) - len(inside))


def _all_of(sitemap: Listed, url: str, fetch: Fetch) -> tuple[str, ...]:
    """The pages of a sitemap and of those that it names, to two levels."""
    found = dict.fromkeys(sitemap.urls)
    waiting: list[tuple[str, int]] = [(one, 1) for one in sitemap.lists]
    asked = {url}
    while waiting and len(asked) <= _MOST_LISTS:
        address, depth = waiting.pop(0)
        if address in asked or not same_host(address, url):
            continue
        asked.add(address)
        answer = fetch(address)
        inner = read_sitemap(answer.body, answer.final_url) if answer.status == 200 else None
        if inner is not None:
            found.update(dict.fromkeys(inner.urls))
            waiting.extend((one, depth + 1) for one in inner.lists if depth < 2)
    return tuple(found)


def _page(spec: Spec, page: Fetched, urls: tuple[str, ...]) -> Start:
    options = spec.site or SiteOptions()
    url = page.final_url
    root = folder_of(url)
    below = url.partition("?")[0] + "/"
    last = below.rstrip("/").rpartition("/")[2]
    if not url.endswith("/") and "." not in last and any(link.startswith(below) for link in page.links):
        # `/docs` that the server does not redirect to `/docs/`: the folder above it is another site's.
        root = below
    starts = (url, *urls)
    if b"documentation_options" in page.body.lower():
        # Sphinx; its inventory has the exact names and anchors of what the pages define.
        starts = (*starts, root + "objects.inv")
    return Start(page, "page", tuple(dict.fromkeys(starts)), _scope(options.scope, options, root, starts))


def _need_addresses(spec: Spec, start: Start) -> None:
    """Pages that a script shows at `#/guide` have no addresses of their own, so they would be missed without a word."""
    routes = hash_routes(start.page.body)
    inside = sum(start.scope.contains(link) for link in start.page.links)
    if routes <= inside or start.scope.rule == "listed":
        return
    url = start.page.final_url
    raise SourceRejected(
        f"{url} keeps its pages behind # ({routes} links such as #/guide): they have no addresses to be fetched by.",
        f"Read the files that it shows: {_call(spec)} --path FOLDER, or --urls FILE with their addresses. "
        f"Or only what it shows first: {_call(spec)} --url {url} --scope listed --render",
        routes=routes,
    )


def _need_links(spec: Spec, start: Start) -> None:
    """A start whose links all lead past it is a mistake in its address, and not a site of one page."""
    links = start.page.links
    inside = [link for link in links if start.scope.contains(link)]
    siblings = [link for link in links if same_host(link, start.page.final_url) and link not in inside]
    if inside or not siblings or start.scope.rule != "path":
        return
    folders = Counter(common_folder((link, start.page.final_url)) for link in siblings)
    best = max(sorted(folders), key=lambda folder: (folders[folder], len(folder)))
    url = f" or {_call(spec)} --url {best}" if host_of(best) and best.count("/") > 3 else ""
    raise NotFound(
        f"0 of {len(links)} links of {start.page.final_url} are in scope: none lies below {start.scope.root}.",
        f"try --scope host: {_call(spec)} --url {start.page.final_url} --scope host{url}",
        links=len(links),
        in_scope=0,
    )


def _scope(rule: ScopeRule, options: SiteOptions, root: str, listed: Sequence[str]) -> Scope:
    if rule == "host" or options.scope == "host":
        return Scope(f"{root.partition('://')[0]}://{host_of(root)}/", "host", frozenset(listed))
    return Scope(root, "listed" if options.scope == "listed" else rule, frozenset(listed))


def _address(url: str, spec: Spec) -> str:
    address = canonical(url)
    if address is None:
        raise InvalidInput(
            f"{url[:200]!r} is no http or https address.",
            f"Write it in full: {_call(spec)} --url https://docs.example.org/",
            value=url[:200],
        )
    return address


def _not_there(spec: Spec, url: str, page: Fetched) -> RefdeskError:
    """The error for a start that is not there, by whose turn it is."""
    why = page.error or f"the server answers {page.status}"
    if page.status in (404, 410):
        return NotFound(f"There is no page at {url}: {why}.", f"Check the address: {_call(spec)} --url URL", url=url)
    if "redirects to another host" in why:
        return SourceRejected(
            f"{url} {why}.",
            f"If that is the site, name it: {_call(spec)} --url {page.final_url}",
            target=page.final_url,
        )
    if "private network" in why:
        host = host_of(url).partition(":")[0]
        return SourceRejected(
            f"{url} is not fetched: {why}.", f"If you trust it: REFDESK_PRIVATE_HOSTS={host} {_call(spec)} --url {url}"
        )
    # A robots.txt that a server in trouble does not give is no wish of its owner.
    if "robots.txt" in why and "forbids" in why:
        return SourceRejected(
            f"{url} is not fetched: {why}.",
            f"Ask the owner of the site, or read a copy of it: {_call(spec)} --path FOLDER",
        )
    return NetworkUnavailable(
        f"{url} cannot be fetched: {why}.",
        "Check the address and the network, and call again; what is indexed still answers. "
        f"To look: refdesk extract {url}",
    )


def _call(spec: Spec) -> str:
    return f"refdesk add {_named(spec)}"


def _named(spec: Spec) -> str:
    return str(spec.library) + (f"@{spec.version}" if spec.version else "")
