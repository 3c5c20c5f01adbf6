"""Numbers and operators in place of names: a realization as arrays.

A number times the identity has no size of its own. Sizes are told by the operators: an entry with an operator has as
many rows and columns as it, and one without leads from a space to itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from . import _formula
from ._errors import NoClosedForm
from ._optional import needed

Rows = tuple[tuple[str | None, ...], ...]


def is_array(value: Any) -> bool:
    """Whether a value is a matrix rather than a number."""
    return getattr(value, "ndim", 0) == 2


@dataclass(frozen=True)
class Block:
    """A number times the identity, or a matrix."""

    number: Any = 0
    matrix: Any = None

    def _sized(self, like: Block) -> Any:
        if self.matrix is not None:
            return self.matrix
        rows, columns = like.matrix.shape
        if self.number == 0:
            return like.matrix * 0
        if rows != columns:
            raise ValueError(f"the identity cannot be added to an operator of {rows} rows and {columns} columns")
        return _number(self.number) * needed("numpy").eye(rows)

    def __add__(self, other: Block) -> Block:
        if self.matrix is None and other.matrix is None:
            return Block(self.number + other.number)
        left, right = self._sized(other), other._sized(self)
        if left.shape != right.shape:
            raise ValueError(f"operators of shapes {left.shape} and {right.shape} are added")
        return Block(matrix=left + right)

    def __neg__(self) -> Block:
        return Block(-self.number) if self.matrix is None else Block(matrix=-self.matrix)

    def __sub__(self, other: Block) -> Block:
        return self + -other

    def __mul__(self, other: Block) -> Block:
        if self.matrix is None and other.matrix is None:
            return Block(self.number * other.number)
        if self.matrix is None:
            return Block(matrix=_number(self.number) * other.matrix)
        if other.matrix is None:
            return Block(matrix=self.matrix * _number(other.number))
        if self.matrix.shape[1] != other.matrix.shape[0]:
            raise ValueError(f"operators of shapes {self.matrix.shape} and {other.matrix.shape} are multiplied")
        return Block(matrix=self.matrix @ other.matrix)

    def __truediv__(self, other: Block) -> Block:
        return self * other**-1

    def __pow__(self, exponent: Any) -> Block:
        if self.matrix is None:
            return Block(self.number ** (exponent.number if isinstance(exponent, Block) else exponent))
        if self.matrix.shape[0] != self.matrix.shape[1]:
            raise ValueError(f"an operator of shape {self.matrix.shape} has no powers")
        return Block(matrix=needed("numpy").linalg.matrix_power(self.matrix, exponent))

    def adjoint(self) -> Block:
        """The adjoint."""
        return Block(self.number) if self.matrix is None else Block(matrix=self.matrix.conj().T)

    @property
    def is_zero(self) -> bool:
        """Whether it says nothing about sizes."""
        return self.matrix is None and self.number == 0


def _number(value: Any) -> Any:
    return value if isinstance(value, complex) else float(value)


def _function(name: str) -> Callable[[Block], Block]:
    if name == "adjoint":
        return Block.adjoint

    def value(argument: Block) -> Block:
        if argument.matrix is not None:
            raise ValueError(f"{name} of an operator is not known")
        return Block(_formula.FUNCTIONS[name](argument.number))

    return value


_FUNCTIONS = {name: _function(name) for name in _formula.FUNCTIONS}


def blocks(rows: Rows, value: Callable[[str], Any]) -> list[list[Block]]:
    """The entries of a matrix."""

    def named(name: str) -> Block:
        found = value(name)
        return Block(matrix=found) if is_array(found) else Block(found)

    def entry(formula: str | None) -> Block:
        if formula is None:
            raise NoClosedForm("this entry has no closed form; look at `markov` and at the realization")
        try:
            return _formula.evaluate(formula, named, lambda n: Block(_formula.exact(n)), _FUNCTIONS)  # type: ignore[no-any-return]
        except ZeroDivisionError:
            raise ValueError(f"{formula} has no value for these numbers: it divides by zero") from None

    return [[entry(formula) for formula in row] for row in rows]


class Sizes:
    """The dimensions of some spaces, some of which are the same."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}
        self._size: dict[str, int] = {}

    def _root(self, space: str) -> str:
        while (parent := self._parent.get(space, space)) != space:
            space = parent
        return space

    def _said(self, space: str, size: int) -> None:
        known = self._size.setdefault(self._root(space), size)
        if known != size:
            raise ValueError(f"operators do not fit: {space} would have {known} components and {size}")

    def told(self, rows: Sequence[str], columns: Sequence[str], entries: Iterable[Iterable[Block]]) -> None:
        """Learns from the entries of a matrix."""
        for to, row in zip(rows, entries, strict=True):
            for origin, entry in zip(columns, row, strict=True):
                if entry.matrix is not None:
                    self._said(to, entry.matrix.shape[0])
                    self._said(origin, entry.matrix.shape[1])
                elif not entry.is_zero:
                    self._same(to, origin)

    def _same(self, one: str, other: str) -> None:
        a, b = self._root(one), self._root(other)
        if a != b:
            self._parent[a] = b
            if (size := self._size.pop(a, None)) is not None:
                self._said(b, size)

    def of(self, space: str) -> int:
        """How many components; one where no operator says it."""
        return self._size.get(self._root(space), 1)

    def array(self, rows: Sequence[str], columns: Sequence[str], entries: list[list[Block]]) -> Any:
        """A matrix of blocks as one array."""
        numpy = needed("numpy")
        values = [
            [_expanded(entry, self.of(to), self.of(origin)) for origin, entry in zip(columns, row, strict=True)]
            for to, row in zip(rows, entries, strict=True)
        ]
        if rows and columns:
            return numpy.block(values)
        return numpy.zeros((sum(map(self.of, rows)), sum(map(self.of, columns))))


def _expanded(entry: Block, rows: int, columns: int) -> Any:
    numpy = needed("numpy")
    if entry.matrix is not None:
        return entry.matrix
    return numpy.zeros((rows, columns)) if entry.is_zero else _number(entry.number) * numpy.eye(rows)
