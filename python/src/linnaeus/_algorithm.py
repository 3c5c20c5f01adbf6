"""Algorithms."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from copy import deepcopy
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex

from . import _display, _formula, _native
from ._builder import BlackBox, Draft, Function, Iterate, LinearOperator, Scalar, Sequence, Variable, Vector
from ._display import Diagram
from ._errors import Diagnostic, ReadError, Span, TransformError, encodable, refused_as, worded
from ._parts import Call, Channel, Form, Forms, Guess, Identity, Line, Operator, Signal
from ._transfer import Cost, Realization, TransferMatrix, _rows

if TYPE_CHECKING:
    from ._identify import Matches
    from ._verdict import Verdict
    from ._zoo import Zoo


class Algorithm:
    """An iterative algorithm that calls oracles and updates its state linearly.

    ``linnaeus.parse(text)`` reads one. ``Algorithm("x", "y")`` begins one that is written in Python: iterates, functions
    and parameters are declared, :meth:`let` adds a line. With the first question that is asked of it, it is read, and
    from then on it does not change. Two algorithms are equal if their texts are.

    >>> from linnaeus import Algorithm, grad
    >>> alg = Algorithm("x")
    >>> x, f, t = alg["x"], alg.function("f"), alg.parameter("t")
    >>> alg.let(x.next, x - t*grad(f)(x))
    >>> alg.text
    'x[k+1] = x[k] - t*grad f(x[k])'
    >>> alg.transfer[0, 0]
    '-t/(z - 1)'
    """

    #: What is being written in Python; none when it is read.
    _draft: Draft | None
    #: Text, notation, and whether coefficients are taken as constants.
    _given: tuple[str, str | None, bool]

    def __init__(self, *iterates: str, index: str = "k") -> None:
        self._draft, self._given = Draft(index), ("", None, False)
        for names in iterates:
            for name in worded(names, 'Algorithm("x", "y")').replace(",", " ").split():
                self._draft.iterate(name)

    @classmethod
    def _read(cls, text: str, notation: str | None = None, freeze: bool = False) -> Algorithm:
        """Reads a text, or says why it cannot be read."""
        self = cls.__new__(cls)
        self._draft, self._given = None, (encodable(text), notation, freeze)
        self._native  # noqa: B018  what cannot be read is refused now
        return self

    # How it is written in Python.

    def _open(self) -> Draft:
        if self._draft is None:
            raise TypeError("this algorithm is finished; begin another one with Algorithm(…)")
        return self._draft

    def __getitem__(self, name: str) -> Iterate:
        """The iterate of a name, while the algorithm is written in Python."""
        return self._open().signal(name)

    def iterate(self, name: str) -> Iterate:
        """Declares an iterate."""
        return self._open().iterate(name)

    def function(self, name: str, *, linear: bool = False) -> Function:
        """Declares a function, a set or a monotone operator whose oracles are called; ``linear`` if its gradient is."""
        return self._open().function(name, linear)

    def oracle(self, name: str) -> BlackBox:
        """Declares a black box; it is called like a function of Python."""
        return self._open().oracle(name)

    def parameter(self, name: str) -> Scalar:
        """Declares a number that is the same in all iterations."""
        return self._open().parameter(name)

    def sequence(self, name: str) -> Sequence:
        """Declares a number that changes from one iteration to the next."""
        return self._open().sequence(name)

    def operator(
        self, name: str, domain: str | None = None, codomain: str | None = None, *, symmetric: bool = False
    ) -> LinearOperator:
        """Declares a linear operator; ``A @ x`` applies it, ``A.T`` is its adjoint, ``A.inverse`` its inverse."""
        return self._open().operator(name, domain, codomain, symmetric)

    def constant(self, name: str) -> Vector:
        """Declares a vector that is the same in all iterations."""
        return self._open().constant(name)

    def variable(self, name: str) -> Variable:
        """Declares what :func:`argmin` minimizes over."""
        return self._open().variable(name)

    def let(self, left: Iterate | Sequence, right: Any) -> None:
        """Adds a line: ``alg.let(x.next, x - t*grad(f)(x))``."""
        self._open().let(left, right)

    # What it is.

    @property
    def _source(self) -> tuple[str, str | None, bool]:
        return self._given if self._draft is None else (self._draft.text(), "plain", False)

    @cached_property
    def _native(self) -> _native.Reading:
        source = self._source
        reading = _native.Reading(*source)
        if not reading.is_read:
            told = tuple(Diagnostic._of(report) for report in json.loads(reading.show())["diagnostics"])
            raise ReadError(reading.remarks(), told, reading.is_limited)
        # From now on it does not change.
        self._given, self._draft = source, None
        return reading

    @cached_property
    def _report(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(self._native.show())
        return report

    @cached_property
    def _latex(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(self._native.show("latex"))
        return report

    @property
    def text(self) -> str:
        """The text, as it was given or written in Python."""
        return self._source[0].strip("\n")

    @property
    def notation(self) -> str:
        """The notation in which the text was read."""
        return str(self._report["reading"]["notation"])

    @property
    def lines(self) -> tuple[Line, ...]:
        """Every part of the text and what it was taken for."""
        return tuple(
            Line(line["text"], line["role"], tuple(line.get("read", ())), Span._of(line["span"]))
            for line in self._report["reading"]["lines"]
        )

    @property
    def guesses(self) -> tuple[Guess, ...]:
        """What was not said and custom decided."""
        return tuple(Guess(g["name"], g["as"], g["declaration"]) for g in self._report["reading"]["guesses"])

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Remarks on the text."""
        return tuple(Diagnostic._of(report) for report in self._report["diagnostics"])

    @property
    def index(self) -> str:
        """The letter that counts iterations."""
        return str(self._report["index"])

    @property
    def channels(self) -> tuple[Channel, ...]:
        """The oracle calls of one iteration, in the order of first appearance."""

        def channel(report: dict[str, Any]) -> Channel:
            calls = tuple(Call(c["text"], c["delay"], Span._of(c["span"])) for c in report["calls"])
            return Channel(**{**report, "calls": calls})

        return tuple(channel(report) for report in self._report["channels"])

    @property
    def iterates(self) -> tuple[Signal, ...]:
        """The iterates."""
        return tuple(Signal(**signal) for signal in self._report["signals"])

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters, as the text spells them."""
        return tuple(self._native.parameters)

    @property
    def schedules(self) -> dict[str, str | None]:
        """Numbers that change with the index, and their value one iteration later where the text says it."""
        return {s["name"]: s.get("next") for s in self._report.get("schedules", [])}

    @property
    def operators(self) -> tuple[Operator, ...]:
        """The linear operators."""
        return tuple(Operator(**operator) for operator in self._report["operators"])

    @property
    def constants(self) -> tuple[Signal, ...]:
        """Constant vectors."""
        return tuple(Signal(**constant) for constant in self._report["constants"])

    @property
    def explicit(self) -> bool:
        """Whether one iteration runs from top to bottom."""
        return bool(self._report["explicit"])

    @property
    def order(self) -> tuple[int, ...] | None:
        """The order of the calls, as numbers of channels; none if calls wait for each other's answers."""
        order = self._report["order"]
        return None if order is None else tuple(order)

    @property
    def loop(self) -> tuple[int, ...] | None:
        """The channels that wait for each other's answers, if the algorithm is implicit."""
        loop = self._report.get("loop")
        return None if loop is None else tuple(loop)

    @property
    def minimal_order(self) -> int:
        """The least number of vectors that any realization stores."""
        return int(self._report["minimal_order"])

    @property
    def _oracles(self) -> tuple[str, ...]:
        return tuple(channel["oracle"] for channel in self._report["channels"])

    @cached_property
    def _spelled(self) -> dict[str, str]:
        """Numbers and operators as the text spells them, and as formulas do."""
        return dict(self._native.spellings)

    @cached_property
    def transfer(self) -> TransferMatrix:
        """The transfer matrix H(z)."""
        report, p = self._report, len(self._oracles)
        blank: list[list[str | None]] = [[None] * p] * p
        scalar = report["transfer_scalar"]
        return TransferMatrix(
            self._oracles,
            _rows(report["transfer"] if report["transfer"] is not None else blank),
            None if scalar is None else _rows(scalar),
            _rows(self._latex["transfer"] if report["transfer"] is not None else blank),
            tuple(self._spelled[operator["name"]] for operator in report["operators"]),
            tuple(_rows(m) for m in report.get("markov", ())),
            self._spelled,
            tuple(_declaration(operator) for operator in report["operators"]),
            "coefficients change with the index" if report.get("schedules") else "operators do not commute",
        )

    def realization(self, state: str = "as-written") -> Realization:
        """(A, B, C, D) with a state of choice.

        ``"as-written"`` is what the text stores, ``"minimal"`` as little as can be, in the user's variables where these
        can be told; ``"answers"`` is a list of past answers and ``"queries"`` one of queries to come, ``"controllable"`` and
        ``"observable"`` are the canonical forms with companion blocks.

        >>> import linnaeus
        >>> r = linnaeus.zoo["douglas_rachford"].algorithm.minimal()
        >>> r.A, r.B, r.C, r.D
        ((('1',),), (('-1', '1'),), (('1',), ('-1',)), (('0', '0'), ('2', '0')))
        """
        state = worded(state, 'realization("minimal")')
        operators = tuple(self._spelled[operator["name"]] for operator in self._report["operators"])
        constants = tuple(constant["name"] for constant in self._report["constants"])
        if state == "as-written":
            r, latex = self._report["realization"], self._latex["realization"]
            return Realization(
                tuple(r["states"]),
                self._oracles,
                _rows(r["A"]),
                _rows(r["B"]),
                _rows(r["C"]),
                _rows(r["D"]),
                constants,
                _rows(r.get("E", ())),
                _rows(r.get("F", ())),
                operators,
                _spelled=self._spelled,
                _latex=(_rows(latex["A"]), _rows(latex["B"]), _rows(latex["C"]), _rows(latex["D"])),
            )
        with refused_as(TransformError):
            report = json.loads(_native.realize(self._native, state))
        p, matrices = len(self._oracles), report["matrices"]
        b, d = _rows(matrices["B"]), _rows(matrices["D"])
        return Realization(
            tuple(report["states"]),
            self._oracles,
            _rows(matrices["A"]),
            tuple(row[:p] for row in b),
            _rows(matrices["C"]),
            tuple(row[:p] for row in d),
            constants,
            tuple(row[p:] for row in b) if constants else (),
            tuple(row[p:] for row in d) if constants else (),
            operators,
            report["text"].strip("\n"),
            Cost(**report["cost"]),
            self._spelled,
            _freeze=self._source[2],
        )

    def minimal(self) -> Realization:
        """A realization that stores as few vectors as possible; ``.algorithm()`` is the algorithm that does."""
        return self.realization("minimal")

    # What can be made of it.

    def _made(self, **wishes: object) -> Algorithm:
        with refused_as(TransformError):
            text = _native.transform(self._native, "as-written", dict(wishes))
        return self._again(text)

    def _again(self, text: str) -> Algorithm:
        """What was made of it is read as it was itself: frozen coefficients stay frozen."""
        return Algorithm._read(text, "plain", self._source[2])

    def forms(self, *, own_oracles: bool = False) -> Forms:
        """Every way to write it: calls at other times, other oracles of the same functions, other states.

        >>> import linnaeus
        >>> admm = linnaeus.zoo["admm_scaled"].algorithm
        >>> [form.cost.stored for form in admm.forms(own_oracles=True)]
        [1, 2, 3, 4]
        """
        with refused_as(TransformError):
            report = json.loads(_native.forms(self._native, own_oracles))
        found = Forms(
            Form(
                tuple(f["oracles"]),
                tuple(f["shift"]),
                f["coordinates"],
                f["explicit"],
                Cost(**f["cost"]),
                f["text"].strip("\n"),
                self._source[2],
            )
            for f in report["forms"]
        )
        found.complete, found.infinite = report["complete"], report["infinite"]
        found.assumptions = tuple(report["assumptions"])
        return found

    def conjugate(self, *functions: str) -> Algorithm:
        """The same algorithm with oracles of the conjugates of these functions."""
        if not functions:
            raise TypeError("name a function; dual() conjugates all of them")
        return self._made(conjugate=[worded(f, 'conjugate("f")') for f in functions])

    def dual(self) -> Algorithm:
        """The same algorithm with oracles of the conjugates of all functions."""
        return self._made(dual=True)

    def shift(self, *times: int) -> Algorithm:
        """The calls at other times, one number per channel: H becomes Δ_m H Δ_m⁻¹, Δ_m = diag(z^(-m_i)).

        As in all algorithms, channels are listed in the order in which the new text calls them.
        """
        if not all(isinstance(m, SupportsIndex) for m in times):
            raise TypeError("times are whole numbers, one per channel: shift(0, 1), or shift(*times) for a list of them")
        return self._made(shift=",".join(str(index(m)) for m in times))

    def repeat(self, count: int) -> Algorithm:
        """So many iterations taken as one."""
        if isinstance(count, bool) or not isinstance(count, SupportsIndex):
            raise TypeError(f"iterations are counted by whole numbers, as in repeat(2), not {count!r}")
        if (times := index(count)) < 1:
            raise ValueError("an algorithm is repeated once or more often")
        return self._made(repeat=min(times, sys.maxsize))

    def with_oracles(self, *oracles: str) -> Algorithm:
        """The same algorithm in other oracles of the same functions: ``with_oracles("prox_f", "prox_{s g*}")``."""
        return self._made(oracles=", ".join(worded(oracle, 'with_oracles("prox_f")') for oracle in oracles))

    def permute(self, first: str, second: str) -> Algorithm:
        """Two functions change places."""
        return self._made(permute=[",".join(worded(f, 'permute("f", "g")') for f in (first, second))])

    def delete(self, *functions: str) -> Algorithm:
        """Without the calls of these functions: they answer zero."""
        if not functions:
            raise TypeError("name a function")
        return self._made(delete=[worded(f, 'delete("f")') for f in functions])

    def filter(self, given: Mapping[str, object] | None = None, /, **factors: object) -> Algorithm:
        """Queries and answers of functions whose gradient is linear are multiplied by these factors.

        >>> import linnaeus
        >>> gd = linnaeus.parse("x[k+1] = x[k] - grad f(x[k]) - grad g(x[k])")
        >>> print(gd.filter(f="1/2").transfer)
        [-1/(z - 1)      -2/(z - 1)]
        [-1/(2*(z - 1))  -1/(z - 1)]
        """
        return self._made(filter=[f"{f}={_formula.plain(c)}" for f, c in {**(given or {}), **factors}.items()])

    def freeze(self) -> Algorithm:
        """Coefficients that change with the index are read as constants."""
        text, notation, _ = self._source
        return Algorithm._read(text, notation, True)

    def substitute(self, values: Mapping[str, object] | None = None, /, **named: object) -> Algorithm:
        """Parameters become numbers or formulas, operators the identity, functions zero.

        >>> import linnaeus
        >>> from linnaeus import I
        >>> cp = linnaeus.zoo["chambolle_pock"].algorithm
        >>> cp.substitute(A=I, tau="t", sigma="1/t", theta=1).parameters
        ('t',)

        Numbers are exact: ``0.1`` is 1/10. Formulas are texts or SymPy's. Names that Python does not take as keywords
        stand in a mapping:

        >>> linnaeus.parse("x[k+1] = x[k] - lambda*grad f(x[k])").substitute({"lambda": 2}).transfer[0, 0]
        '-2/(z - 1)'

        or are spelled as in formulas, ``lamda=2`` and ``in_=2``. A parameter that the text calls ``z`` is ``z`` here, or what
        the formulas call it, ``z_`` unless the text has that name too.
        """
        given = {**(values or {}), **named}
        known = set(self.parameters)

        own_names = {formal: own for own, formal in self._spelled.items() if own in known}

        def name(own: str) -> str:
            return own if own in known else own_names.get(own, own)

        def value(given: object) -> str:
            if getattr(given, "ndim", 0):
                raise TypeError("operators are matrices in to_numpy(A=…) and to_control(A=…); a text has symbols")
            if isinstance(given, Identity):
                return "I"
            return re.sub(r"[^\W\d]\w*", lambda found: name(found[0]), encodable(_formula.plain(given)))

        wishes = {name(worded(own, '{"lambda": 2}')): value(v) for own, v in given.items()}
        if not wishes:
            return self
        # The engine puts values in one after the other. Names that other values mention are first moved out of the way.
        if self.transfer.scalar is None and wishes.keys() <= known:
            return self._defined(wishes)
        mentioned = {own for own in wishes for other, v in wishes.items() if own != other and own in _names(v)}
        away = {own: f"moved{place}of{own}" for place, own in enumerate(sorted(mentioned & known))}
        moves = [f"{own}={apart}" for own, apart in away.items()]
        return self._made(set=moves + [f"{away.get(own, own)}={v}" for own, v in wishes.items()])

    def _defined(self, values: Mapping[str, str]) -> Algorithm:
        """Where coefficients do not commute the engine changes nothing, but reads lines that give numbers their values."""
        mentioned = {own for own in values for value in values.values() if own in _names(value)}
        if mentioned:
            raise ValueError(f"where coefficients do not commute, {sorted(mentioned)[0]} cannot occur in a new value")
        lines = [f"{own} = {value}" for own, value in values.items()]
        return self._again("\n".join([*lines, self.to_plain()]))

    # What it is in other notations.

    def _export(self, format: str, state: str | None) -> str:
        wanted = None if state is None else worded(state, 'to_python("minimal")')
        with refused_as(TransformError):
            return _native.export(self._native, format, wanted).strip("\n")

    def to_latex(self, *, environment: str = "align*") -> str:
        """The lines of the text as LaTeX, in ``align*`` or as an ``algorithmic``."""
        if environment == "algorithmic":
            return self._export("algorithmic", "as-written")
        if environment != "align*":
            raise ValueError(f"there is no environment {environment!r}; there are 'align*' and 'algorithmic'")
        return self._native.equations().strip("\n")

    def to_plain(self, state: str = "as-written") -> str:
        """The lines in the plain notation, with a state of choice."""
        return self._export("plain", state)

    def to_unicode(self, state: str = "as-written") -> str:
        """The lines with Greek letters and ∇, with a state of choice."""
        return self._export("unicode", state)

    def to_python(self, state: str | None = None) -> str:
        """A function of Python that takes the oracles as arguments; it stores as little as can be unless a state is given.

        Names that Python does not take are spelled otherwise, which a comment says. What the text stores and no oracle
        ever reaches, or no query ever shows, is left out, which a comment says too: the program is that of a text in which
        these vectors start at zero. With ``state="as-written"`` everything is stored that the text stores.
        """
        return self._export("python", state)

    def to_julia(self, state: str | None = None) -> str:
        """A function of Julia that takes the oracles as arguments; what is said of :meth:`to_python` holds for it."""
        return self._export("julia", state)

    def to_pepit(self, state: str | None = None) -> str:
        """A script for PEPit, to be completed by what is known of the functions."""
        return self._export("pepit", state)

    def to_sympy(self, *, commuting: bool = False) -> Any:
        """H as a SymPy matrix; see :meth:`TransferMatrix.to_sympy`."""
        return self.transfer.to_sympy(commuting=commuting)

    def to_control(self, state: str = "as-written", given: Mapping[str, Any] | None = None, **values: Any) -> Any:
        """A discrete-time ``control.StateSpace``, with numbers for the parameters, and numbers or matrices for the operators."""
        return self.realization(state).to_control(given, **values)

    def diagram(self, *, states: bool = False) -> Diagram:
        """The block diagram: H, or with ``states`` the states and their delays, in feedback with the oracles."""
        svg = self._native.diagram(states)
        assert svg is not None, "an algorithm that was read has a diagram"
        return Diagram(svg)

    # What it is the same as.

    def compare(self, other: Algorithm | str, *, only: str | None = None) -> Verdict:
        """Whether and how another algorithm is the same; see :func:`linnaeus.compare`."""
        from ._verdict import compare

        return compare(self, other, only=only)

    def identify(self, *, zoo: Zoo | None = None) -> Matches:
        """Every known algorithm that it is related to; see :func:`linnaeus.identify`."""
        from ._identify import identify

        return identify(self, zoo=zoo)

    # As a value.

    def show(self) -> str:
        """All that is known of it, for a terminal."""
        return self._native.page()

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        short = "; ".join(line.strip() for line in self.text.splitlines() if line.strip())
        return f"Algorithm({short if len(short) <= 90 else short[:89] + '…'!r})"

    def __eq__(self, other: object) -> bool:
        return self._source == other._source if isinstance(other, Algorithm) else NotImplemented

    def __hash__(self) -> int:
        self._native  # noqa: B018  only what does not change any more has a hash
        return hash(self._source)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_read, self._source) if self._draft is None else (_drafted, (self._draft,))

    def __copy__(self) -> Algorithm:
        return deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Algorithm:
        # One that is still being written has lines and names of its own from then on.
        return self if self._draft is None else _drafted(deepcopy(self._draft, memo))

    def _repr_latex_(self) -> str | None:
        shown = self._shown()
        return None if shown is None else shown.to_latex()

    def _shown(self) -> Algorithm | None:
        """What a notebook shows: itself, or what is written so far, if that can be read. Looking at it finishes nothing."""
        if self._draft is None:
            return self
        try:
            return Algorithm._read(*self._source)
        except ReadError:
            return None

    def _repr_html_(self) -> str:
        shown = self._shown()
        return f"<pre>{_display.escape(self.text)}</pre>" if shown is None else shown._html()

    def _html(self) -> str:
        h = self.transfer
        lines = [f"<div>{_display.escape(self.to_latex())}</div>"]
        told = h._repr_latex_() if h.is_closed else h._without_closed_form()
        lines.append(f"<div>{_display.prose(told)}</div>")
        calls = ", ".join(f"<code>{_display.escape(oracle)}</code>" for oracle in self._oracles)
        how = "explicit" if self.explicit else "implicit"
        lines.append(f"<div>{f'calls {calls}; ' if calls else ''}{how}, minimal order {self.minimal_order}</div>")
        return "".join(lines)


def _drafted(draft: Draft) -> Algorithm:
    algorithm = Algorithm()
    algorithm._draft = draft
    return algorithm


def _read(text: str, notation: str | None = None, freeze: bool = False) -> Algorithm:
    return Algorithm._read(text, notation, freeze)


def parse(
    text: str | Algorithm,
    notation: str | None = None,
    *,
    freeze: bool = False,
    oracles: str | None = None,
    shift: str | None = None,
) -> Algorithm:
    """Reads an algorithm, or a transfer matrix with its oracles.

    The notation (``"plain"``, ``"latex"``, ``"unicode"``, …) is told by the looks of the text unless it is given. With
    ``freeze`` coefficients that change with the index are read as constants. A text that is not understood raises a
    :class:`ReadError`. A matrix that grows with z may be an algorithm in other ``oracles`` or with calls at other times,
    ``shift``; the error says which.

    >>> import linnaeus
    >>> alg = linnaeus.parse(r"x^{k+1} = x^k - \\alpha \\nabla f(x^k)")
    >>> alg.notation, alg.parameters, alg.explicit
    ('latex', ('alpha',), True)
    >>> linnaeus.parse("H = [[-1/(z-1)]]; oracles: grad f").text
    'x[k+1] = x[k] - grad f(x[k])'
    >>> linnaeus.parse("H = [[z]]; oracles: subgrad f", oracles="subgrad f*").text
    'x[k+1] = subgrad f*(x[k])'
    """
    wishes: dict[str, object] = {}
    if oracles is not None:
        wishes["oracles"] = worded(oracles, 'oracles="subgrad f*"')
    if shift is not None:
        wishes["shift"] = worded(shift, 'shift="0,1"')
    if notation is not None:
        notation = worded(notation, 'parse(text, "latex")')
    if isinstance(text, Algorithm):
        return text._made(**wishes) if wishes else text
    if not isinstance(text, str):
        raise TypeError(f"an algorithm is a text, not {type(text).__name__}")
    if notation is None and not freeze and _is_matrix(text):
        with refused_as(ReadError):
            return Algorithm._read(_native.transform(encodable(text), "minimal", wishes).strip("\n"), "plain")
    read = Algorithm._read(text, notation, freeze)
    return read._made(**wishes) if wishes else read


def _is_matrix(text: str) -> bool:
    return any(line.strip().lower().startswith("oracles:") for part in text.splitlines() for line in part.split(";"))


def _declaration(operator: Mapping[str, Any]) -> str:
    symmetric = " symmetric" if operator["symmetric"] else ""
    return f"{operator['name']}: {operator['domain']} -> {operator['codomain']}{symmetric}"


def _names(formula: str) -> set[str]:
    return set(re.findall(r"[^\W\d]\w*", formula))


Algorithm.__module__ = "linnaeus"
