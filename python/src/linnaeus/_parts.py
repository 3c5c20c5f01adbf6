"""What algorithms are made of and what is made of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ._display import escape, table
from ._errors import Span
from ._transfer import Cost

if TYPE_CHECKING:
    from ._algorithm import Algorithm


class Identity:
    """The identity operator, for :meth:`Algorithm.substitute` and in what is written in Python; there is one, ``linnaeus.I``."""

    _only: Identity | None = None

    def __new__(cls) -> Identity:
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def __repr__(self) -> str:
        return "linnaeus.I"

    def __reduce__(self) -> tuple[Any, ...]:
        return Identity, ()


#: The identity operator.
I: Final = Identity()  # noqa: E741


@dataclass(frozen=True)
class Call:
    """One call in the text; its answer was given ``delay`` iterations ago."""

    text: str
    delay: int
    span: Span


@dataclass(frozen=True)
class Channel:
    """One oracle call per iteration: a row and a column of H."""

    #: As it is written: ``prox_{t f}``.
    oracle: str
    #: ``"gradient"``, ``"prox"``, ….
    kind: str
    #: Whose oracle; a star marks the conjugate.
    function: str
    #: The step, for kinds that have one.
    step: str | None
    #: The space of queries and answers, or both as ``Y -> X``.
    space: str
    #: The calls in the text that this channel serves.
    calls: tuple[Call, ...]
    #: Which of several channels of the same oracle, from 1.
    copy: int | None = None
    #: The sample that the calls carry.
    sample: str | None = None
    #: Of an argmin, the linear map inside.
    map: str | None = None


@dataclass(frozen=True)
class Signal:
    """A named vector and its space."""

    name: str
    space: str


@dataclass(frozen=True)
class Operator:
    """A linear operator."""

    name: str
    domain: str
    codomain: str
    symmetric: bool = False


@dataclass(frozen=True)
class Line:
    """A part of the text, what it was taken for, and what was read in it, in the plain notation."""

    text: str
    role: str
    read: tuple[str, ...]
    span: Span


@dataclass(frozen=True)
class Guess:
    """A name that could have meant something else, and the declaration that would say so."""

    name: str
    taken_as: str
    declaration: str


@dataclass(frozen=True)
class Form:
    """One way to write an algorithm."""

    #: The oracles, in the order of the calls in the original text.
    oracles: tuple[str, ...]
    #: m, with Δ_m H Δ_m⁻¹ the transfer matrix, Δ_m = diag(z^(-m_i)).
    shift: tuple[int, ...]
    #: ``"minimal"`` or ``"as-written"``.
    state: str
    #: Whether one iteration runs from top to bottom.
    explicit: bool
    cost: Cost
    #: The lines in the plain notation.
    text: str
    #: Whether coefficients that change with the index are read as constants.
    _freeze: bool = field(default=False, repr=False, compare=False)

    @property
    def algorithm(self) -> Algorithm:
        """The algorithm itself."""
        from ._algorithm import Algorithm

        return Algorithm._read(self.text, "plain", self._freeze)


class Forms(list[Form]):
    """Ways to write an algorithm, the cheapest explicit ones first."""

    #: Whether these are all.
    complete: bool = True
    #: Whether there are infinitely many shifts, of which the nearest are listed.
    infinite: bool = False
    #: What must hold for them to be the algorithm of the text.
    assumptions: tuple[str, ...] = ()

    def _repr_html_(self) -> str:
        rows = [
            ("explicit" if f.explicit else "implicit", str(f.cost.stored), str(f.shift), f"<pre>{escape(f.text)}</pre>")
            for f in self
        ]
        return table(rows, ("", "stored", "shift", "lines"))


for _type in (Channel, Call, Signal, Operator, Line, Guess, Form, Forms, Identity):
    _type.__module__ = "linnaeus"
