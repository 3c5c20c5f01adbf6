"""The algorithms of papers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from . import _display, _native
from ._algorithm import Algorithm, parse
from ._errors import encodable
from ._identify import _workers
from ._zoo import Zoo, zoo_or_own

#: No more than this is read of a file, as by the command.
MAX_BYTES = 4_000_000


@dataclass(frozen=True)
class Place:
    """A place in a file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    @classmethod
    def _of(cls, report: Mapping[str, Any]) -> Place:
        return cls(report["file"], report["line"], report["column"])


@dataclass(frozen=True)
class Name:
    """A known algorithm that a listing is."""

    id: str
    slug: str
    name: str
    group: str
    answer: str
    reference: str
    #: Whether coefficients that change with the index were taken as constants.
    frozen: bool = False


@dataclass(frozen=True)
class Problem:
    """Something that is wrong with a listing; ``limit`` if a stated limit is the reason."""

    code: str
    place: Place
    message: str
    help: str | None
    limit: bool


@dataclass(frozen=True)
class Printed:
    """A transfer function that the paper prints, and whether it is the one that was computed."""

    place: Place
    #: ``"same"``, ``"same-up-to-shift"``, ``"special"``, ``"different"`` or ``"not-compared"``.
    agreement: str
    message: str


@dataclass(frozen=True)
class Link:
    """How two listings, by their numbers, are related."""

    first: int
    second: int
    relation: str
    generality: str
    details: tuple[str, ...]

    @classmethod
    def _of(cls, report: Mapping[str, Any]) -> Link:
        return cls(**{**report, "details": tuple(report["details"])})


@dataclass(frozen=True)
class Listing:
    """An algorithm of a paper."""

    #: From 1, through all papers.
    number: int
    #: Its label, or its place.
    name: str
    label: str | None
    caption: str | None
    #: The environment that it stands in.
    environment: str
    place: Place
    #: What was read, in the plain notation.
    text: str
    oracles: tuple[str, ...]
    #: H; none where there is none.
    transfer: tuple[tuple[str | None, ...], ...] | None
    explicit: bool | None
    #: Known algorithms that it is, the best few.
    names: tuple[Name, ...]
    #: How many more cards of the zoo are related.
    more_names: int
    printed: tuple[Printed, ...]
    problems: tuple[Problem, ...]

    @property
    def algorithm(self) -> Algorithm:
        """The algorithm, read again from :attr:`text`; what the rest of the paper says of its names is not known then."""
        return parse(self.text, "plain")

    @classmethod
    def _of(cls, report: dict[str, Any]) -> Listing:
        transfer = report["transfer"]
        return cls(
            report["number"],
            report["name"],
            report["label"],
            report["caption"],
            report["environment"],
            Place._of(report),
            "\n".join(line for told in report["lines"] for line in told["read"]),
            tuple(report["oracles"]),
            None if transfer is None else tuple(tuple(row) for row in transfer),
            report["explicit"],
            tuple(Name(**name) for name in report["names"]),
            report["more_names"],
            tuple(Printed(Place._of(p), p["agreement"], p["message"]) for p in report["printed"]),
            tuple(Problem(p["code"], Place._of(p), p["message"], p["help"], p["limit"]) for p in report["problems"]),
        )


class Scan:
    """The algorithms of papers, what is wrong with them and how they are related."""

    __slots__ = ("_page", "_report", "listings")

    #: The algorithms, in order.
    listings: tuple[Listing, ...]

    def __init__(self, report: dict[str, Any], page: str) -> None:
        self._report, self._page = report, page
        self.listings = tuple(Listing._of(listing) for listing in report["listings"])

    @property
    def files(self) -> tuple[str, ...]:
        """Every file that was read."""
        return tuple(self._report["files"])

    @property
    def classes(self) -> tuple[tuple[int, ...], ...]:
        """Numbers of listings of which every two are the same."""
        return tuple(tuple(members["members"]) for members in self._report["classes"])

    @property
    def links(self) -> tuple[Link, ...]:
        """Listings that are related, those of one class included."""
        within = [how for members in self._report["classes"] for how in members["how"]]
        return tuple(Link._of(link) for link in [*within, *self._report["links"]])

    @property
    def problems(self) -> tuple[tuple[int, Problem], ...]:
        """Everything that is wrong, with the number of the listing."""
        return tuple((listing.number, problem) for listing in self for problem in listing.problems)

    @property
    def undecided(self) -> tuple[tuple[int, int], ...]:
        """Pairs for which a limit left the question open."""
        return tuple((first, second) for first, second in self._report["undecided"])

    @property
    def remarks(self) -> tuple[tuple[Place, str], ...]:
        """What was left out, and displays that update an iterate but are no algorithms by themselves."""
        return tuple((Place._of(r), r["message"]) for r in [*self._report["remarks"], *self._report["passed"]])

    def __len__(self) -> int:
        return len(self.listings)

    def __iter__(self) -> Iterator[Listing]:
        return iter(self.listings)

    def __getitem__(self, place: int) -> Listing:
        return self.listings[place]

    def __eq__(self, other: object) -> bool:
        return self._report == other._report if isinstance(other, Scan) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._page)

    def __reduce__(self) -> tuple[Any, ...]:
        return Scan, (self._report, self._page)

    def __str__(self) -> str:
        return self._page.rstrip("\n")

    def __repr__(self) -> str:
        wrong = f", {len(self.problems)} problems" if self.problems else ""
        return f"<Scan: {len(self)} algorithms in {len(self.files)} files{wrong}>"

    def _repr_html_(self) -> str:
        escape = _display.escape
        rows = [
            (
                str(listing.number),
                escape(f"{listing.place.file}:{listing.place.line}"),
                f"<pre>{escape(listing.text)}</pre>",
                "<br>".join(escape(name.answer) + (" (with constant coefficients)" if name.frozen else "") for name in listing.names),
                "<br>".join(escape(problem.message) for problem in listing.problems),
            )
            for listing in self
        ]
        left = "".join(f"<li>{escape(f'{at}: {message}')}</li>" for at, message in self.remarks)
        table = _display.table(rows, ("", "place", "algorithm", "is", "problems"))
        return table + (f"<p>Left out:</p><ul>{left}</ul>" if left else "")


def scan(
    path: str | PathLike[str] | Iterable[str | PathLike[str]], *, zoo: Zoo | None = None, workers: int | None = None
) -> Scan:
    r"""The algorithms in LaTeX sources: a file, several files, or a folder.

    Of a folder every file with a ``\documentclass`` is a paper, or every ``.tex`` file if there is none. What a paper includes
    is read if it lies in its folder or below it.
    """
    given = [path] if isinstance(path, (str, PathLike)) else list(path) if isinstance(path, Iterable) else [path]
    if not all(isinstance(one, (str, PathLike)) for one in given):
        raise TypeError('a paper is a path or several: scan("paper.tex"), scan(["a.tex", "b.tex"]), scan("folder")')
    count = _workers(workers)
    files = [file for one in given for file in _files(Path(fspath(one)))]
    names_of_files = [file.name for file in files]
    # A file is called by its name where that is enough, as by the command.
    called = (file.name if names_of_files.count(file.name) == 1 else str(file) for file in files)
    paths = {encodable(name): file for name, file in zip(called, files, strict=True)}
    papers = _native.Papers(
        [(name, _text(file)) for name, file in paths.items()], lambda paper, wanted: _included(paths[paper], wanted)
    )
    where = zoo_or_own(zoo)._native
    with ThreadPoolExecutor(count) as pool:
        names = list(pool.map(lambda place: papers.named(where, place), range(len(papers))))
        found = list(pool.map(lambda pair: papers.pair(*pair), papers.candidates()))
    related = [pair for pair in found if pair is not None]
    return Scan(json.loads(papers.report(names, related)), papers.page(names, related))


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    sources = sorted(file for file in path.rglob("*.tex") if file.is_file())
    papers = [file for file in sources if r"\documentclass" in _text(file)]
    return papers or sources


def _text(file: Path) -> str:
    """The text of a file; what is not UTF-8 is taken for Latin-1, as in old sources."""
    data = file.read_bytes()
    if len(data) > MAX_BYTES:
        raise ValueError(f"{str(file)!r} has more than {MAX_BYTES} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _included(paper: Path, wanted: str) -> str | None:
    """The text of a file that a paper includes."""
    folder = paper.resolve().parent
    try:
        file = (folder / wanted).resolve()
        return _text(file) if file.is_relative_to(folder) and file.is_file() else None
    except (OSError, ValueError):
        return None


for _type in (Scan, Listing, Link, Name, Place, Printed, Problem):
    _type.__module__ = "linnaeus"
