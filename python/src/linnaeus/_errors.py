"""What goes wrong, with the place where it went wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from . import _native


@dataclass(frozen=True, order=True)
class Position:
    """A place in a text; line and column count from 1, columns in characters."""

    line: int
    column: int


@dataclass(frozen=True, order=True)
class Span:
    """From a place to a place; the end is exclusive."""

    start: Position
    end: Position

    @classmethod
    def _of(cls, report: dict[str, Any]) -> Span:
        return cls(Position(**report["start"]), Position(**report["end"]))


@dataclass(frozen=True)
class Label:
    """A second place that a remark speaks of."""

    span: Span
    message: str


@dataclass(frozen=True)
class Diagnostic:
    """A remark on a text.

    ``severity`` is ``"error"``, ``"warning"`` or ``"note"``; ``code`` names the kind of remark and does not change
    from one version to the next.
    """

    severity: str
    code: str
    message: str
    span: Span
    labels: tuple[Label, ...] = ()
    help: str | None = None

    @classmethod
    def _of(cls, report: dict[str, Any]) -> Diagnostic:
        labels = tuple(Label(Span._of(label["span"]), label["message"]) for label in report.get("labels", []))
        return cls(
            report["severity"],
            report["code"],
            report["message"],
            Span._of(report["span"]),
            labels,
            report.get("help"),
        )


class LinnaeusError(Exception):
    """Whatever Linnaeus refuses to do."""


class _Remarked(LinnaeusError, ValueError):
    """An error that is made of remarks; it prints them with carets under their places."""

    def __init__(self, picture: str, diagnostics: tuple[Diagnostic, ...] = (), is_limit: bool = False) -> None:
        super().__init__(picture)
        self.diagnostics = diagnostics
        self.is_limit = is_limit

    def __str__(self) -> str:
        # A traceback puts the first line behind the name of the exception, where nothing stands under it.
        return str(self.args[0]).rstrip("\n")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.diagnostics, self.is_limit)


class ReadError(_Remarked):
    """A text that was not understood.

    ``diagnostics`` holds every remark, ``is_limit`` tells whether a stated limit is the only reason.

    >>> import linnaeus
    >>> linnaeus.parse("x[k+1] = x[k] - gard f(x[k])")
    Traceback (most recent call last):
    linnaeus.ReadError: error: there is no oracle `gard`
      1 | x[k+1] = x[k] - gard f(x[k])
        |                 ^^^^
    help: did you mean `grad`?
    """


class TransformError(_Remarked):
    """Something that cannot be done to an algorithm, with the reason.

    >>> import linnaeus
    >>> linnaeus.parse("x[k+1] = x[k] - t*grad f(x[k])").conjugate("g")
    Traceback (most recent call last):
    linnaeus.TransformError: error: no oracle of `g` is called
      1 | g
        | ^
    help: the oracles are those of f
    """


class NoClosedForm(LinnaeusError):
    """H has no closed form: operators do not commute or coefficients change with the index.

    The realization and the Markov parameters are exact all the same.
    """


for _error in (ReadError, TransformError, NoClosedForm, LinnaeusError):
    _error.__module__ = "linnaeus"


def encodable(text: str) -> str:
    """A text that the engine takes. Halves of characters that belong together are put together; others are replaced
    by U+FFFD, at which the engine points.

    >>> encodable("\\ud835\\udc65") == "\\U0001d465", encodable("\\ud835") == "\\ufffd"
    (True, True)
    """
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def worded(what: object, example: str) -> str:
    """A word of the user's, or what to pass."""
    if not isinstance(what, str):
        raise TypeError(f"a text is needed, as in {example}, not {what!r}")
    return encodable(what)


@contextmanager
def refused_as(error: type[_Remarked]) -> Iterator[None]:
    """Turns what the engine refuses into an error of this package."""
    try:
        yield
    except _native.Refusal as refusal:
        picture, diagnostics, is_limit = refusal.args
        told = tuple(Diagnostic._of(report) for report in json.loads(diagnostics))
        raise error(picture, told, is_limit) from None
