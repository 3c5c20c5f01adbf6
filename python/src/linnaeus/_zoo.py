"""The zoo of known algorithms."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from . import _display, _native
from ._algorithm import Algorithm
from ._display import Diagram
from ._errors import ReadError, encodable, refused_as, worded
from ._transfer import TransferMatrix


@dataclass(frozen=True)
class Related:
    """A card that another card is related to."""

    id: str
    slug: str
    name: str
    relation: str
    #: What the card itself is to this one: ``"equal"``, ``"instance"``, ``"contains"`` or ``"overlap"``.
    generality: str
    assuming: str = ""


@dataclass(frozen=True)
class Edge:
    """Two cards that are related; ``generality`` is that of the first."""

    first: str
    second: str
    relation: str
    generality: str
    assuming: str = ""


class Card:
    """A known algorithm: equations, what they assume, references and relations."""

    __slots__ = ("__dict__", "_zoo", "slug")

    #: The short name.
    slug: str

    def __init__(self, zoo: Zoo, slug: str) -> None:
        self._zoo, self.slug = zoo, slug

    @cached_property
    def _report(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(self._zoo._native.card(self.slug))
        return report

    @property
    def id(self) -> str:
        """The identifier, ``ALG-0042``."""
        return str(self._report["id"])

    @property
    def name(self) -> str:
        """What people call it."""
        return str(self._report["name"])

    @property
    def family(self) -> str:
        """What it is kin to."""
        return str(self._report["family"])

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names."""
        return tuple(self._report["aliases"])

    @property
    def year(self) -> str:
        """When it was published."""
        return str(self._report["year"])

    @property
    def problem(self) -> str:
        """What it solves."""
        return str(self._report["problem"])

    @property
    def assumes(self) -> str:
        """What is assumed of the functions."""
        return str(self._report["assumes"])

    @property
    def parameters(self) -> str:
        """What the parameters are."""
        return str(self._report["parameters"])

    @property
    def summary(self) -> str:
        """What it does."""
        return str(self._report["summary"])

    @property
    def notes(self) -> str:
        """What else should be known."""
        return str(self._report["notes"])

    @property
    def equations(self) -> str:
        """The text of the algorithm."""
        return str(self._report["equations"])

    @property
    def references(self) -> str:
        """References in BibTeX."""
        return str(self._report["references"])

    @property
    def related(self) -> tuple[Related, ...]:
        """The cards that are recorded as related, the strongest relation first."""
        return tuple(Related(**related) for related in self._report["related"])

    @property
    def twins(self) -> tuple[str, ...]:
        """Identifiers of all cards that are this algorithm, its own among them."""
        return tuple(self._report["class"])

    @cached_property
    def algorithm(self) -> Algorithm:
        """The algorithm."""
        return Algorithm._read(self.equations)

    @property
    def transfer(self) -> TransferMatrix:
        """The transfer matrix of the algorithm."""
        return self.algorithm.transfer

    def show(self) -> str:
        """The card for a terminal."""
        return self._zoo._native.page(self.slug)

    def __repr__(self) -> str:
        return f"<Card {self.id} {self.slug}>"

    def __str__(self) -> str:
        return f"{self.id} {self.name}"

    def __eq__(self, other: object) -> bool:
        return (self.slug, self._zoo) == (other.slug, other._zoo) if isinstance(other, Card) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.slug, self._zoo))

    def __reduce__(self) -> tuple[Any, ...]:
        return Card, (self._zoo, self.slug)

    def _repr_html_(self) -> str:
        facts = [("problem", self.problem), ("assumes", self.assumes), ("parameters", self.parameters), ("year", self.year)]
        rows = [(name, _display.prose(text)) for name, text in facts if text]
        title = f"<p><b>{self.id} {_display.escape(self.name)}</b><br>{_display.prose(self.summary)}</p>"
        return title + _display.table(rows) + self.algorithm._repr_html_()


class Zoo(Mapping[str, Card]):
    """Known algorithms by slug; a card is also found by its identifier.

    ``linnaeus.zoo`` is the one that comes with Linnaeus. ``Zoo.open(folder)`` adds cards of your own, ``FAMILY/slug.md``.

    >>> import linnaeus
    >>> linnaeus.zoo["ALG-0194"].name
    'EXTRA'
    >>> "extra" in linnaeus.zoo
    True
    >>> [card.slug for card in linnaeus.zoo.search("inertial proximal", family="proximal")][:1]
    ['inertial_proximal_point']
    """

    __slots__ = ("__dict__", "_cards", "_record")

    def __init__(self, cards: Sequence[tuple[str, str, str]] = (), record: str = "") -> None:
        self._cards, self._record = tuple(cards), record

    @classmethod
    def open(cls, folder: str | Path) -> Zoo:
        """Linnaeus' cards and those of a folder, ``folder/FAMILY/slug.md``, with ``folder/relations.txt`` if there is one."""
        root = Path(folder)
        if not root.is_dir():
            raise FileNotFoundError(f"there is no folder {str(root)!r}")
        files = sorted(root.glob("*/*.md"))
        cards = [(encodable(f.parent.name), encodable(f.stem), _text(f)) for f in files]
        record = root / "relations.txt"
        zoo = cls(cards, _text(record) if record.is_file() else "")
        zoo._native  # noqa: B018  what cannot be read is refused now
        return zoo

    @cached_property
    def _native(self) -> _native.Zoo:
        with refused_as(ReadError):
            return _native.Zoo(list(self._cards), self._record)

    @cached_property
    def _slugs(self) -> tuple[str, ...]:
        return tuple(slug for _, slug in self._native.names())

    def __getitem__(self, name: str) -> Card:
        slug = self._native.find(encodable(name)) if isinstance(name, str) else None
        if slug is None:
            near = get_close_matches(str(name).lower(), self._slugs, 1)
            raise KeyError(f"{name}; did you mean {near[0]}?" if near else name)
        return Card(self, slug)

    def __iter__(self) -> Iterator[str]:
        return iter(self._slugs)

    def __len__(self) -> int:
        return len(self._slugs)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._native.find(encodable(name)) is not None

    def search(self, words: str = "", *, family: str | None = None, oracles: Sequence[str] | None = None) -> list[Card]:
        """The cards in which all words occur, of a family, with oracles of these kinds in any order.

        Kinds are a list or a text with commas, ``oracles="prox, prox, grad"``.
        """
        kinds = None if oracles is None else oracles.split(",") if isinstance(oracles, str) else list(oracles)
        said = worded(words, 'zoo.search("inertial proximal")').split()
        of = None if family is None else worded(family, 'family="proximal"')
        if of is not None and of not in self.families:
            raise ValueError(f"there is no family `{of}`; the families are {', '.join(self.families)}")
        found = self._native.search(said, of, kinds and [worded(kind, 'oracles=["prox", "grad"]').strip() for kind in kinds])
        return [Card(self, slug) for slug in found]

    @property
    def families(self) -> tuple[str, ...]:
        """The families of cards."""
        return tuple(sorted({node["family"] for node in self._graph(True)["nodes"]}))

    def _graph(self, plain: bool) -> dict[str, Any]:
        graph: dict[str, Any] = json.loads(self._native.graph(plain))
        return graph

    def relations(self, *, assumptions: bool = True) -> list[Edge]:
        """All pairs of cards that are recorded as related; without ``assumptions`` those that hold as they are."""
        return [Edge(**edge) for edge in self._graph(not assumptions)["edges"]]

    def diagram(self) -> Diagram:
        """All cards and how they are related, as a picture."""
        return Diagram(self._native.diagram())

    def __repr__(self) -> str:
        return f"<Zoo of {len(self)} algorithms>"

    def __eq__(self, other: object) -> bool:
        return (self._cards, self._record) == (other._cards, other._record) if isinstance(other, Zoo) else NotImplemented

    def __hash__(self) -> int:
        return hash((self._cards, self._record))

    def __reduce__(self) -> tuple[Any, ...]:
        return _zoo, (self._cards, self._record)

    def _repr_html_(self) -> str:
        nodes = self._graph(True)["nodes"]
        rows = [(n["id"], f"<code>{n['slug']}</code>", str(n["year"]), _display.escape(n["name"])) for n in nodes]
        return _display.table(rows, ("identifier", "slug", "year", "name"))


#: The algorithms that come with Linnaeus.
zoo = Zoo()


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"{str(file)!r} is not UTF-8: {error.reason} at byte {error.start}") from None


def zoo_or_own(given: Zoo | None) -> Zoo:
    """The zoo that is asked; Linnaeus' own where none is given."""
    if given is not None and not isinstance(given, Zoo):
        raise TypeError(f"a zoo is needed, as Zoo.open(folder) makes them, not {given!r}")
    return zoo if given is None else given


def _zoo(cards: tuple[tuple[str, str, str], ...], record: str) -> Zoo:
    """The one zoo without cards of the user's is the one that is loaded already."""
    return Zoo(cards, record) if cards or record else zoo


for _type in (Zoo, Card, Related, Edge):
    _type.__module__ = "linnaeus"
