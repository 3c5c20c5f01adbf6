"""H by SymPy alone: the lines of a text as linear equations in z-transforms, solved.

A reader of the plain notation of its own, and SymPy's field of rational functions. Of what Linnaeus says it takes which
names are operators, constant vectors and numbers, and which calls it takes for one channel; that these may be taken for
one is checked on the solution. Where operators do not commute or coefficients change with the index there is no such
field; the lines are unrolled in numbers then, with matrices for operators, and compared with the Markov parameters.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import mpmath
import sympy
from sympy.polys.matrices import DomainMatrix

from linnaeus import Algorithm, _formula
from linnaeus._transfer import _commuting

TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)"
    r"|(?P<oracle>(?:grad\s+env|prox|proj|argmin|J|P|R)_(?:\{[^}]*\}|\w+)|(?:sub)?grad\s+\w+\*?(?=\())"
    r"|(?P<name>[^\W\d]\w*)|(?P<sign>\|\||[-+*/^()\[\]';,=<>]))"
)
DECLARATION = re.compile(r"\s*(param|operator|function|set|oracle|constant|index|iterate)s?\b[^=]*$")

#: The key of a term: a signal, a call or a constant, and how many iterations later.
Key = tuple[str, str, int]


@dataclass
class Form:
    """A linear form: coefficients of signals and answers."""

    terms: dict[Key, Any] = field(default_factory=dict)

    def plus(self, other: Form, sign: int) -> Form:
        terms = dict(self.terms)
        for key, value in other.terms.items():
            more = value if sign > 0 else -value
            terms[key] = terms[key] + more if key in terms else more
        return Form(terms)

    def times(self, factor: Any) -> Form:
        return Form({key: factor * value for key, value in self.terms.items()})


@dataclass
class Call:
    """A call in the text: its query and its place."""

    query: Form
    place: tuple[int, int]


class Reader:
    """Reads a text into equations and calls; ``number``, ``symbol`` and ``term`` say what coefficients are."""

    def __init__(
        self,
        algorithm: Algorithm,
        number: Callable[[str], Any],
        symbol: Callable[[str], Any],
        term: Callable[[str, int], Any] = lambda name, offset: None,
    ) -> None:
        self.number, self.symbol, self.term = number, symbol, term
        self.constants = {constant.name for constant in algorithm.constants}
        self.boxes = {channel.function for channel in algorithm.channels if channel.kind == "black-box"}
        self.index = algorithm.index
        self.calls: list[Call] = []
        #: Left-hand side and right-hand side of every line.
        self.equations: list[tuple[Any, Any]] = []
        script = re.compile(rf"(?<=[^\W\d])_(?:\{{({self.index}[^}}]*)\}}|({self.index})\b)")
        for number_of_line, line in enumerate(algorithm.text.splitlines(), start=1):
            start = 0
            for part in line.split("#")[0].split(";"):
                if part.strip() and not DECLARATION.match(part):
                    spelled = script.sub(lambda found: f"[{found[1] or found[2]}]", part)
                    self._statement(number_of_line, start, spelled)
                start += len(part) + 1
        # Places are those of a text that was respelled; the order of the calls is that of the text.
        order = sorted(range(len(self.calls)), key=lambda i: self.calls[i].place)
        told = sorted(
            ((call.span.start.line, call.span.start.column), number, call.delay)
            for number, channel in enumerate(algorithm.channels)
            for call in channel.calls
        )
        assert len(told) == len(order), "calls that no channel serves"
        #: The channel of every call, and how many iterations ago that was asked.
        self.channel = {call: (number, delay) for call, (_, number, delay) in zip(order, told, strict=True)}

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
        left = self._sum()
        self._take("=")
        right = self._sum()
        assert self.tokens[self.at][0] == "end", f"left over in {text!r}"
        self.equations.append((left, right))

    # A value is a Form or a coefficient.

    def _peek(self) -> str:
        return self.tokens[self.at][1]

    def _take(self, sign: str) -> None:
        assert self._peek() == sign, f"{sign} expected in {self.tokens}"
        self.at += 1

    def _sum(self) -> Any:
        negative = self._peek() == "-"
        self.at += self._peek() in ("+", "-")
        value = self._product()
        if negative:
            value = value.times(self.number("-1")) if isinstance(value, Form) else -value
        while self._peek() in ("+", "-"):
            sign = 1 if self._peek() == "+" else -1
            self.at += 1
            other = self._product()
            if isinstance(value, Form) or isinstance(other, Form):
                assert isinstance(value, Form) and isinstance(other, Form), "a vector and a number are added"
                value = value.plus(other, sign)
            else:
                value = value + other if sign > 0 else value - other
        return value

    def _product(self) -> Any:
        value = self._power()
        while True:
            kind, text, _ = self.tokens[self.at]
            if text in ("*", "/"):
                self.at += 1
            elif kind not in ("number", "name", "oracle"):
                return value
            other = self._power()
            if text == "/":
                inverse = self.number("1") / other
                value = value.times(inverse) if isinstance(value, Form) else value * inverse
            elif isinstance(other, Form):
                assert not isinstance(value, Form), "a product of vectors"
                value = other.times(value)
            else:
                value = value.times(other) if isinstance(value, Form) else value * other

    def _power(self) -> Any:
        value = self._primary()
        while self._peek() == "'":
            self.at += 1
            value = value.adjoint() if hasattr(value, "adjoint") else value
        if self._peek() == "^":
            self.at += 1
            negative = self._peek() == "-"
            self.at += negative
            exponent = self._primary()
            value = value ** int(-exponent if negative else exponent)
        return value

    def _inside(self) -> Any:
        self._take("(")
        value = self._sum()
        self._take(")")
        return value

    def _primary(self) -> Any:
        kind, text, column = self.tokens[self.at]
        if text == "(":
            return self._inside()
        self.at += 1
        if kind == "number":
            return self.number(text)
        if kind == "oracle" or (text in self.boxes and self._peek() == "("):
            return self._call(column)
        assert kind == "name", f"{text} is not understood"
        if text == "inv":
            return self.number("1") / self._inside()
        if text == "sqrt":
            return mpmath.sqrt(self._inside())
        if self._peek() == "[":
            return self._indexed(text)
        if text in self.constants:
            return Form({("constant", text, 0): self.number("1")})
        return self.symbol(text)

    def _indexed(self, name: str) -> Any:
        self._take("[")
        words = ""
        while self._peek() != "]":
            words += self._peek()
            self.at += 1
        self._take("]")
        assert words.startswith(self.index)
        offset = sympy.Rational(words[len(self.index) :] or 0)
        whole = int(sympy.floor(offset))
        value = self.term(name, whole)
        half = "" if offset == whole else " half"
        return Form({("signal", name + half, whole): self.number("1")}) if value is None else value

    def _call(self, column: int) -> Form:
        self._take("(")
        query = self._sum()
        if self._peek() == ";":
            while self._peek() != ")":
                self.at += 1
        self._take(")")
        self.calls.append(Call(query, (self.line, column)))
        return Form({("answer", str(len(self.calls) - 1), 0): self.number("1")})


SPELLED = {"lambda": "lamda", "z": "z_"}


class Solution:
    """H of an algorithm whose coefficients commute, over SymPy's field of rational functions."""

    def __init__(self, algorithm: Algorithm) -> None:
        names = sorted({*(operator.name for operator in algorithm.operators), *algorithm.parameters})
        self.names = names
        self.field, self.z, *symbols = sympy.field(["z_transform", *(f"p_{name}" for name in names)], sympy.QQ)
        symbol = {"I": self.field.one, **dict(zip(names, symbols, strict=True))}
        self.reader = Reader(algorithm, lambda text: self.field(sympy.QQ(*_ratio(text))), symbol.__getitem__)
        self.p = len(algorithm.channels)
        self.rows = self._rows()

    def _transformed(self, form: Form) -> dict[str, Any]:
        """The form with z for one iteration later and the answers of channels in place of those of calls."""
        terms: dict[str, Any] = {}
        for (kind, name, offset), value in form.terms.items():
            if kind == "constant":
                continue
            key = name
            if kind == "answer":
                channel, delay = self.reader.channel[int(name)]
                key, offset = f"[{channel}]", offset - delay
            terms[key] = terms.get(key, self.field.zero) + value * self.z**offset
        return terms

    def _rows(self) -> list[list[Any]]:
        zero, p = self.field.zero, self.p
        one = self.field(-1)
        equations = [self._transformed(left.plus(right.times(one), 1)) for left, right in self.reader.equations]
        signals = sorted({key for form in equations for key in form if not key.startswith("[")})
        assert len(equations) == len(signals), "as many lines as signals"
        domain = self.field.to_domain()
        left = DomainMatrix([[form.get(key, zero) for key in signals] for form in equations], (len(signals),) * 2, domain)
        right = [[-form.get(f"[{j}]", zero) for j in range(p)] for form in equations]
        solved = left.lu_solve(DomainMatrix(right, (len(signals), p), domain)).to_list() if p else []
        place = {key: i for i, key in enumerate(signals)}

        def query(call: Call) -> list[Any]:
            form = self._transformed(call.query)
            row = [form.get(f"[{j}]", zero) for j in range(p)]
            for key, value in form.items():
                if key in place:
                    row = [entry + value * more for entry, more in zip(row, solved[place[key]], strict=True)]
            return row

        queries = [query(call) for call in self.reader.calls]
        rows = {number: queries[call] for call, (number, delay) in self.reader.channel.items() if delay == 0}
        for call, (number, delay) in self.reader.channel.items():
            assert [entry / self.z**delay for entry in rows[number]] == queries[call], "calls that are not one channel"
        return [rows[number] for number in range(p)]

    def is_(self, matrix: Any) -> bool:
        """Whether a matrix as Linnaeus gives it is this one."""
        names = {sympy.Symbol(SPELLED.get(name, name)): sympy.Symbol(f"p_{name}") for name in self.names}
        names[sympy.Symbol("z")] = sympy.Symbol("z_transform")
        domain, places = self.field.to_domain(), range(self.p)
        told = [[domain.from_sympy(matrix[i, j].xreplace(names)) for j in places] for i in places]
        return told == self.rows


def _ratio(text: str) -> tuple[int, int]:
    above, below = sympy.Rational(text).as_numer_denom()
    return int(above), int(below)


class Block:
    """A matrix for an operator; a number beside it stands for a multiple of the identity."""

    def __init__(self, matrix: Any) -> None:
        self.matrix = matrix

    def _of(self, other: Any) -> Any:
        return other.matrix if isinstance(other, Block) else other * mpmath.eye(self.matrix.rows)

    def __add__(self, other: Any) -> Block:
        return Block(self.matrix + self._of(other))

    def __sub__(self, other: Any) -> Block:
        return Block(self.matrix - self._of(other))

    def __rsub__(self, other: Any) -> Block:
        return Block(self._of(other) - self.matrix)

    def __neg__(self) -> Block:
        return Block(-self.matrix)

    def __mul__(self, other: Any) -> Block:
        return Block(self.matrix * (other.matrix if isinstance(other, Block) else other))

    def __rmul__(self, other: Any) -> Block:
        return Block(other * self.matrix)

    def __truediv__(self, other: Any) -> Block:
        return Block(self.matrix / other)

    __radd__ = __add__

    def adjoint(self) -> Block:
        return Block(self.matrix.T)


def _difference(a: Any, b: Any) -> Any:
    matrices = [x.matrix for x in (a, b) if isinstance(x, Block)]
    if not matrices:
        return abs(a - b)
    full = [x.matrix if isinstance(x, Block) else x * mpmath.ones(*_shape(matrices[0])) if x == 0 else Block(matrices[0])._of(x) for x in (a, b)]
    return mpmath.norm(full[0] - full[1], mpmath.inf)


def _shape(matrix: Any) -> tuple[int, int]:
    return matrix.rows, matrix.cols


class Unrolled:
    """The lines run in numbers: how the answer of a channel so many iterations ago enters a query now."""

    #: Now, and how far back is looked.
    NOW, LAGS = 9, 4

    def __init__(self, algorithm: Algorithm, seed: int) -> None:
        self.algorithm, self.random = algorithm, random.Random(seed)
        sizes = {space: 2 + n for n, space in enumerate(sorted({o.domain for o in algorithm.operators} | {o.codomain for o in algorithm.operators}))}
        self.values: dict[str, Any] = {name: self._draw() for name in algorithm.parameters}
        for o in algorithm.operators:
            self.values[o.name] = Block(mpmath.matrix([[self._draw() for _ in range(sizes[o.domain])] for _ in range(sizes[o.codomain])]))
        self.numbers = {name.split("[")[0] for name in algorithm.schedules if "[" in name}
        # Numbers that a line gives in terms of others are not listed.
        given = (re.match(r"\s*([A-Za-z]+)", line) for line in algorithm.text.splitlines() if "=" in line)
        self.numbers |= {found[1] for found in given if found} - {iterate.name for iterate in algorithm.iterates}
        self.sequences: dict[tuple[str, int], Any] = {}
        self.readers: dict[int, Reader] = {}
        for n in range(self.NOW + 8):
            # A line that gives a number is a recursion: what it says of an iteration is its value there. Lines that
            # read one another's numbers are read until nothing changes.
            settled = False
            while not settled:
                settled = True
                for left, right in self._reader(n).equations:
                    if not isinstance(left, Form):
                        name, time = next(key for key, value in self.sequences.items() if value is left)
                        settled &= left == right
                        self.sequences[name, time] = right
                if not settled:
                    self.readers.pop(n)

    def _draw(self) -> Any:
        return mpmath.mpf(self.random.randint(2, 99)) / self.random.randint(2, 99)

    def _reader(self, n: int) -> Reader:
        """The lines of iteration n."""

        def term(name: str, offset: int) -> Any:
            return self._sequence(name, n + offset) if name in self.numbers else None

        def symbol(name: str) -> Any:
            return mpmath.mpf(n) if name == self.algorithm.index else self.values[name]

        if n not in self.readers:
            self.readers[n] = Reader(self.algorithm, lambda text: mpmath.mpf(text), symbol, term)
        return self.readers[n]

    def _sequence(self, name: str, time: int) -> Any:
        return self.sequences.setdefault((name, time), self._draw())

    def response(self, form: Form, n: int) -> dict[tuple[int, int], Any]:
        """By channel and iteration, how answers enter what the form is in iteration n."""
        found: dict[tuple[int, int], Any] = {}

        def add(key: tuple[int, int], value: Any) -> None:
            found[key] = found[key] + value if key in found else value

        for (kind, name, offset), factor in form.terms.items():
            if kind == "answer":
                channel, delay = self._reader(n).channel[int(name)]
                add((channel, n + offset - delay), factor)
            elif kind == "signal" and n + offset > self.NOW - self.LAGS - 3:
                for key, value in self._signal(name, n + offset).items():
                    add(key, factor * value)
        return found

    def _signal(self, name: str, time: int) -> dict[tuple[int, int], Any]:
        for number, (left, _) in enumerate(self._reader(self.NOW).equations):
            if isinstance(left, Form) and {key[:2] for key in left.terms} == {("signal", name)}:
                ((_, _, offset),) = left.terms
                return self.response(self._reader(time - offset).equations[number][1], time - offset)
        raise AssertionError(f"no line says what {name} is")

    def check(self) -> None:
        """The Markov parameters are what the run shows."""
        reader = self._reader(self.NOW)
        value = {
            **{SPELLED.get(name, name): v for name, v in self.values.items()},
            self.algorithm.index: mpmath.mpf(self.NOW),
        }

        def named(name: str) -> Any:
            if "[" not in name:
                return value[name]
            stem, offset = name[:-1].split("[")
            return self._sequence(stem, self.NOW + int(offset[len(self.algorithm.index) :] or 0))

        functions = {"adjoint": Block.adjoint, "sqrt": mpmath.sqrt}
        p = len(self.algorithm.channels)
        assert len(self.algorithm.transfer.markov) >= 2
        for call, (row, delay) in reader.channel.items():
            if delay:
                continue
            seen = self.response(reader.calls[call].query, self.NOW)
            for lag, told_at in enumerate(self.algorithm.transfer.markov[: self.LAGS]):
                for column in range(p):
                    formula = told_at[row][column]
                    assert formula is not None
                    told = _formula.evaluate(formula, named, mpmath.mpf, functions)
                    wanted = seen.get((column, self.NOW - lag), mpmath.mpf(0))
                    assert _difference(told, wanted) < mpmath.mpf(10) ** -30, (self.algorithm, lag, row, column)


def check(algorithm: Algorithm) -> None:
    """H, or where there is none the Markov parameters, are what the lines say."""
    if not algorithm.channels:
        assert algorithm.transfer.shape == (0, 0)
        return
    if not algorithm.schedules and algorithm.transfer.scalar is not None:
        solution = Solution(algorithm)
        assert solution.is_(algorithm.to_sympy(commuting=True)), algorithm
        assert solution.is_(algorithm.to_sympy().applyfunc(_commuting)), algorithm
        return
    with mpmath.workdps(60):
        for seed in range(3):
            Unrolled(algorithm, seed).check()
