"""Formulas compared whatever order their names are printed in.

A formula is evaluated over the field of 2⁵²¹ − 1 elements, at a point that depends on the names in it and nothing else.
Operators that do not commute stay letters, so that values are sums of words. Formulas that are equal have equal values;
others have equal values with a probability below their degree over 2⁵²¹.
"""

from __future__ import annotations

from hashlib import shake_256
from typing import Any

from . import _formula

_P = 2**521 - 1

Word = tuple[str, ...]


class Residue:
    """A sum of words with coefficients modulo a prime."""

    __slots__ = ("terms",)

    def __init__(self, terms: dict[Word, int]) -> None:
        self.terms = {word: value % _P for word, value in terms.items() if value % _P}

    def __add__(self, other: Residue) -> Residue:
        return Residue({w: self.terms.get(w, 0) + other.terms.get(w, 0) for w in {*self.terms, *other.terms}})

    def __sub__(self, other: Residue) -> Residue:
        return self + -other

    def __neg__(self) -> Residue:
        return Residue({word: -value for word, value in self.terms.items()})

    def __mul__(self, other: Residue) -> Residue:
        terms: dict[Word, int] = {}
        for left, a in self.terms.items():
            for right, b in other.terms.items():
                terms[left + right] = terms.get(left + right, 0) + a * b
        return Residue(terms)

    def __truediv__(self, other: Residue) -> Residue:
        return self * other.inverse()

    def __pow__(self, exponent: int | Residue) -> Residue:
        if isinstance(exponent, Residue):
            return _letter_or_number(f"{self.key()}^{exponent.key()}", frozenset())
        base, made = self if exponent >= 0 else self.inverse(), Residue({(): 1})
        for _ in range(abs(exponent)):
            made = made * base
        return made

    def inverse(self) -> Residue:
        """The inverse; that of a sum of words is a letter of its own."""
        if set(self.terms) == {()}:
            return Residue({(): pow(self.terms[()], -1, _P)})
        return Residue({(f"1/{self.key()}",): 1})

    def key(self) -> str:
        """The value as text."""
        return repr(sorted(self.terms.items()))


def _letter_or_number(name: str, letters: frozenset[str]) -> Residue:
    if name in letters:
        return Residue({(name,): 1})
    return Residue({(): int.from_bytes(shake_256(name.encode()).digest(80), "big")})


def _function(name: str) -> Any:
    def value(argument: Residue) -> Residue:
        if name == "adjoint":
            return Residue({tuple(f"{letter}'" for letter in reversed(word)): v for word, v in argument.terms.items()})
        return _letter_or_number(f"{name} {argument.key()}", frozenset())

    return value


_FUNCTIONS = {name: _function(name) for name in ("adjoint", "sqrt", "exp", "log")}


def residue(formula: str | None, letters: frozenset[str]) -> str | None:
    """A text that is the same for equal formulas; ``letters`` are names that do not commute."""
    if formula is None:
        return None

    def value(name: str) -> Residue:
        return _letter_or_number(name, letters)

    return str(_formula.evaluate(formula, value, lambda n: Residue({(): n}), _FUNCTIONS).key())
