"""Algorithms that are written in Python: vectors, numbers, operators and oracles as objects that add and multiply.

Everything here is text in the plain notation that knows what it stands for; the engine reads it like any other text.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar

from . import _formula
from ._parts import Identity

_SUM, _PRODUCT, _ATOM = range(3)

#: Words that mean something in the notation.
_WORDS = frozenset(
    "grad subgrad prox proj argmin argmax inv exp log sqrt env moreau for while repeat until end index iterate iterates "
    "param params parameter function functions set sets oracle oracles operator operators constant constants I Id P J R z".split()
) - {"z"}

_Term = TypeVar("_Term", bound="Term")


class Draft:
    """The lines of an algorithm and the names that were declared."""

    def __init__(self, index: str) -> None:
        self.index = self._checked(index)
        self.names: dict[str, Any] = {}
        self.declarations: list[str] = [] if index == "k" else [f"index {index}"]
        self.lines: list[str] = []

    @staticmethod
    def _checked(name: str) -> str:
        if not isinstance(name, str):
            raise TypeError(f"a name is a text, not {name!r}")
        if not re.fullmatch(r"[^\W\d_]\w*", name) or name in _WORDS:
            raise ValueError(f"{name!r} cannot be a name")
        return name

    def _new(self, name: str, value: Any) -> Any:
        if self._checked(name) in self.names or name == self.index:
            raise ValueError(f"{name!r} is declared already")
        self.names[name] = value
        return value

    def signal(self, name: str) -> Iterate:
        found = self.names.get(name)
        if not isinstance(found, Iterate):
            raise KeyError(name)
        return found

    def iterate(self, name: str) -> Iterate:
        made: Iterate = self._new(name, Iterate(self, name))
        return made

    def parameter(self, name: str) -> Scalar:
        made: Scalar = self._new(name, Scalar(self, name))
        if name[0].isupper():
            self.declarations.append(f"param {name}")
        return made

    def sequence(self, name: str) -> Sequence:
        made: Sequence = self._new(name, Sequence(self, name))
        return made

    def constant(self, name: str) -> Vector:
        made: Vector = self._new(name, Vector(self, name))
        self.declarations.append(f"constant {name}")
        return made

    def variable(self, name: str) -> Variable:
        made: Variable = self._new(name, Variable(self, name))
        return made

    def function(self, name: str, linear: bool) -> Function:
        made: Function = self._new(name, Function(self, name))
        if linear:
            self.declarations.append(f"function {name} linear")
        return made

    def oracle(self, name: str) -> BlackBox:
        made: BlackBox = self._new(name, BlackBox(self, name))
        self.declarations.append(f"oracle {name}")
        return made

    def operator(self, name: str, domain: str | None, codomain: str | None, symmetric: bool) -> LinearOperator:
        if (domain is None) != (codomain is None):
            raise ValueError("give both spaces of an operator, or none")
        made: LinearOperator = self._new(name, LinearOperator(self, name))
        spaces = f": {self._checked(domain)} -> {self._checked(codomain)}" if domain and codomain else ""
        self.declarations.append(f"operator {name}{spaces}{' symmetric' if symmetric else ''}")
        return made

    def let(self, left: Any, right: Any) -> None:
        if not isinstance(left, (Iterate, Sequence)):
            raise TypeError("on the left of a line stands an iterate, such as x.next, or a sequence")
        kind = Vector if isinstance(left, Iterate) else Scalar
        right = _term(kind, right, left.draft)
        if left.draft is not self or right.draft is not self:
            raise ValueError("this line belongs to another algorithm")
        if right.free:
            raise ValueError(f"{min(right.free)} is what argmin minimizes over; outside of it, it has no value")
        self.lines.append(f"{left.text} = {right.text}")

    def text(self) -> str:
        return "\n".join([*self.declarations, *self.lines])


class Term:
    """Something that adds: text, and how tightly it holds together."""

    #: NumPy leaves products to us.
    __array_ufunc__ = None
    __slots__ = ("draft", "free", "level", "text")

    #: The variables of :func:`argmin` that occur, and are not minimized over.
    free: frozenset[str]

    def __init__(self, draft: Draft, text: str, level: int = _ATOM) -> None:
        self.draft, self.text, self.level, self.free = draft, text, level, frozenset()

    def at(self, level: int) -> str:
        """The text, in parentheses if it holds together less tightly."""
        return self.text if self.level >= level else f"({self.text})"

    def _made(self, kind: type[_Term], text: str, level: int, *others: Term) -> _Term:
        if any(other.draft is not self.draft for other in others):
            raise ValueError("these belong to different algorithms")
        made = kind(self.draft, text, level)
        made.free = self.free.union(*(other.free for other in others))
        return made

    @property
    def _kind(self) -> type[Term]:
        return next(kind for kind in (Scalar, Vector, Objective, LinearOperator) if isinstance(self, kind))

    def _sum(self, sign: str, left: Any, right: Any) -> Any:
        try:
            left, right = (_term(self._kind, term, self.draft) for term in (left, right))
        except TypeError:
            return NotImplemented
        second = right.at(_PRODUCT) if sign == "-" or right.text.startswith("-") else right.text
        return left._made(self._kind, f"{left.text} {sign} {second}", _SUM, right)

    def __add__(self, other: Any) -> Any:
        return self if _is_zero(other) else self._sum("+", self, other)

    def __radd__(self, other: Any) -> Any:
        return self if _is_zero(other) else self._sum("+", other, self)

    def __sub__(self, other: Any) -> Any:
        return self if _is_zero(other) else self._sum("-", self, other)

    def __rsub__(self, other: Any) -> Any:
        return -self if _is_zero(other) else self._sum("-", other, self)

    def __neg__(self) -> Any:
        return self._made(self._kind, f"-{self.at(_PRODUCT)}", _SUM)

    def __pos__(self) -> Any:
        return self

    def _scaled(self, factor: Any) -> Any:
        try:
            scalar = _term(Scalar, factor, self.draft)
        except TypeError:
            return NotImplemented
        return scalar._made(self._kind, f"{scalar.at(_PRODUCT)}*{self.at(_PRODUCT)}", _PRODUCT, self)

    def __mul__(self, other: Any) -> Any:
        return self._scaled(other)

    def __rmul__(self, other: Any) -> Any:
        return self._scaled(other)

    def __truediv__(self, other: Any) -> Any:
        try:
            scalar = _term(Scalar, other, self.draft)
        except TypeError:
            return NotImplemented
        return self._made(self._kind, f"{self.at(_PRODUCT)}/{scalar.at(_ATOM)}", _PRODUCT, scalar)

    def __bool__(self) -> bool:
        raise TypeError("a formula is neither true nor false; a line is added with let(left, right)")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.text}>"


class Scalar(Term):
    """A number: a parameter, or what is made of parameters."""

    __slots__ = ()

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Term):
            return other._scaled(self)
        return self._scaled(other)

    def __rmul__(self, other: Any) -> Any:
        return self._scaled(other)

    def __rtruediv__(self, other: Any) -> Any:
        try:
            above = _term(Scalar, other, self.draft)
        except TypeError:
            return NotImplemented
        return above._made(Scalar, f"{above.at(_PRODUCT)}/{self.at(_ATOM)}", _PRODUCT, self)

    def __pow__(self, exponent: int) -> Scalar:
        if isinstance(exponent, bool) or not isinstance(exponent, int):
            raise TypeError("an exponent is a whole number; sqrt() makes roots")
        power = str(exponent) if exponent >= 0 else f"({exponent})"
        return self._made(Scalar, f"{self.at(_ATOM)}^{power}", _PRODUCT)


class Vector(Term):
    """A vector: an iterate, an answer of an oracle, or what is made of them."""

    __slots__ = ()

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Vector):
            raise TypeError("a product of two vectors is not linear; inner(a, b) is for argmin")
        return self._scaled(other)


class Variable(Vector):
    """What :func:`argmin` minimizes over."""

    __slots__ = ()

    def __init__(self, draft: Draft, text: str) -> None:
        super().__init__(draft, text)
        self.free = frozenset((text,))


class _Timed:
    """Something with a value in every iteration."""

    __slots__ = ()

    name: str
    offset: int
    draft: Draft

    def shifted(self, steps: int) -> Any:
        """The value so many iterations later."""
        if isinstance(steps, bool) or not isinstance(steps, int):
            raise TypeError("iterations are counted by whole numbers")
        return type(self)(self.draft, self.name, self.offset + steps)  # type: ignore[call-arg]

    def __getitem__(self, steps: int) -> Any:
        """``x[1]`` is x[k+1]."""
        return self.shifted(steps)

    # Without this, Python would iterate by counting up forever.
    __iter__ = None

    @property
    def next(self) -> Any:
        """The value one iteration later."""
        return self.shifted(1)

    @property
    def previous(self) -> Any:
        """The value one iteration ago."""
        return self.shifted(-1)


def _indexed(draft: Draft, name: str, offset: int) -> str:
    return f"{name}[{draft.index}{f'{offset:+d}' if offset else ''}]"


class Iterate(_Timed, Vector):
    """An iterate; ``x`` is x[k], ``x.next`` x[k+1], ``x.previous`` x[k-1], ``x[2]`` x[k+2]."""

    __slots__ = ("name", "offset")

    def __init__(self, draft: Draft, name: str, offset: int = 0) -> None:
        super().__init__(draft, _indexed(draft, name, offset))
        self.name, self.offset = name, offset


class Sequence(_Timed, Scalar):
    """A number that changes from one iteration to the next."""

    __slots__ = ("name", "offset")

    def __init__(self, draft: Draft, name: str, offset: int = 0) -> None:
        super().__init__(draft, _indexed(draft, name, offset))
        self.name, self.offset = name, offset


class Objective(Term):
    """What is minimized: functions, inner products and squares of norms."""

    __slots__ = ()


class LinearOperator(Term):
    """A linear operator, or what is made of some and of the identity ``linnaeus.I``.

    ``A @ x`` applies it, ``A.T`` is its adjoint and ``A.inverse`` its inverse; operators add and multiply.

    >>> from linnaeus import Algorithm, I
    >>> alg = Algorithm("x")
    >>> x, t, W = alg["x"], alg.parameter("t"), alg.operator("W", "X", "X")
    >>> t*W.T @ x - (I - W)/2 @ W**2 @ x
    <Vector t*W'*x[k] - (I - W)/2*W^2*x[k]>
    >>> (I + t*W).inverse @ x
    <Vector inv(I + t*W)*x[k]>
    """

    __slots__ = ()

    @property
    def T(self) -> LinearOperator:
        """The adjoint."""
        if self.level == _ATOM and self.text.endswith("'"):
            return self._made(LinearOperator, self.text[:-1], _ATOM)
        return self._made(LinearOperator, f"{self.at(_ATOM)}'", _ATOM)

    @property
    def inverse(self) -> LinearOperator:
        """The inverse."""
        return self._made(LinearOperator, f"inv({self.text})", _ATOM)

    def __matmul__(self, other: Any) -> Any:
        if isinstance(other, Identity):
            return self
        if not isinstance(other, (Vector, LinearOperator)):
            return NotImplemented
        return self._made(other._kind, f"{self.at(_PRODUCT)}*{other.at(_PRODUCT)}", _PRODUCT, other)

    def __rmatmul__(self, other: Any) -> Any:
        return self if isinstance(other, Identity) else NotImplemented

    def __mul__(self, other: Any) -> Any:
        return self @ other if isinstance(other, (Vector, LinearOperator, Identity)) else self._scaled(other)

    def __pow__(self, exponent: int) -> LinearOperator:
        if isinstance(exponent, bool) or not isinstance(exponent, int) or exponent < 1:
            raise TypeError("the power of an operator is a whole number from 1 on; W.inverse is the inverse")
        return self._made(LinearOperator, f"{self.at(_ATOM)}^{exponent}", _PRODUCT)


class Function:
    """A function, a set or a monotone operator; ``f.conjugate`` is its conjugate, ``f(u)`` a term for argmin."""

    __slots__ = ("draft", "text")

    def __init__(self, draft: Draft, text: str) -> None:
        self.draft, self.text = draft, text

    @property
    def conjugate(self) -> Function:
        """The convex conjugate."""
        return Function(self.draft, self.text[:-1] if self.text.endswith("*") else self.text + "*")

    def __call__(self, argument: Any) -> Objective:
        if not isinstance(argument, Vector) or argument.draft is not self.draft:
            raise TypeError("a function has its value at a vector of its own algorithm")
        return argument._made(Objective, f"{self.text}({argument.text})", _ATOM)

    def __repr__(self) -> str:
        return f"<Function {self.text}>"


class BlackBox:
    """An oracle of which nothing is known; ``F(x)`` calls it."""

    __slots__ = ("draft", "text")

    def __init__(self, draft: Draft, text: str) -> None:
        self.draft, self.text = draft, text

    def __call__(self, argument: Any) -> Vector:
        if not isinstance(argument, Vector) or argument.draft is not self.draft:
            raise TypeError("an oracle is asked at a vector of its own algorithm")
        return argument._made(Vector, f"{self.text}({argument.text})", _ATOM)

    def __repr__(self) -> str:
        return f"<BlackBox {self.text}>"


def _is_zero(value: Any) -> bool:
    """Only a plain 0, so that sum() works."""
    return type(value) is int and value == 0


def _term(kind: type[Any], value: Any, draft: Draft) -> Any:
    """A term of a kind; numbers are scalars."""
    if isinstance(value, kind):
        return value
    if kind is LinearOperator and isinstance(value, Identity):
        return LinearOperator(draft, "I")
    if kind is Scalar and not isinstance(value, (Term, str)):
        text = _formula.plain(value)
        return Scalar(draft, text, _SUM if text.startswith("-") else _PRODUCT if "/" in text else _ATOM)
    raise TypeError(f"a {kind.__name__.lower()} is needed, not {value!r}")


def _of(function: Any) -> Function:
    if not isinstance(function, Function):
        raise TypeError(f"a function is needed, as alg.function('f') makes them, not {function!r}")
    return function


class FunctionOracle:
    """An oracle of a function, such as ``grad(f)``; it is called at a vector, with a ``sample`` where one is drawn."""

    __slots__ = ("function", "text")

    def __init__(self, text: str, function: Function) -> None:
        self.text, self.function = text, function

    def __call__(self, argument: Any, *, sample: str | None = None) -> Vector:
        draft = self.function.draft
        vector: Vector = _term(Vector, argument, draft)
        if vector.draft is not draft:
            raise ValueError("these belong to different algorithms")
        drawn = "" if sample is None else f"; {Draft._checked(sample)}[{draft.index}]"
        return vector._made(Vector, f"{self.text}({vector.text}{drawn})", _ATOM)

    def __repr__(self) -> str:
        return f"<FunctionOracle {self.text}>"


def _stepped(word: str, function: Any, step: Any) -> FunctionOracle:
    f = _of(function)
    scalar = _term(Scalar, step, f.draft)
    if scalar.draft is not f.draft:
        raise ValueError("these belong to different algorithms")
    subscript = f.text if scalar.text == "1" else f"{scalar.at(_ATOM)} {f.text}"
    return FunctionOracle(f"{word}_{{{subscript}}}", f)


def grad(function: Any) -> FunctionOracle:
    """The gradient: ``grad(f)(x)``."""
    return FunctionOracle(f"grad {_of(function).text}", _of(function))


def subgrad(function: Any) -> FunctionOracle:
    """A subgradient: ``subgrad(f)(x)``."""
    return FunctionOracle(f"subgrad {_of(function).text}", _of(function))


def prox(function: Any, step: Any = 1) -> FunctionOracle:
    """The proximal operator: ``prox(f, t)(x)``."""
    return _stepped("prox", function, step)


def reflect(function: Any, step: Any = 1) -> FunctionOracle:
    """The reflected proximal operator 2 prox − I: ``reflect(f, t)(x)``."""
    return _stepped("R", function, step)


def moreau(function: Any, step: Any = 1) -> FunctionOracle:
    """The gradient of the Moreau envelope: ``moreau(f, t)(x)``."""
    return _stepped("grad env", function, step)


def resolvent(function: Any, step: Any = 1) -> FunctionOracle:
    """The resolvent of a monotone operator: ``resolvent(M, t)(x)``."""
    return _stepped("J", function, step)


def proj(set_: Any) -> FunctionOracle:
    """The projection onto a set: ``proj(C)(x)``."""
    return FunctionOracle(f"proj_{{{_of(set_).text}}}", _of(set_))


def inner(first: Any, second: Any) -> Objective:
    """An inner product in what is minimized."""
    if not isinstance(first, Vector) or not isinstance(second, Vector):
        raise TypeError("an inner product is one of two vectors")
    return first._made(Objective, f"<{first.text}, {second.text}>", _ATOM, second)


def square(vector: Any) -> Objective:
    """The square of a norm in what is minimized."""
    if not isinstance(vector, Vector):
        raise TypeError("a norm is one of a vector")
    return vector._made(Objective, f"||{vector.text}||^2", _ATOM)


def sqrt(number: Any) -> Scalar:
    """The root of a number."""
    if not isinstance(number, Scalar):
        raise TypeError("a root is one of a number of the algorithm")
    return number._made(Scalar, f"sqrt({number.text})", _ATOM)


def argmin(first: Any, second: Any = 1) -> Any:
    """A minimizer.

    ``argmin(u, f(u) + rho/2*square(u - x))`` minimizes over ``u = alg.variable("u")``. ``argmin(f, rho)(r)`` is an oracle that
    minimizes f(x) + (ρ/2)‖Ax − r‖² over x. Which linear map A that is, it does not say: it is the algorithm's operator that
    leads from x to r, or the identity where none does. Where several do, write what is minimized.

    >>> from linnaeus import Algorithm, argmin, square
    >>> alg = Algorithm("x", "u")
    >>> x, u, f, A = alg["x"], alg["u"], alg.function("f"), alg.operator("A", "X", "Y")
    >>> v, rho = alg.variable("v"), alg.parameter("rho")
    >>> argmin(f, rho)(-u)
    <Vector argmin_{rho f}(-u[k])>
    >>> argmin(v, f(v) + rho/2*square(A @ v + u))
    <Vector argmin_{v} {f(v) + rho/2*||A*v + u[k]||^2}>
    """
    if isinstance(first, Function):
        return _stepped("argmin", first, second)
    if not isinstance(first, Variable) or not isinstance(second, Objective):
        raise TypeError("argmin(u, objective) minimizes over u = alg.variable('u'); argmin(f, rho) is an oracle")
    made = first._made(Vector, f"argmin_{{{first.text}}} {{{second.text}}}", _SUM, second)
    made.free -= first.free
    return made
