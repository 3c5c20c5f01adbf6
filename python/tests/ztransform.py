"""H by SymPy alone: the lines of a text as linear equations in z-transforms, solved.

A reader of the plain notation of its own, and SymPy's field of rational functions. Of what Linnaeus says it takes which
names are operators, constant vectors and numbers, and which calls it takes for one channel; that these may be taken for
one is checked on the solution.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import sympy
from sympy.polys.matrices import DomainMatrix

from linnaeus import Algorithm

TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<oracle>(?:grad\s+env|prox|proj|argmin|J|P|R)_(?:\{[^}]*\}|\w+)|(?:sub)?grad\s+\w+\*?(?=\())"
    r"|(?P<name>[^\W\d]\w*)|(?P<sign>\|\||[-+*/^()\[\]';,=<>]))"
)


@dataclass
class Form:
    """A linear form: coefficients of signals and answers."""

    terms: dict[str, Any] = field(default_factory=dict)

    def plus(self, other: Form, factor: Any) -> Form:
        terms = dict(self.terms)
        for key, value in other.terms.items():
            terms[key] = terms.get(key, 0) + factor * value
        return Form({key: value for key, value in terms.items() if value})

    def times(self, factor: Any) -> Form:
        return Form({key: value * factor for key, value in self.terms.items()})


@dataclass
class Call:
    """A call in the text: its oracle, its query, its place."""

    oracle: str
    query: Form
    line: int
    column: int


class Reader:
    """Reads a text into equations and calls."""

    def __init__(self, algorithm: Algorithm) -> None:
        self.operators = {operator.name for operator in algorithm.operators}
        self.constants = {constant.name for constant in algorithm.constants}
        self.boxes = {channel.function for channel in algorithm.channels if channel.kind == "black-box"}
        self.index = algorithm.index
        names = sorted({*self.operators, *algorithm.parameters})
        self.field, self.z, *symbols = sympy.field(["z_transform", *(f"p_{name}" for name in names)], sympy.QQ)
        self.symbol = dict(zip(names, symbols, strict=True))
        self.calls: list[Call] = []
        self.equations: list[Form] = []
        for number, line in enumerate(algorithm.text.splitlines(), start=1):
            self._line(number, line)

    def _line(self, number: int, line: str) -> None:
        start = 0
        for part in line.split("#")[0].split(";"):
            if part.strip() and not re.match(r"\s*(param|operator|function|set|oracle|constant|index|iterate)s?\b[^=]*$", part):
                self._statement(number, start, part)
            start += len(part) + 1

    def _statement(self, number: int, start: int, text: str) -> None:
        self.tokens: list[tuple[str, str, int]] = []
        place = 0
        while text[place:].strip():
            match = TOKEN.match(text, place)
            assert match and match.lastgroup, f"cannot read {text[place:]!r}"
            kind = match.lastgroup
            self.tokens.append((kind, match[kind], start + match.start(kind) + 1))
            place = match.end()
        self.tokens.append(("end", "", 0))
        self.at, self.line = 0, number
        left = self._vector(self._sum())
        self._take("=")
        right = self._vector(self._sum())
        assert self.tokens[self.at][0] == "end", f"left over in {text!r}"
        self.equations.append(left.plus(right, -self.field.one))

    # A value is a Form or an element of the field.

    def _vector(self, value: Any) -> Form:
        if isinstance(value, Form):
            return value
        assert value == 0, "a number stands for a vector"
        return Form()

    def _peek(self) -> str:
        return self.tokens[self.at][1]

    def _take(self, sign: str) -> None:
        assert self._peek() == sign, f"{sign} expected in {self.tokens}"
        self.at += 1

    def _sum(self) -> Any:
        sign = -1 if self._peek() == "-" else 1
        if self._peek() in "+-" and self._peek():
            self.at += 1
        value = self._scaled(self._product(), self.field(sign))
        while self._peek() and self._peek() in "+-":
            sign = 1 if self._peek() == "+" else -1
            self.at += 1
            value = self._add(value, self._product(), self.field(sign))
        return value

    def _add(self, a: Any, b: Any, factor: Any) -> Any:
        if isinstance(a, Form) or isinstance(b, Form):
            return self._vector(a).plus(self._vector(b), factor)
        return a + factor * b

    def _scaled(self, value: Any, factor: Any) -> Any:
        return value.times(factor) if isinstance(value, Form) else value * factor

    def _product(self) -> Any:
        value = self._power()
        while self._peek() and self._peek() in "*/":
            sign = self._peek()
            self.at += 1
            other = self._power()
            if sign == "/":
                value = self._scaled(value, self.field.one / other)
            elif isinstance(other, Form):
                assert not isinstance(value, Form), "a product of vectors"
                value = other.times(value)
            else:
                value = self._scaled(value, other)
        return value

    def _power(self) -> Any:
        value = self._primary()
        while self._peek() == "'":
            self.at += 1  # an adjoint is the same commuting symbol
        if self._peek() == "^":
            self.at += 1
            negative = self._peek() == "-"
            self.at += negative
            exponent = int(self.tokens[self.at][1])
            self.at += 1
            value = value ** (-exponent if negative else exponent)
        return value

    def _primary(self) -> Any:
        kind, text, column = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return self.field(sympy.QQ(*map(int, sympy.Rational(text).as_numer_denom())))
        if text == "(":
            value = self._sum()
            self._take(")")
            return value
        if kind == "oracle" or (text in self.boxes and self._peek() == "("):
            return self._call(text, column)
        assert kind == "name", f"{text} is not understood"
        if text == "inv":
            self._take("(")
            value = self._sum()
            self._take(")")
            return self.field.one / value
        if text == "I" and text not in self.symbol:
            return self.field.one
        if self._peek() == "[":
            return self._indexed(text)
        if text in self.constants:
            return Form({f"constant {text}": self.field.one})
        return self.symbol[text]

    def _indexed(self, name: str) -> Form:
        self._take("[")
        words = ""
        while self._peek() != "]":
            words += self._peek()
            self.at += 1
        self._take("]")
        assert words.startswith(self.index)
        offset = sympy.Rational(words[len(self.index) :] or 0)
        whole = sympy.floor(offset)
        half = "" if offset == whole else " half"
        return Form({f"signal {name}{half}": self.z ** int(whole)})

    def _call(self, oracle: str, column: int) -> Form:
        self._take("(")
        query = self._vector(self._sum())
        if self._peek() == ";":
            while self._peek() != ")":
                self.at += 1
        self._take(")")
        self.calls.append(Call(oracle, query, self.line, column))
        return Form({f"answer {len(self.calls) - 1}": self.field.one})


def transfer(algorithm: Algorithm) -> tuple[Reader, list[list[Any]]]:
    """H of an algorithm whose coefficients commute."""
    reader = Reader(algorithm)
    zero, z = reader.field.zero, reader.z
    by_place = {(call.line, call.column): i for i, call in enumerate(reader.calls)}
    # Answers of calls that are one channel are the channel's, some iterations ago.
    channel_of: dict[int, tuple[int, int]] = {}
    for number, channel in enumerate(algorithm.channels):
        for told in channel.calls:
            call = by_place.pop((told.span.start.line, told.span.start.column))
            channel_of[call] = (number, told.delay)
    assert not by_place, f"calls that no channel serves: {by_place}"

    def merged(form: Form) -> Form:
        terms: dict[str, Any] = {}
        for key, value in form.terms.items():
            kind, _, name = key.partition(" ")
            if kind == "constant":
                continue
            if kind == "answer":
                number, delay = channel_of[int(name)]
                key, value = f"channel {number}", value / z**delay
            terms[key] = terms.get(key, zero) + value
        return Form(terms)

    equations = [merged(equation) for equation in reader.equations]
    signals = sorted({key for form in equations for key in form.terms if key.startswith("signal")})
    p = len(algorithm.channels)
    left = [[form.terms.get(key, zero) for key in signals] for form in equations]
    right = [[-form.terms.get(f"channel {j}", zero) for j in range(p)] for form in equations]
    domain = reader.field.to_domain()
    matrix = DomainMatrix(left, (len(left), len(signals)), domain)
    assert len(left) == len(signals), "as many lines as signals"
    solved = matrix.lu_solve(DomainMatrix(right, (len(right), p), domain)).to_dense().rep.to_list() if p else []
    place = {key: i for i, key in enumerate(signals)}

    def query(call: Call) -> list[Any]:
        form = merged(call.query)
        row = [form.terms.get(f"channel {j}", zero) for j in range(p)]
        for key, value in form.terms.items():
            if key in place:
                row = [entry + value * solved[place[key]][j] for j, entry in enumerate(row)]
        return row

    queries = [query(call) for call in reader.calls]
    rows: list[Any] = [None] * p
    for call, (number, delay) in channel_of.items():
        if delay == 0 and rows[number] is None:
            rows[number] = queries[call]
    for call, (number, delay) in channel_of.items():
        assert [entry / z**delay for entry in rows[number]] == queries[call], "calls that are not one channel"
    return reader, rows


SPELLED = {"lambda": "lamda", "z": "z_"}


def equal(reader: Reader, rows: list[list[Any]], matrix: Any) -> bool:
    """Whether a matrix as Linnaeus gives it is this one."""
    names = {sympy.Symbol(SPELLED.get(name, name)): sympy.Symbol(f"p_{name}") for name in reader.symbol}
    names[sympy.Symbol("z")] = sympy.Symbol("z_transform")
    domain = reader.field.to_domain()
    told = [[domain.from_sympy(matrix[i, j].xreplace(names)) for j in range(len(rows))] for i in range(len(rows))]
    return told == rows


def check(algorithm: Algorithm) -> None:
    """H is what SymPy makes of the lines."""
    reader, rows = transfer(algorithm)
    assert equal(reader, rows, algorithm.to_sympy()), algorithm
