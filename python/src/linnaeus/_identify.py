"""What an algorithm is."""

from __future__ import annotations

import json
import operator
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, SupportsIndex, TypedDict

from . import _display, _native
from ._algorithm import Algorithm, parse
from ._errors import LinnaeusError, ReadError
from ._transfer import TransferMatrix
from ._verdict import Verdict, _algorithm
from ._zoo import Card, Zoo, zoo_or_own

#: The groups of an answer, in order, and how they are called.
_GROUPS = {
    "same": "The same",
    "same-up-to-shift": "The same up to a shift in time",
    "same-in-other-oracles": "The same in other oracles",
    "repetition": "The same, several iterations taken as one",
    "special-case-of": "A special case of",
    "contains": "Contains",
    "under-assumption": "Under an assumption",
}


#: Identifier, slug, name, family, group, answer, and whether coefficients were taken as constants.
_Head = tuple[str, str, str, str, str, str, bool]


class Match:
    """A card that an algorithm is related to, and how."""

    __slots__ = ("__dict__", "_found", "_place", "_zoo", "answer", "family", "frozen", "given", "group", "id", "name", "slug")

    #: The algorithm that was asked about.
    given: Algorithm
    #: Identifier, short name, name and family of the card.
    id: str
    slug: str
    name: str
    family: str
    #: ``"same"``, ``"same-up-to-shift"``, ``"same-in-other-oracles"``, ``"repetition"``, ``"special-case-of"``, ``"contains"``
    #: or ``"under-assumption"``.
    group: str
    #: The answer in one line.
    answer: str
    #: Whether coefficients that change with the index were taken as constants.
    frozen: bool

    def __init__(
        self, given: Algorithm, zoo: Zoo, place: int, head: _Head, found: _native.Identification | None
    ) -> None:
        self.given, self._zoo, self._place, self._found = given, zoo, place, found
        self.id, self.slug, self.name, self.family, self.group, self.answer, self.frozen = head

    @property
    def _head(self) -> _Head:
        return self.id, self.slug, self.name, self.family, self.group, self.answer, self.frozen

    @property
    def _heading(self) -> str:
        """The group as people say it."""
        heading = _GROUPS.get(self.group, self.group)
        return f"With constant coefficients: {heading[0].lower()}{heading[1:]}" if self.frozen else heading

    def _identification(self) -> _native.Identification:
        """What the engine found, or finds again after the match was pickled."""
        if self._found is None:
            self._found = self._zoo._native.identify(self.given._native)
        return self._found

    @cached_property
    def _report(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(self._identification().match_report(self._place))
        return report

    def _comparison(self) -> _native.Comparison:
        zoo, first = self._zoo._native, self.verdict.first._native
        return zoo.comparison(self._identification(), self._place, first, self.slug)

    @property
    def reference(self) -> str:
        """Where it was published, in short."""
        return str(self._report["reference"]["short"])

    @property
    def bibtex(self) -> str:
        """Where it was published, in BibTeX."""
        return str(self._report["reference"]["bibtex"])

    @cached_property
    def card(self) -> Card:
        """The card."""
        return self._zoo[self.slug]

    @cached_property
    def verdict(self) -> Verdict:
        """How the algorithm is related to the card's, as :func:`linnaeus.compare` says it."""
        given = self.given.freeze() if self.frozen else self.given
        return Verdict(given, self.card.algorithm, None, self._report, self)

    @property
    def relation(self) -> str | None:
        """See :attr:`Verdict.relation`."""
        return self.verdict.relation

    @property
    def generality(self) -> str | None:
        """See :attr:`Verdict.generality`."""
        return self.verdict.generality

    @property
    def parameters(self) -> Mapping[str, str]:
        """The card's parameters in terms of the algorithm's."""
        return self.verdict.parameters

    @property
    def conditions(self) -> tuple[str, ...]:
        """See :attr:`Verdict.conditions`."""
        return self.verdict.conditions

    @property
    def assumptions(self) -> tuple[str, ...]:
        """See :attr:`Verdict.assumptions`."""
        return self.verdict.assumptions

    @property
    def shift(self) -> tuple[int, ...]:
        """See :attr:`Verdict.shift`."""
        return self.verdict.shift

    def proof(self) -> str:
        """See :meth:`Verdict.proof`."""
        return self.verdict.proof()

    def __repr__(self) -> str:
        return f"<Match {self.group}{', with constant coefficients' if self.frozen else ''}: {self.answer}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return (self.given, self._zoo, self._head) == (other.given, other._zoo, other._head)

    def __hash__(self) -> int:
        return hash((self.given, self.id))

    def __reduce__(self) -> tuple[Any, ...]:
        return _match, (self.given, self._zoo, self._place, self._head, self._report)

    def _repr_html_(self) -> str:
        return f"<p>{self._heading}: {_display.answer(self.answer)}</p>" + self.verdict._repr_html_()


def _match(given: Algorithm, zoo: Zoo, place: int, head: _Head, report: dict[str, Any]) -> Match:
    match = Match(given, zoo, place, head, None)
    match.__dict__["_report"] = report
    return match


@dataclass(frozen=True)
class NearMiss:
    """A card that an algorithm is not related to, but comes near."""

    id: str
    slug: str
    name: str
    #: What differs, in one sentence.
    message: str | None


class Matches(list[Match]):
    """Related cards, the strongest relation first."""

    #: Identifiers of cards for which a limit left the question open.
    undecided: tuple[str, ...] = ()
    #: The nearest cards, where none is related.
    near_misses: tuple[NearMiss, ...] = ()

    def __str__(self) -> str:
        if self:
            return "\n".join(f"{m._heading}: {m.answer}" for m in self)
        near = [f"Near, but not related: {m.id} {m.name}: {m.message}" for m in self.near_misses]
        return "\n".join([self._none(), *near])

    def _none(self) -> str:
        """What is said where no card is related."""
        asked = f"; {len(self.undecided)} are left undecided" if self.undecided else ""
        return f"No card of the zoo is related to it{asked}."

    def _repr_html_(self) -> str:
        escape = _display.escape
        if self:
            found = [(m._heading, m.id, _display.answer(m.answer[len(m.id) + 1 :]), escape(m.reference)) for m in self]
            return _display.table(found, ("", "card", "how", "reference"))
        near = [(m.id, escape(m.name), escape(m.message or "")) for m in self.near_misses]
        told = _display.table(near, ("nearest", "", "what differs")) if near else ""
        return f"<p>{self._none()}</p>" + told


def identify(algorithm: str | Algorithm | Card | TransferMatrix, *, zoo: Zoo | None = None) -> Matches:
    """Every known algorithm that this one equals, is a case of, contains, or is under an assumption.

    >>> import linnaeus
    >>> found = linnaeus.identify("x[k+1] = x[k] - a*grad f(x[k]) + b*(x[k] - x[k-1])")
    >>> found[0].slug, found[0].group, dict(found[0].parameters)
    ('heavy_ball', 'same', {'alpha': 'a', 'beta': 'b'})
    """
    given, where = _algorithm(algorithm), zoo_or_own(zoo)
    return _matches(given, where, where._native.identify(given._native))


def _matches(given: Algorithm, where: Zoo, native: _native.Identification) -> Matches:
    report = json.loads(native.report)
    found = Matches(Match(given, where, place, head, native) for place, head in enumerate(native.heads()))
    found.undecided = tuple(report.get("undecided", ()))
    found.near_misses = tuple(
        NearMiss(m["id"], m["slug"], m["name"], (m["obstruction"] or {}).get("message")) for m in report["near_misses"]
    )
    return found


class Record(TypedDict):
    """What :func:`identify_many` says of one text; a list of them makes a data frame."""

    #: What the caller called it, otherwise its place, from 0.
    key: Any
    #: The text.
    text: str
    #: ``"known"``, ``"new"``, ``"undecided"`` (nothing found, a limit reached), ``"unread"`` or ``"limit"`` (not read, a
    #: limit being the only reason).
    status: str
    #: The best match: identifier, slug, name, group and answer in one line.
    id: str | None
    slug: str | None
    name: str | None
    group: str | None
    answer: str | None
    #: Whether coefficients that change with the index were taken as constants for it.
    frozen: bool | None
    #: Identifiers of all related cards.
    related: list[str]
    #: Why it was not read.
    error: str | None


def _record(key: Any, item: Any, zoo: Zoo) -> Record:
    text = item if isinstance(item, str) else getattr(item, "text", None) or getattr(item, "equations", None) or repr(item)
    record = Record(
        key=key, text=text, status="new", id=None, slug=None, name=None, group=None, answer=None, frozen=None, related=[], error=None
    )
    try:
        found = identify(item, zoo=zoo)
    except (LinnaeusError, TypeError, ValueError) as error:
        is_limit = isinstance(error, ReadError) and error.is_limit
        record["status"], record["error"] = "limit" if is_limit else "unread", str(error).strip("\n")
        return record
    record["related"] = [match.id for match in found]
    if found:
        best = found[0]
        record["status"] = "known"
        record["id"], record["slug"], record["name"] = best.id, best.slug, best.name
        record["group"], record["answer"], record["frozen"] = best.group, best.answer, best.frozen
    elif found.undecided:
        record["status"] = "undecided"
    return record


def identify_many(
    algorithms: Iterable[Any],
    *,
    workers: int | None = None,
    progress: bool | Callable[[int], object] = False,
    zoo: Zoo | None = None,
) -> Iterator[Record]:
    """Identifies many algorithms on several threads and yields a record of each, in order.

    Items are texts, algorithms, cards, or pairs of a key and one of these; a mapping stands for its pairs. A text that is
    not understood makes a record with the status ``"unread"``, never an exception. Items are taken from the iterable as they
    are needed, so that it may be endless. Where it fails itself, the records of what came before are yielded first. ``progress`` shows a bar, by tqdm where that is installed, or is called with the number of records so far.

    >>> import linnaeus
    >>> records = linnaeus.identify_many([("gd", "x[k+1] = x[k] - t*grad f(x[k])"), ("slip", "x[k+1] = y(")], workers=2)
    >>> [(r["key"], r["status"], r["slug"]) for r in records]
    [('gd', 'known', 'gradient_descent'), ('slip', 'unread', None)]
    """
    if isinstance(algorithms, str):
        raise TypeError("identify_many takes a list of texts; identify takes one")
    if not isinstance(algorithms, Iterable):
        raise TypeError(f"identify_many takes a list of texts, not {algorithms!r}; identify takes one")
    return _records(algorithms, _workers(workers), progress, zoo_or_own(zoo))


def _records(
    algorithms: Iterable[Any], workers: int, progress: bool | Callable[[int], object], zoo: Zoo
) -> Iterator[Record]:
    items = algorithms.items() if isinstance(algorithms, Mapping) else algorithms
    pairs = (_keyed(place, item) for place, item in enumerate(items))
    failure: Exception | None = None
    with _progress(progress, _length(algorithms)) as tell, ThreadPoolExecutor(workers) as pool:
        waiting: deque[Future[Record]] = deque()

        def submit(count: int) -> None:
            nonlocal failure
            try:
                for key, item in islice(pairs, count):
                    waiting.append(pool.submit(_record, key, item, zoo))
            except Exception as error:
                failure = error

        try:
            submit(2 * workers)
            while waiting:
                record = waiting.popleft().result()
                submit(1)
                tell()
                yield record
        finally:
            for future in waiting:
                future.cancel()
    if failure is not None:
        raise failure


def _keyed(place: int, item: Any) -> tuple[Any, Any]:
    if isinstance(item, tuple) and len(item) == 2:
        return item[0], item[1]
    return place, item


def _workers(wanted: int | None) -> int:
    """How many threads; as many as there are processors where nothing is said."""
    if wanted is None:
        return _processors()
    if isinstance(wanted, bool) or not isinstance(wanted, SupportsIndex):
        raise TypeError(f"workers are counted by whole numbers, not {wanted!r}")
    if (count := operator.index(wanted)) < 1:
        raise ValueError("at least one worker is needed")
    return count


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _length(items: Iterable[Any]) -> int | None:
    try:
        return len(items)  # type: ignore[arg-type]
    except TypeError:
        return None


class _progress:
    """Tells how far it has come: by a function, by tqdm, or by a line on standard error."""

    def __init__(self, wanted: bool | Callable[[int], object], total: int | None) -> None:
        self.wanted, self.total, self.done = wanted, total, 0
        self.bar: Any = None

    def __enter__(self) -> Callable[[], None]:
        if self.wanted is True:
            try:
                from tqdm.auto import tqdm

                self.bar = tqdm(total=self.total, unit="algorithm")
            except ImportError:
                pass
        return self.tell

    def tell(self) -> None:
        self.done += 1
        if callable(self.wanted):
            self.wanted(self.done)
        elif self.bar is not None:
            self.bar.update()
        elif self.wanted:
            of = "" if self.total is None else f"/{self.total}"
            print(f"\r{self.done}{of} algorithms", end="", file=sys.stderr, flush=True)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()
        elif self.wanted is True:
            print(file=sys.stderr)


for _type in (Match, Matches, NearMiss):
    _type.__module__ = "linnaeus"
