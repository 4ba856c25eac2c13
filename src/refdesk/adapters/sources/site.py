"""The pages of a documentation site, fetched from where they are served."""

import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from refdesk.adapters.sites import FolderSites, SiteState
from refdesk.adapters.sources.site_files import SitePages, files_of, left_out, newest, parted
from refdesk.adapters.sources.site_start import Start, find_start
from refdesk.domain.entries import Problem, SourceFiles
from refdesk.domain.errors import InvalidInput, NetworkUnavailable, NotFound, SourceRejected
from refdesk.domain.releases import Origin, Release
from refdesk.domain.site_versions import (
    ORDER,
    Statement,
    label_in_url,
    number_in_url,
    stated_in_inventory,
    stated_in_meta,
    stated_in_options,
    stated_in_switcher,
    stated_in_title,
    stated_in_url,
    switchers,
)
from refdesk.domain.specs import SiteOptions, Spec
from refdesk.domain.urls import Scope, page_path
from refdesk.ports.clock import Clock
from refdesk.ports.fetcher import Crawled, CrawlOrder, Fetched, Fetcher
from refdesk.ports.progress import Progress, Step, silent
from refdesk.ports.sources import Discovery

_LABEL = re.compile(r"[^\s@]+\Z")
_OPTIONS = "_static/documentation_options.js"
_ALONE = (
    "It is the only page: nothing that it leads to is in scope. If scripts make its links, add the site with --render;"
    " if the address is of something else (an error, a notice), with another --url."
)
_FEW = 5
"""Pages of a site that is too small for a share of them to mean anything."""


class SiteSource:
    """Reads sites over HTTP. What lies at the start is looked at to discover, the rest is crawled to read.

    The version is the label of the spec; left out, what the site states first in the order of `domain.site_versions`.
    What a crawl fetched is kept in the folder, so that the next one asks only for what changed, and an interrupted one
    goes on.
    """

    ecosystem = "site"

    def __init__(self, fetcher: Fetcher, folder: Path, clock: Clock, private_hosts: tuple[str, ...] = ()) -> None:
        self._fetcher = fetcher
        self._sites = FolderSites(folder)
        self._clock = clock
        self._private = private_hosts

    def discover(self, spec: Spec, progress: Progress) -> Sequence[Discovery]:
        """See the port. The start is fetched, and what states the version where its address does not."""
        options = spec.site
        if options is None or not (options.url or options.urls):
            raise InvalidInput(
                f"{spec.library} needs to be told where its pages are.",
                f"Write: refdesk add {spec.library} --url https://docs.example.org/",
            )
        progress(Step("resolve", str(spec)))
        start = find_start(
            spec, lambda url: self._fetcher.fetch(url, render=options.render, private_hosts=self._private)
        )
        version, stated_by = (spec.version, "label") if spec.version else self._stated(start, options)
        if not version:
            raise _no_version(spec, start)
        if not _LABEL.match(version):
            raise InvalidInput(f"{version!r} cannot label a version.", f"Write: refdesk add {spec.library}@LABEL")
        release = Release(spec.library, version)
        return [Discovery(release, partial(self._read, release, spec, start, stated_by))]

    def _stated(self, start: Start, options: SiteOptions) -> tuple[str, str]:
        """The version that the site states, and where; empty if it states none."""
        root = start.scope.root if start.scope.rule == "path" else start.page.final_url.rpartition("/")[0] + "/"
        evidence: dict[str, bytes] | None = None
        for statement in ORDER[options.version_from]:
            found = _stated_by_start(statement, start, root)
            if not found and statement in ("inventory", "options", "switcher"):
                if evidence is None:
                    evidence = self._evidence(start, root)
                found = _stated_by_evidence(statement, evidence, root)
            if found:
                return found, "url" if statement == "number" else statement
        return "", ""

    def _evidence(self, start: Start, root: str) -> dict[str, bytes]:
        """Files of the site that may state its version, by address; those that are not there are left out."""
        wanted = [root + "objects.inv", root + _OPTIONS, *switchers(start.page.body, root)]
        order = CrawlOrder(
            tuple(dict.fromkeys(wanted)), Scope(root, "listed", frozenset(wanted)), private_hosts=self._private
        )
        found: list[Fetched] = []
        try:
            self._fetcher.crawl(order, found.append, silent)
        except NetworkUnavailable:
            # The start was there: these are not.
            return {}
        return {page.url: page.body for page in found if page.status == 200 and page.body}

    def _read(self, release: Release, spec: Spec, start: Start, stated_by: str, progress: Progress) -> SourceFiles:
        with closing(self._sites.state(release.key)) as state:
            state.begin(spec, self._clock.now())
            crawled, unrendered = self._crawl(release, spec, start, state, progress)
            met = list(state.pages())
            if not any(page.sha256 for page in met):
                raise _nothing(spec, start, crawled)
            _keep_most(release, spec, start, state)
            state.finish()
            bodies = state.bodies()
        root = start.scope.root
        files = files_of(met, root, start.page.final_url)
        pages = SitePages(files.hashes, bodies)
        content: Mapping[str, bytes] = pages
        if start.kind == "full":
            files, content = parted(files, pages[page_path(start.starts[0], root)], root)
        problems = [*files.problems, *left_out(_reasons(crawled, start), page_path(start.page.final_url, root))]
        if unrendered:
            said = (
                f"{len(unrendered)} page(s) read as served: the browser could not render them (first {unrendered[0]})."
            )
            problems.append(Problem(page_path(unrendered[0], root), said, "fetching"))
        if start.kind == "page" and start.scope.rule != "listed" and len(files.hashes) == 1:
            problems.append(Problem(next(iter(files.hashes)), _ALONE))
        options = spec.site or SiteOptions()
        url = options.url or options.urls[0]
        origin = Origin(
            url, release.version, "", files.sha256, verified=False, url=start.page.final_url, version_from=stated_by,
            documents=options.documents,
        )  # fmt: skip
        progress(Step("read", release.label, len(content), len(content), "files"))
        return SourceFiles(
            release,
            "site",
            content,
            origin,
            newest(met, self._clock.now()),
            tuple(sorted(problems, key=lambda one: (one.path, one.message))),
            files.urls,
            files.types,
            files.twins,
        )

    def _crawl(
        self, release: Release, spec: Spec, start: Start, state: SiteState, progress: Progress
    ) -> tuple[Crawled, list[str]]:
        """Crawl into the state; also gives the pages that should have been rendered and were not."""
        unrendered: list[str] = []

        def take(page: Fetched) -> None:
            if order.render and page.body and not page.rendered and "html" in page.content_type.lower():
                unrendered.append(page.url)
            state.take(page)

        options = spec.site or SiteOptions()
        order = CrawlOrder(
            start.starts,
            start.scope,
            state.known(),
            state.done(),
            max_pages=options.max_pages,
            render=options.render,
            private_hosts=self._private,
        )
        crawled = self._fetcher.crawl(order, take, lambda step: progress(replace(step, subject=release.label)))
        return crawled, unrendered


def _stated_by_start(statement: Statement, start: Start, root: str) -> str:
    page = start.page.body
    match statement:
        case "url":
            return stated_in_url(root)
        case "number":
            return number_in_url(root)
        case "inventory":
            return stated_in_inventory(page)
        case "options":
            return stated_in_options(page)
        case "meta":
            return stated_in_meta(page)
        case "title":
            return stated_in_title(page)
        case "switcher":
            return ""


def _stated_by_evidence(statement: Statement, evidence: dict[str, bytes], root: str) -> str:
    if statement == "inventory":
        return stated_in_inventory(evidence.get(root + "objects.inv", b""))
    if statement == "options":
        return stated_in_options(evidence.get(root + _OPTIONS, b""))
    others = (body for url, body in sorted(evidence.items()) if url.endswith(".json"))
    return next((found for body in others if (found := stated_in_switcher(body, root))), "")


def _no_version(spec: Spec, start: Start) -> InvalidInput:
    url = start.page.final_url
    label = label_in_url(url)
    asked = f" by {spec.site.version_from}" if spec.site is not None and spec.site.version_from else ""
    looked = ", ".join(one for one in ORDER[spec.site.version_from if spec.site is not None else ""] if one != "number")
    return InvalidInput(
        f"{url} states no version{asked} (looked at: {looked}).",
        f"Name it: refdesk add {spec.library} --url {url} --version {label or 'VERSION'}",
        url=url,
        label=label,
    )


def _keep_most(release: Release, spec: Spec, start: Start, state: SiteState) -> None:
    """Refuse a crawl that takes most pages away: more often a server in trouble than a site that was cut down."""
    losses = state.losses()
    if losses.before < _FEW or 2 * max(losses.gone, losses.alike) <= losses.before:
        return
    state.abandon()
    what = (
        f"{losses.gone} of its {losses.before} pages would be dropped: they are gone, or nothing leads to them any more"
        if losses.gone >= losses.alike
        else f"one and the same page is served in the place of {losses.alike} of its {losses.before} pages"
    )
    again = f"refdesk remove {release.library} --version {release.version}"
    raise SourceRejected(
        f"{release.label} is kept as it was: {what}.",
        f"See what is served now: refdesk extract {start.page.final_url}. If that is right: {again}, "
        f"and add it again: {_adding(spec)}",
        before=losses.before,
        gone=losses.gone,
        alike=losses.alike,
    )


def _adding(spec: Spec) -> str:
    options = spec.site or SiteOptions()
    where = f"--url {options.url}" if options.url else f"--urls {options.urls[0]} …"
    return f"refdesk add {spec.library}{f'@{spec.version}' if spec.version else ''} {where}"


def _nothing(spec: Spec, start: Start, crawled: Crawled) -> NotFound | SourceRejected:
    reasons = dict(crawled.reasons)
    named = "; ".join(f"{count} {reason}" for reason, count in reasons.items()) or "nothing was there"
    return SourceRejected(
        f"No page of {start.page.final_url} can be read: {named}.",
        f"Check what is served there: refdesk extract {start.page.final_url}",
        reasons=reasons,
        spec=str(spec),
    )


def _reasons(crawled: Crawled, start: Start) -> dict[str, int]:
    reasons = dict(crawled.reasons)
    if start.outside:
        reasons["on another host than the list that names them"] = start.outside
    return reasons
