"""Transfer matrices and realizations."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from . import _blocks, _display, _formula, _native
from ._errors import NoClosedForm, ReadError, encodable, refused_as
from ._optional import needed
from ._residue import residue

if TYPE_CHECKING:
    from ._algorithm import Algorithm

Rows = tuple[tuple[str | None, ...], ...]


def _rows(report: Iterable[Iterable[str | None]]) -> Rows:
    return tuple(tuple(row) for row in report)


def _residues(rows: Rows, letters: frozenset[str]) -> Rows:
    return tuple(tuple(residue(formula, letters) for formula in row) for row in rows)


def _oracle_key(oracle: str) -> tuple[str | None, ...]:
    """Kind, step and function of an oracle: ``prox_{(1/t) f}`` is the same whatever its step looks like."""
    match = re.fullmatch(r"(.*?)_\{?([^{}]*?)\}?", oracle)
    if match is None:
        return (oracle,)
    step, _, function = match[2].rpartition(" ")
    return match[1], residue(_sympy_text(step), frozenset()) if step else None, function


def _sympy_text(formula: str) -> str:
    return re.sub(r"\blambda\b", "lamda", formula.replace("^", "**"))


def _symbols(noncommuting: frozenset[str]) -> Callable[[str], Any]:
    sympy = needed("sympy")

    def symbol(name: str) -> Any:
        return sympy.Symbol(name, commutative=name not in noncommuting)

    return symbol


def _sympy_matrix(rows: Rows, noncommuting: frozenset[str] = frozenset()) -> Any:
    sympy = needed("sympy")
    functions = {"sqrt": sympy.sqrt, "exp": sympy.exp, "log": sympy.log, "adjoint": sympy.adjoint}
    symbol = _symbols(noncommuting)

    def entry(formula: str | None) -> Any:
        if formula is None:
            raise NoClosedForm("this entry has no closed form; look at `markov` and at the realization")
        return _formula.evaluate(formula, symbol, sympy.Integer, functions)

    width = len(rows[0]) if rows else 0
    return sympy.ImmutableMatrix(len(rows), width, [entry(formula) for row in rows for formula in row])


def _valued(rows: Rows, value: Callable[[str], Any]) -> list[list[Any]]:
    def entry(formula: str | None) -> Any:
        if formula is None:
            raise NoClosedForm("this entry has no closed form; look at `markov` and at the realization")
        try:
            return _formula.evaluate(formula, value)
        except ZeroDivisionError:
            where = ", ".join(f"{name} = {value(name)}" for name in sorted(_formula.names(formula)))
            raise ValueError(f"{formula} has no value where {where}: it divides by zero") from None

    return [[entry(formula) for formula in row] for row in rows]


def _value(name: str, value: Any, is_operator: bool = False) -> Any:
    """A number, or a matrix for an operator."""
    from ._parts import Identity

    if is_operator and isinstance(value, Identity):
        return _formula.exact(1)
    if is_operator and _blocks.is_array(value):
        return value
    # An array without a dimension is a number.
    is_list = hasattr(value, "__len__") and not isinstance(value, str) and getattr(value, "ndim", None) != 0
    if value is None or isinstance(value, (bool, Identity)) or is_list:
        wanted = "a number or an array of two dimensions" if is_operator else "a number"
        raise TypeError(f"{name} is {wanted}, not {value!r}")
    return _formula.exact(value)


def _values(
    given: Mapping[str, Any],
    needed: Iterable[Rows],
    spelled: Mapping[str, str],
    operators: Iterable[str],
    point: Mapping[str, Any] = MappingProxyType({}),
) -> Callable[[str], Any]:
    """Numbers for all names in some matrices, or a complaint about those that are missing or not known at all.

    Names are as the text or as the formulas spell them, and ``z`` is the text's own; the transform variable has its value
    in ``point``.
    """
    formulas = (formula for rows in needed for row in rows for formula in row if formula is not None)
    names = frozenset[str]().union(*(_formula.names(formula) for formula in formulas))
    known = names.union(spelled.values()) - point.keys()
    values = {}
    for name, value in given.items():
        formal = spelled.get(name, name)
        if formal not in known:
            raise ValueError(f"there is no parameter `{name}`")
        values[formal] = _value(name, value, formal in operators)
    values.update((name, _value(name, value)) for name, value in point.items())
    missing = sorted(names - values.keys())
    if missing:
        raise ValueError(f"numbers are needed for {', '.join(missing)}")
    return values.__getitem__


@dataclass(frozen=True, eq=False)
class TransferMatrix:
    """H(z): how the queries of an algorithm depend on the answers that it gets, y = H u.

    Entries are formulas in lowest terms; two matrices are equal if they have the same oracles in the same order and equal
    entries. Rows and columns go with :attr:`oracles`.

    >>> import linnaeus
    >>> H = linnaeus.parse("x[k+1] = x[k] - t*grad f(x[k])").transfer
    >>> H[0, 0]
    '-t/(z - 1)'
    >>> H.evaluate(z=3, t=0.5)
    [[Fraction(-1, 4)]]
    """

    #: The oracles, as they are written.
    oracles: tuple[str, ...]
    #: The entries with operators and their adjoints; none where there is no closed form.
    entries: Rows
    #: The same with every operator and its adjoint as one commuting symbol; none where operators do not commute.
    scalar: Rows | None = field(default=None, repr=False, compare=False)
    #: The same in LaTeX.
    latex: Rows = field(default=(), repr=False, compare=False)
    #: Names of operators.
    operators: tuple[str, ...] = field(default=(), repr=False)
    #: D, CB, CAB, … where operators do not commute or coefficients change with the index.
    markov: tuple[Rows, ...] = field(default=(), repr=False)
    #: All names that may have a value, in the entries or not, as the text and as formulas spell them.
    _spelled: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    #: How the operators are declared, ``"A: X -> Y"``.
    declarations: tuple[str, ...] = field(default=(), repr=False, compare=False)
    #: Why there is no closed form.
    _why: str = field(default="operators do not commute", repr=False, compare=False)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.oracles), len(self.oracles)

    @property
    def is_closed(self) -> bool:
        """Whether every entry has a closed form."""
        return all(entry is not None for row in self.entries for entry in row)

    def __getitem__(self, place: tuple[int, int]) -> str | None:
        if not isinstance(place, tuple) or len(place) != 2:
            raise TypeError("an entry is H[row, column]")
        row, column = place
        return self.entries[row][column]

    @cached_property
    def _key(self) -> tuple[Any, ...]:
        """The same for equal matrices, however their formulas are printed."""
        oracles = tuple(_oracle_key(oracle) for oracle in self.oracles)
        if self.scalar is not None:
            # Where an operator on one space occurs only as its adjoint, the symbol stands for that.
            adjoints = frozenset(re.findall(r"adjoint\((\w+)\)", str(self.entries)))
            return oracles, _residues(self.scalar, frozenset()), adjoints
        letters = frozenset(self.operators)
        markov = () if self.is_closed else tuple(_residues(m, letters) for m in self.markov)
        return oracles, _residues(self.entries, letters), markov

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, TransferMatrix) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key)

    def evaluate(self, z: Any, given: Mapping[str, Any] | None = None, **values: Any) -> list[list[Any]]:
        """The numbers at a point; exact where all that is given is. At a pole there are none, which is a ``ValueError``.

        Names that Python does not take as keywords stand in a mapping: ``H.evaluate(2, {"lambda": 1})``. A parameter
        that the text calls ``z`` stands there too, or is called as in the formulas, ``z_``.

        >>> import linnaeus
        >>> linnaeus.parse("x[k+1] = x[k] - z*grad f(x[k])").transfer.evaluate(3, {"z": 4})
        [[Fraction(-2, 1)]]
        """
        rows = self.entries if self.scalar is None else self.scalar
        all_values = {**(given or {}), **values}
        matrices = [name for name in self.operators if hasattr(all_values.get(name), "__len__")]
        if matrices:
            raise TypeError(
                f"{matrices[0]} is a matrix: entries are numbers here; the algorithm's `.to_numpy()` and `.to_control()` take matrices"
            )
        return _valued(rows, _values(all_values, [rows], self._spelled, self.operators, {"z": z}))

    def to_sympy(self, *, commuting: bool = False) -> Any:
        """H as a SymPy matrix in the symbol ``z``.

        Operators are noncommutative symbols, and ``adjoint(A)`` is the adjoint of ``A``. Where operators commute, an
        operator and its adjoint are with ``commuting`` one commuting symbol, which SymPy simplifies better.

        >>> import linnaeus
        >>> H = linnaeus.zoo["chambolle_pock"].transfer
        >>> H.to_sympy()[0, 1], H.to_sympy(commuting=True)[0, 1]
        (-tau*adjoint(A)/z, -A*tau/z)
        """
        if commuting:
            if self.scalar is None:
                raise NoClosedForm("these operators do not commute")
            return _sympy_matrix(self.scalar)
        return _sympy_matrix(self.entries, frozenset(self.operators))

    def markov_to_sympy(self) -> tuple[Any, ...]:
        """D, CB, CAB, … as SymPy matrices, where :attr:`markov` lists them; operators do not commute."""
        return tuple(_sympy_matrix(rows, frozenset(self.operators)) for rows in self.markov)

    @classmethod
    def from_sympy(
        cls, matrix: Any, oracles: str | Sequence[str], *, operators: str | Sequence[str] = ()
    ) -> TransferMatrix:
        """H from a SymPy matrix in the symbol ``z``, with the oracles as they are written in a text.

        Operators are symbols that do not commute, declared as in a text, ``"A: X -> Y"``; with the
        :attr:`declarations` of a matrix, ``from_sympy(H.to_sympy(), H.oracles, operators=H.declarations)`` is H. A matrix
        that no algorithm can have, because an entry grows with z, is refused.

        >>> import linnaeus, sympy
        >>> t, z = sympy.symbols("t z")
        >>> H = linnaeus.TransferMatrix.from_sympy(sympy.Matrix([[t/(1 - z)]]), ["grad f"])
        >>> H == linnaeus.parse("x[k+1] = x[k] - t*grad f(x[k])").transfer
        True
        """
        sympy = needed("sympy")
        is_entry = isinstance(matrix, sympy.Expr) and not matrix.is_Matrix
        rows = sympy.Matrix([[matrix]] if is_entry else matrix).tolist()
        z = sympy.Symbol("z")
        for entry in (entry for row in rows for entry in row):
            if not _commuting(entry).is_rational_function(z):
                raise ValueError(f"{entry} is no rational function of z")
        declared = [operators] if isinstance(operators, str) else list(operators)
        names = {line.removeprefix("operator ").split(":")[0].strip() for line in declared}
        found = {s.name for row in rows for entry in row for s in entry.free_symbols if not s.is_commutative}
        if missing := sorted(found - names):
            raise ValueError(f'say between which spaces {missing[0]} leads: operators="{missing[0]}: X -> X", or "{missing[0]}: X -> Y"')
        if _commute(declared, rows):
            return cls.from_rows(rows, oracles, operators=declared)
        return cls._of_words(rows, oracles, declared)

    @classmethod
    def _of_words(cls, rows: list[list[Any]], oracles: str | Sequence[str], declared: list[str]) -> TransferMatrix:
        """H in operators that do not commute, of which the engine makes no algorithm."""
        sympy = needed("sympy")
        listed = [o.strip() for o in oracles.split(",")] if isinstance(oracles, str) else list(oracles)
        if any(len(row) != len(listed) for row in rows) or len(rows) != len(listed):
            raise ValueError(f"a matrix for {len(listed)} oracles has as many rows and columns")
        z = sympy.Symbol("z")
        for entry in (entry for row in rows for entry in row):
            above, below = sympy.fraction(sympy.together(_commuting(entry)))
            if sympy.degree(above, z) > sympy.degree(below, z):
                raise ValueError(f"{entry} grows with z: the query would need an answer that is given only later")
        entries = tuple(tuple(_formula.sympy_text(entry) for entry in row) for row in rows)
        latex = tuple(tuple(sympy.latex(entry) for entry in row) for row in rows)
        names = tuple(line.split(":")[0].strip() for line in declared)
        known = {s.name: s.name for row in rows for entry in row for s in entry.free_symbols if s.name != "z"}
        return cls(tuple(listed), entries, None, latex, names, (), known, tuple(declared))

    @classmethod
    def from_rows(
        cls, rows: Sequence[Sequence[Any]], oracles: str | Sequence[str], *, operators: str | Sequence[str] = ()
    ) -> TransferMatrix:
        """H from formulas or numbers.

        >>> import linnaeus
        >>> linnaeus.TransferMatrix.from_rows([["-t/(z-1)"]], "grad f").algorithm().text
        'x[k+1] = x[k] - t*grad f(x[k])'
        """
        declared = [operators] if isinstance(operators, str) else operators
        declarations = tuple(line.removeprefix("operator ").strip() for line in declared)
        text = _matrix_text([[_formula_text(entry) for entry in row] for row in rows], oracles, declarations)
        with refused_as(ReadError):
            told = json.loads(_native.matrix(encodable(text)))
        known = dict(told["spellings"])
        return cls(
            tuple(told["oracles"]),
            _rows(told["transfer"]),
            _rows(told["scalar"]),
            _rows(told["latex"]),
            tuple(told["operators"]),
            (),
            known,
            declarations,
        )

    def algorithm(self) -> Algorithm:
        """An algorithm with this transfer matrix that stores as few vectors as possible."""
        from ._algorithm import Algorithm

        if not self.is_closed:
            raise NoClosedForm("only a matrix with a closed form is turned into an algorithm")
        text = _matrix_text([[_formula_text(entry) for entry in row] for row in self.entries], self.oracles, self.declarations)
        with refused_as(ReadError):
            return Algorithm._read(_native.transform(text, "minimal", {}))

    def to_control(self, given: Mapping[str, Any] | None = None, /, **values: Any) -> Any:
        """H as a discrete-time ``control.TransferFunction``, with numbers for the parameters and operators.

        Its inputs are the answers of the oracles, its outputs the queries. Operators that are matrices go into
        :meth:`Realization.to_control`, a state space.
        """
        if any(map(_blocks.is_array, (values := {**(given or {}), **values}).values())):
            raise TypeError("a transfer function takes numbers; for matrices use Algorithm.to_control, a state space")
        control, sympy = needed("control"), needed("sympy")
        z = sympy.Symbol("z")
        rows = self.entries if self.scalar is None else self.scalar
        numbers = _values(values, [rows], self._spelled, self.operators, {"z": 0})
        matrix = self.to_sympy(commuting=self.scalar is not None)
        put = {s: sympy.Rational(str(numbers(s.name))) if not _is_float(numbers(s.name)) else numbers(s.name) for s in matrix.free_symbols if s != z}
        valued = matrix.subs(put)
        if valued.has(sympy.zoo, sympy.nan):
            raise ValueError("H has no value for these numbers: it divides by zero")
        above, below = [], []
        for i in range(matrix.rows):
            pairs = [sympy.fraction(sympy.cancel(sympy.together(valued[i, j]))) for j in range(matrix.cols)]
            above.append([[float(c) for c in sympy.Poly(top, z).all_coeffs()] for top, _ in pairs])
            below.append([[float(c) for c in sympy.Poly(bottom, z).all_coeffs()] for _, bottom in pairs])
        return control.TransferFunction(above, below, True)

    def _repr_latex_(self) -> str:
        if self.is_closed or not self.markov:
            return _display.math(r"\hat H(z) = " + _display.bmatrix(self.latex or _in_latex(self.entries)))
        return _display.math(rf"\text{{{self._without_closed_form().replace('`', '')}}}")

    def _without_closed_form(self) -> str:
        return f"no closed form: {self._why}; the Markov parameters D, CB, CAB, … are in `markov`"

    def __str__(self) -> str:
        if not self.is_closed:
            shown = [f"{name} =\n{_table(rows)}" for name, rows in zip(("D", "CB", "CAB"), self.markov)]
            return "\n".join([self._without_closed_form(), *shown])
        return _table(self.entries)


def _in_latex(rows: Rows) -> Rows:
    return tuple(tuple(None if formula is None else _formula.latex(formula) for formula in row) for row in rows)


def _table(rows: Rows) -> str:
    """A matrix of formulas, its columns under each other."""
    cells = [["" if entry is None else entry for entry in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells)
    return "\n".join(f"[{line}]" for line in lines)


def _commute(declared: Sequence[str], rows: list[list[Any]]) -> bool:
    """Whether operators commute: one with its adjoint between two spaces, one within a space, or declared so."""
    if any("commuting" in line for line in declared) or not declared:
        return True
    if len(declared) > 1:
        return False
    name, _, rest = declared[0].removeprefix("operator ").partition(":")
    spaces = rest.split()
    inside = len(spaces) > 2 and spaces[0] == spaces[2] and "symmetric" not in spaces
    text = " ".join(_formula.sympy_text(entry) for row in rows for entry in row)
    without = text.replace(f"adjoint({name.strip()})", "")
    return not (inside and without != text and name.strip() in _formula_names(without))


def _formula_names(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d]\w*", text))


def _commuting(entry: Any) -> Any:
    """A formula of SymPy with one commuting symbol for an operator and its adjoint."""
    sympy = needed("sympy")
    plain = entry.replace(lambda e: isinstance(e, (sympy.adjoint, sympy.Adjoint, sympy.Transpose, sympy.transpose)), lambda e: e.args[0])
    return plain.subs({s: sympy.Symbol(s.name) for s in plain.free_symbols if not s.is_commutative})


def _is_float(value: Any) -> bool:
    return isinstance(value, (float, complex))


def _formula_text(value: Any) -> str:
    """A formula, as the engine or SymPy writes it, in the plain notation."""
    text = _formula.plain(value)
    return re.sub(r"adjoint\((\w+)\)", r"\1'", re.sub(r"\blamda\b", "lambda", text.replace("**", "^")))


def _matrix_text(rows: Sequence[Sequence[str]], oracles: str | Sequence[str], declarations: Iterable[str]) -> str:
    if not isinstance(oracles, Iterable) or not all(isinstance(oracle, str) for oracle in oracles):
        raise TypeError(f'oracles are named by texts, as in ["prox_f", "prox_g"], not {oracles!r}')
    listed = oracles if isinstance(oracles, str) else ", ".join(_formula_text(oracle) for oracle in oracles)
    body = ", ".join("[" + ", ".join(row) + "]" for row in rows)
    return "\n".join([*(f"operator {line}" for line in declarations), f"H = [{body}]", f"oracles: {listed}"])


@dataclass(frozen=True)
class Cost:
    """What one iteration costs besides the calls."""

    stored: int
    additions: int
    scalings: int
    applications: int
    inversions: int


@dataclass(frozen=True)
class Realization:
    """x⁺ = A x + B u, y = C x + D u, with u the answers of the oracles and y the queries.

    Where a text has constant vectors c, E and F say how they enter: x⁺ = … + E c, y = … + F c.
    """

    #: What the state holds.
    states: tuple[str, ...]
    oracles: tuple[str, ...]
    A: Rows
    B: Rows
    C: Rows
    D: Rows
    #: Constant vectors, and how they enter the next state and the queries.
    constants: tuple[str, ...] = ()
    E: Rows = field(default=(), repr=False)
    F: Rows = field(default=(), repr=False)
    #: Names of operators.
    operators: tuple[str, ...] = field(default=(), repr=False)
    #: The algorithm in the plain notation with this state; none for the state of the text itself.
    text: str | None = field(default=None, repr=False, compare=False)
    #: What one iteration costs, where it was computed.
    cost: Cost | None = field(default=None, repr=False, compare=False)
    #: All names that may have a value, in the matrices or not, as the text and as formulas spell them.
    _spelled: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    #: The matrices in LaTeX.
    _latex: tuple[Rows, Rows, Rows, Rows] | None = field(default=None, repr=False, compare=False)
    #: Whether coefficients that change with the index are read as constants.
    _freeze: bool = field(default=False, repr=False, compare=False)

    @property
    def order(self) -> int:
        """How many vectors are stored."""
        return len(self.states)

    def to_sympy(self) -> tuple[Any, Any, Any, Any]:
        """A, B, C and D as SymPy matrices; operators are symbols that do not commute."""
        operators = frozenset(self.operators)
        n, p = self.order, len(self.oracles)
        made = [_sympy_matrix(rows, operators) for rows in (self.A, self.B, self.C, self.D)]
        shapes = ((n, n), (n, p), (p, n), (p, p))
        a, b, c, d = (m.reshape(*shape) if 0 in shape else m for m, shape in zip(made, shapes, strict=True))
        return a, b, c, d

    def to_numpy(self, given: Mapping[str, Any] | None = None, /, **values: Any) -> tuple[Any, Any, Any, Any]:
        """A, B, C and D as NumPy arrays, with numbers for the parameters, and numbers or matrices for the operators.

        >>> import linnaeus
        >>> A, B, C, D = linnaeus.zoo["heavy_ball"].algorithm.realization().to_numpy(alpha=0.1, beta=0.5)
        >>> A.tolist(), B.tolist()
        ([[1.5, -0.5], [1.0, 0.0]], [[-0.1], [0.0]])

        Where operators are matrices, every state, answer and query has as many components as they say:

        >>> import numpy
        >>> cp = linnaeus.zoo["chambolle_pock"].algorithm.realization()
        >>> A, B, C, D = cp.to_numpy(A=numpy.ones((3, 2)), tau=0.1, sigma=0.2, theta=1)
        >>> A.shape, D.shape
        ((5, 5), (5, 5))

        Names that Python does not take as keywords stand in a mapping: ``to_numpy({"lambda": 1})``.
        """
        four = (self.A, self.B, self.C, self.D)
        value = _values({**(given or {}), **values}, four, self._spelled, self.operators)
        states = [f"the state {name}" for name in self.states]
        answers = [f"the answer of {name} ({i})" for i, name in enumerate(self.oracles, 1)]
        queries = [f"the query of {name} ({i})" for i, name in enumerate(self.oracles, 1)]
        sides = ((states, states), (states, answers), (queries, states), (queries, answers))
        entries = [_blocks.blocks(rows, value) for rows in four]
        sizes = _blocks.Sizes()
        for (rows, columns), matrix in zip(sides, entries, strict=True):
            sizes.told(rows, columns, matrix)
        a, b, c, d = (sizes.array(*side, matrix) for side, matrix in zip(sides, entries, strict=True))
        return a, b, c, d

    def to_control(self, given: Mapping[str, Any] | None = None, /, **values: Any) -> Any:
        """A discrete-time ``control.StateSpace``, with numbers for the parameters, and numbers or matrices for the operators.

        Its inputs are the answers of the oracles, its outputs the queries, component by component where operators are
        matrices.
        """
        control = needed("control")
        return control.StateSpace(*self.to_numpy(given, **values), True, remove_useless_states=False)

    def algorithm(self) -> Algorithm:
        """The algorithm that stores this state."""
        from ._algorithm import Algorithm

        if self.text is None:
            raise ValueError("this is the state of the text itself")
        with refused_as(ReadError):
            return Algorithm._read(self.text, "plain", self._freeze)

    def _repr_latex_(self) -> str:
        a, b, c, d = self._latex or (_in_latex(rows) for rows in (self.A, self.B, self.C, self.D))
        top = [[*left, *right] for left, right in zip(a, b, strict=True)]
        bottom = [[*left, *right] for left, right in zip(c, d, strict=True)]

        def lines(rows: list[list[str | None]]) -> str:
            return r" \\ ".join(" & ".join(entry or r"\cdot" for entry in row) for row in rows)

        columns = "c" * self.order + "|" + "c" * len(self.oracles)
        rule = r" \\ \hline " if top else ""
        body = lines(top) + rule + lines(bottom)
        return _display.math(
            r"\left[\begin{array}{c|c} A & B \\ \hline C & D \end{array}\right] = "
            rf"\left[\begin{{array}}{{{columns}}} {body} \end{{array}}\right]"
        )


for _type in (TransferMatrix, Realization, Cost):
    _type.__module__ = "linnaeus"
