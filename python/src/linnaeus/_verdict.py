"""Verdicts: whether and how two algorithms are the same."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from . import _display, _formula, _native
from ._algorithm import Algorithm, parse
from ._display import Diagram
from ._errors import TransformError, refused_as, worded
from ._transfer import TransferMatrix

if TYPE_CHECKING:
    from ._identify import Match
    from ._zoo import Card


@dataclass(frozen=True)
class Branch:
    """One way to choose the second algorithm's parameters."""

    #: The second's parameters and operators in terms of the first's.
    parameters: Mapping[str, str]
    #: The second's parameters that are arbitrary.
    free: tuple[str, ...]
    #: What must hold for it.
    conditions: tuple[str, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        return _branch, (dict(self.parameters), self.free, self.conditions)


def _branch(parameters: dict[str, str], free: tuple[str, ...], conditions: tuple[str, ...]) -> Branch:
    return Branch(MappingProxyType(parameters), free, conditions)


@dataclass(frozen=True)
class Obstruction:
    """What keeps two algorithms apart."""

    #: ``"oracles"``, ``"pattern"``, ``"order"``, ``"poles"``, ``"entries"``, ….
    kind: str
    #: One sentence.
    message: str
    #: Everything that is known of it: the nearest reading, the entries that differ, a run on which it shows.
    details: Mapping[str, Any]

    def __reduce__(self) -> tuple[Any, ...]:
        return _obstruction, (dict(self.details),)


def _obstruction(details: dict[str, Any]) -> Obstruction:
    return Obstruction(details["kind"], details["message"], MappingProxyType(details))


class Verdict:
    """The answer of a comparison of a first algorithm with a second.

    It is one of three: related, distinct or undecided. A verdict is true if and only if the algorithms are related; where
    a limit left the question open it is false like where they are distinct, and :attr:`is_undecided` tells the two apart.

    >>> import linnaeus
    >>> verdict = linnaeus.compare(linnaeus.zoo["douglas_rachford"], linnaeus.zoo["admm_scaled"])
    >>> bool(verdict), verdict.relation, verdict.generality
    (True, 'permutation', 'equal')
    >>> dict(verdict.parameters)
    {'rho': '1/t'}
    """

    __slots__ = ("__dict__", "_match", "first", "only", "second")

    first: Algorithm
    second: Algorithm
    #: The only relation that was looked for.
    only: str | None

    def __init__(
        self, first: Algorithm, second: Algorithm, only: str | None, report: dict[str, Any], match: Match | None = None
    ) -> None:
        self.first, self.second, self.only, self._match = first, second, only, match
        self.__dict__["_report"] = report

    @property
    def _told(self) -> dict[str, Any]:
        report: dict[str, Any] = self.__dict__["_report"]
        return report

    @cached_property
    def _native(self) -> _native.Comparison:
        if self._match is not None:
            return self._match._comparison()
        return _native.Comparison(self.first._native, self.second._native, self.only)

    @property
    def verdict(self) -> str:
        """``"related"``, ``"distinct"`` or ``"undecided"``."""
        return str(self._told["verdict"])

    @property
    def is_related(self) -> bool:
        """Whether the two are related."""
        return self.verdict == "related"

    @property
    def is_distinct(self) -> bool:
        """Whether they are not."""
        return self.verdict == "distinct"

    @property
    def is_undecided(self) -> bool:
        """Whether a limit left the question open."""
        return self.verdict == "undecided"

    def __bool__(self) -> bool:
        return self.is_related

    @property
    def relation(self) -> str | None:
        """How they are related: ``"oracle"`` (the same calls), ``"shift"``, ``"permutation"``, ``"lft"``, ….."""
        return _text(self._told["relation"])

    @property
    def generality(self) -> str | None:
        """What the first is to the second: ``"equal"``, ``"instance"``, ``"contains"`` or ``"overlap"``."""
        return _text(self._told["generality"])

    @property
    def same_parameters(self) -> bool | None:
        """Whether it holds with the same values, where both texts use the same names."""
        same: bool | None = self._told["same_parameters"]
        return same

    @property
    def parameters(self) -> Mapping[str, str]:
        """The second's parameters and operators in terms of the first's; :attr:`branches` has every way."""
        return MappingProxyType(self._told["parameters"])

    @property
    def conditions(self) -> tuple[str, ...]:
        """What must hold for the parameters."""
        return tuple(self._told["conditions"])

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What is assumed of functions and operators."""
        return tuple(self._told["assumptions"])

    @property
    def branches(self) -> tuple[Branch, ...]:
        """Every way to choose the second's parameters."""
        return tuple(_branch(b["parameters"], tuple(b["free"]), tuple(b["conditions"])) for b in self._told["branches"])

    @property
    def channels(self) -> tuple[tuple[int, int], ...]:
        """Pairs of channels, the first's and the second's, from 0; calls that are :attr:`known` are not counted."""
        return tuple((i, j) for i, j in self._told["channel_map"])

    @property
    def known(self) -> tuple[str, ...]:
        """Calls whose answers follow from those of other calls: they are none of their own in the comparison."""
        return tuple(self._told.get("known", ()))

    @property
    def shift(self) -> tuple[int, ...]:
        """m, one number per pair of channels, with H_A = Δ_m H_B Δ_m⁻¹, Δ_m = diag(z^(-m_i))."""
        return tuple(self._told["shift"])

    @property
    def filters(self) -> tuple[str, ...]:
        """By what query and answer are multiplied, for linear and homogeneous oracles."""
        return tuple(self._told["filters"])

    @property
    def matrices(self) -> tuple[tuple[tuple[str, str], tuple[str, str]], ...]:
        """How pairs (query, answer) of the second's oracle become pairs of the first's."""
        return tuple(((m[0][0], m[0][1]), (m[1][0], m[1][1])) for m in self._told["matrices"])

    @property
    def repeat(self) -> tuple[str, int] | None:
        """Which algorithm, ``"A"`` or ``"B"``, makes how many iterations while the other makes one."""
        repeat = self._told["repeat"]
        return None if repeat is None else (repeat["side"], repeat["count"])

    @property
    def state_map(self) -> tuple[tuple[str, ...], ...] | None:
        """T, with ξ_B = T ξ_A between minimal realizations; none where there is no such matrix.

        What ξ_A and ξ_B are is told by :attr:`state_map_states`. They are states of A and B after what the relation changes
        (parameters, oracles, times), and in general not those of :meth:`Algorithm.minimal`.
        """
        rows = self._told["state_map"]
        return None if rows is None else tuple(tuple(row) for row in rows)

    @property
    def state_map_states(self) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """ξ_A and ξ_B, between which :attr:`state_map` leads, in terms of the states of the texts when the second begins.

        >>> import linnaeus
        >>> verdict = linnaeus.compare("x[k+1] = x[k] - t*grad f(x[k])", "y[k+1] = y[k] - 2*t*grad f(y[k]/2)")
        >>> verdict.state_map_states, verdict.state_map
        ((('x[0]',), ('y[0]',)), (('2',),))
        """
        states = self._told.get("state_map_states")
        return None if states is None else (tuple(states["A"]), tuple(states["B"]))

    @property
    def no_state_map(self) -> str | None:
        """Why there is no state map."""
        return _text(self._told["no_state_map"])

    @property
    def initialization(self) -> tuple[str, ...]:
        """How the second is started to make the first's calls, in the names of the texts."""
        told: list[str] = json.loads(self._native.report("plain"))["initialization"]
        return tuple(told)

    @property
    def skipped(self) -> tuple[tuple[int, int], ...]:
        """The channels whose first so many calls the first makes and the second does not."""
        return tuple((i, count) for i, count in self._told["skipped"])

    @property
    def obstruction(self) -> Obstruction | None:
        """Why they are not related."""
        details = self._told["obstruction"]
        return None if details is None else _obstruction(details)

    @property
    def limit(self) -> str | None:
        """The limit that left the question open."""
        return _text(self._told["limit"])

    @property
    def recheck(self) -> str | None:
        """What the independent re-check said of a relation: ``"passed"`` or ``"not-simulable"``."""
        return _text(self._told["recheck"])

    def proof(self) -> str:
        """The statement and its proof in LaTeX, or what keeps the two apart; it needs amsmath and amssymb."""
        return self._native.proof()

    def to_sympy(self) -> str:
        """A SymPy script that checks the relation without Linnaeus."""
        with refused_as(TransformError):
            return self._native.script()

    def diagram(self) -> Diagram | None:
        """Both algorithms unrolled in time, with lines between calls that are the same; none unless they are related."""
        svg = self._native.diagram()
        return None if svg is None else Diagram(svg)

    def __str__(self) -> str:
        return self._native.page().rstrip("\n")

    def __repr__(self) -> str:
        if self.is_related:
            return f"<Verdict related: {self.relation}, {self.generality}>"
        if self.is_distinct:
            return f"<Verdict distinct: {self._told['obstruction']['message']}>"
        return f"<Verdict undecided: {self.limit}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Verdict):
            return NotImplemented
        return self._key == other._key and self._told == other._told

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[Algorithm, Algorithm, str | None]:
        return self.first, self.second, self.only

    def __reduce__(self) -> tuple[Any, ...]:
        return Verdict, (*self._key, self._told, self._match)

    def _repr_html_(self) -> str:
        title, *lines = str(self).splitlines()
        formulas = self._formulas()
        rows: list[tuple[str, str]] = []
        for line in lines:
            word, said = line[2:14].strip(), line[14:]
            rows.append((word, next(formulas) if word in ("B's", "any", "where") else _display.escape(said)))
        return f"<p><b>{_display.escape(title)}</b></p>" + (_display.table(rows) if rows else "")

    def _formulas(self) -> Iterator[str]:
        """The parameters of all branches and what must hold for them, in the order in which they are printed."""
        for branch in json.loads(self._native.report("latex"))["branches"]:
            for name, value in branch["parameters"].items():
                yield _display.inline(f"{_formula.latex_name(name)} = {value}")
            if branch["free"]:
                yield _display.inline(", ".join(map(_formula.latex_name, branch["free"])))
            yield from map(_display.inline, branch["conditions"])


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def compare(
    first: str | Algorithm | Card | TransferMatrix, second: str | Algorithm | Card | TransferMatrix, only: str | None = None
) -> Verdict:
    """Whether and how two algorithms are the same.

    Each is a text, an :class:`Algorithm`, a card of the zoo or a transfer matrix. ``only`` restricts the search to one relation:
    ``"oracle"``, ``"shift"``, ``"permutation"``, ``"lft"``, ``"linear-oracle"``, ``"homogeneous"``, ``"repetition"`` or
    ``"conditional"``.

    >>> import linnaeus
    >>> a = "x[k+1] = x[k] - a*grad f(x[k]) + b*(x[k] - x[k-1])"
    >>> b = "v[k+1] = m*v[k] - e*grad f(x[k]); x[k+1] = x[k] + v[k+1]"
    >>> verdict = linnaeus.compare(a, b)
    >>> verdict
    <Verdict related: oracle, equal>
    >>> dict(verdict.parameters)
    {'e': 'a', 'm': 'b'}
    """
    a, b = _algorithm(first), _algorithm(second)
    if only is not None:
        only = worded(only, 'only="shift"')
    found = _native.Comparison(a._native, b._native, only)
    verdict = Verdict(a, b, only, json.loads(found.report()))
    verdict.__dict__["_native"] = found
    return verdict


def _algorithm(value: str | Algorithm | Card | TransferMatrix) -> Algorithm:
    if isinstance(value, (str, Algorithm)):
        return parse(value)
    if isinstance(value, TransferMatrix):
        return value.algorithm()
    card: Any = value
    return parse(getattr(card, "algorithm", card))


for _type in (Verdict, Branch, Obstruction):
    _type.__module__ = "linnaeus"
