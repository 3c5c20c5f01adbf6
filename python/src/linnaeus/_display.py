"""How values look in a notebook."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape as _escaped
from pathlib import Path

from . import _formula

Rows = Sequence[Sequence[str | None]]


def escape(text: str) -> str:
    """Text as HTML; quotation marks and backslashes stay, so that formulas do."""
    return _escaped(text, quote=False)


def prose(text: str) -> str:
    """Text as HTML, with what stands between backticks as code."""
    return re.sub("`([^`]*)`", r"<code>\1</code>", escape(text))


def answer(text: str) -> str:
    r"""What an answer says of a card, in one line; parameters are formulas.

    >>> answer("Heavy ball · {alpha = a/(1 - b)} · where b != 1")
    'Heavy ball · $\\alpha = \\frac{a}{1 - b}$ · where b != 1'
    """

    def value(equation: str) -> str:
        name, _, formula = equation.partition(" = ")
        return inline(f"{_formula.latex_name(name)} = {_formula.latex(formula.replace('^', '**'))}")

    def part(text: str) -> str:
        if not (text.startswith("{") and text.endswith("}")):
            return escape(text)
        try:
            return ", ".join(map(value, text[1:-1].split(", ")))
        except (SyntaxError, ValueError):
            return escape(text)

    return " · ".join(map(part, text.split(" · ")))


def bmatrix(rows: Rows) -> str:
    """A matrix of LaTeX formulas; an entry without a formula is a dot."""
    if not rows:
        return r"\begin{bmatrix} \end{bmatrix}"
    body = r" \\ ".join(" & ".join(r"\cdot" if entry is None else entry for entry in row) for row in rows)
    return rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"


def math(latex: str) -> str:
    """A displayed formula."""
    return f"$$ {latex} $$"


def inline(latex: str) -> str:
    """A formula in a line of HTML."""
    return f"${escape(latex)}$"


def table(rows: Iterable[Sequence[str]], header: Sequence[str] = ()) -> str:
    """A table; cells are HTML."""
    head = "".join(f"<th style='text-align:left'>{cell}</th>" for cell in header)
    lines = ["".join(f"<td style='text-align:left'>{cell}</td>" for cell in row) for row in rows]
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table>{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>{body}</tbody></table>"


class Diagram:
    """A picture as SVG; a notebook shows it, :meth:`save` writes it to a file."""

    __slots__ = ("svg",)

    svg: str

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def save(self, path: str | Path) -> None:
        """Writes the picture to a file."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Diagram: SVG of {len(self.svg)} characters>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Diagram) and self.svg == other.svg

    def __hash__(self) -> int:
        return hash(self.svg)


Diagram.__module__ = "linnaeus"
