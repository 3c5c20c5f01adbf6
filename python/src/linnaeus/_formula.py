"""Formulas as the engine writes them, evaluated with values of any kind: numbers, SymPy symbols, arrays.

A formula is an expression of Python in ``+ - * / **``, whole numbers, names, names with an index such as ``t[k+1]``,
and the functions ``sqrt``, ``exp``, ``log`` and ``adjoint``. It is walked, never executed.
"""

from __future__ import annotations

import ast
import cmath
import math
import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ._optional import needed

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


@lru_cache(maxsize=4096)
def _tree(formula: str) -> ast.expr:
    return ast.parse(formula, mode="eval").body


def _indexed(node: ast.Subscript) -> str:
    return ast.unparse(node).replace(" ", "")


def names(formula: str) -> frozenset[str]:
    """The names in a formula, those with an index as they are written."""
    found: set[str] = set()

    def walk(node: ast.AST) -> None:
        if isinstance(node, ast.Subscript):
            found.add(_indexed(node))
        elif isinstance(node, ast.Call):
            for argument in node.args:
                walk(argument)
        elif isinstance(node, ast.Name):
            found.add(node.id)
        else:
            for child in ast.iter_child_nodes(node):
                walk(child)

    walk(_tree(formula))
    return frozenset(found)


def evaluate(
    formula: str,
    value: Callable[[str], Any],
    number: Callable[[int], Any] = Fraction,
    functions: Mapping[str, Callable[[Any], Any]] | None = None,
) -> Any:
    """The value of a formula, names, numbers and functions having these values."""
    table = FUNCTIONS if functions is None else functions

    def walk(node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=int() as n):
                return number(n)
            case ast.Name(id=name):
                return value(name)
            case ast.Subscript():
                return value(_indexed(node))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -walk(operand)
            case ast.BinOp(left=base, op=ast.Pow(), right=ast.Constant(value=int() as n)):
                return walk(base) ** n
            case ast.BinOp(left=base, op=ast.Pow(), right=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as n))):
                return walk(base) ** -n
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                return _BINARY[type(op)](walk(left), walk(right))
            case ast.Call(func=ast.Name(id=name), args=[argument]) if name in table:
                return table[name](walk(argument))
        raise ValueError(f"not a formula: {ast.unparse(node)}")

    return walk(_tree(formula))


def _sqrt(value: Any) -> Any:
    """The root, exact where it is rational."""
    if isinstance(value, Fraction) and value >= 0:
        top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
        if top * top == value.numerator and bottom * bottom == value.denominator:
            return Fraction(top, bottom)
    return math.sqrt(value) if not isinstance(value, complex) and value >= 0 else cmath.sqrt(value)


#: What functions mean for numbers.
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "sqrt": _sqrt,
    "exp": lambda value: cmath.exp(value) if isinstance(value, complex) else math.exp(value),
    "log": lambda value: cmath.log(value) if isinstance(value, complex) or value < 0 else math.log(value),
    "adjoint": lambda value: value.conjugate() if hasattr(value, "conjugate") else value,
}


def exact(value: Any) -> Any:
    """A number as exactly as it was written: ``0.1`` is 1/10."""
    if isinstance(value, (Fraction, complex)):
        return value
    if isinstance(value, str):
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError):
            raise ValueError(f"a number is needed, not {value!r}") from None
    return Fraction(plain(value)) if _is_rational(value) else value


def _is_rational(value: Any) -> bool:
    try:
        Fraction(plain(value))
    except (TypeError, ValueError):
        return False
    return True


def plain(value: Any) -> str:
    """A number or a formula of SymPy as it is written in the plain notation.

    >>> plain(0.1), plain(1e-7), plain(2)
    ('1/10', '1/10000000', '2')
    """
    if isinstance(value, bool):
        raise TypeError("a truth value is not a number")
    if isinstance(value, str):
        return value
    if isinstance(value, Fraction):
        return str(value)
    if hasattr(value, "free_symbols"):
        return _sympy_plain(value)
    try:
        return str(operator.index(value))
    except TypeError:
        pass
    try:
        # What a decimal fraction prints is what was meant, of whatever precision it is; others are told by float().
        is_decimal = type(value).__name__ == "Decimal" or type(value).__module__ == "numpy"
        return str(Fraction(str(value) if is_decimal else repr(float(value))))
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{value!r} is not a number that Linnaeus can take") from None


def _sympy_plain(value: Any) -> str:
    """A formula of SymPy in the plain notation."""
    return re.sub(r"\blamda\b", "lambda", sympy_text(value)).replace("**", "^")


def sympy_text(value: Any) -> str:
    """A formula of SymPy as the engine writes formulas for SymPy."""
    sympy = needed("sympy")
    from sympy.printing.str import StrPrinter

    unreal = (sympy.I, sympy.oo, -sympy.oo, sympy.zoo, sympy.nan)
    if any(value.has(constant) for constant in unreal):
        raise TypeError(f"{value} is not a real number that Linnaeus can take")

    class Printer(StrPrinter):  # type: ignore[misc]
        def _print_Symbol(self, symbol: Any) -> str:
            if not symbol.name.isidentifier():
                raise TypeError(f"{symbol.name!r} cannot be the name of a number or an operator")
            if symbol.name in ("I", "Id"):
                raise TypeError(f"{symbol.name} is the identity in all texts; call the symbol otherwise")
            return str(symbol.name)

        def _print_MatrixSymbol(self, symbol: Any) -> str:
            return self._print_Symbol(symbol)

        def _print_adjoint(self, value: Any) -> str:
            return f"adjoint({self._print(value.args[0])})"

        _print_Adjoint = _print_Transpose = _print_transpose = _print_adjoint

        def _print_Exp1(self, constant: Any) -> str:
            return "exp(1)"

        def _print_GoldenRatio(self, constant: Any) -> str:
            return "((1 + sqrt(5))/2)"

        def _print_Float(self, number: Any) -> str:
            return f"({Fraction(repr(float(number)))})"

    return str(Printer({"order": "none"}).doprint(value))


_GREEK = frozenset(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega".split()
)


def latex_name(name: str) -> str:
    r"""A name as a formula.

    >>> latex_name("beta1"), latex_name("t_max"), latex_name("step"), latex_name("s[k]"), latex_name("z_")
    ('\\beta_{1}', 't_{\\mathit{max}}', '\\mathit{step}', 's_{k}', 'z\\_')
    """
    parts = re.fullmatch(r"([^\W\d_]+)_?(\w*)(?:\[(.*)\])?", name)
    if name.endswith("_"):
        return latex_name(name[:-1]) + r"\_"
    if parts is None:
        return rf"\mathtt{{{name}}}".replace("_", r"\_")

    def word(text: str) -> str:
        if text in _GREEK:
            return f"\\{text}"
        return text if len(text) < 2 or text.isdigit() else rf"\mathit{{{text}}}".replace("_", r"\_")

    below = [part for part in (word(parts[2]), parts[3]) if part]
    return word(parts[1]) + (f"_{{{','.join(below)}}}" if below else "")


def latex(formula: str) -> str:
    r"""A formula as LaTeX.

    >>> latex("-(alpha + 1)*beta**2/(2*t)"), latex("sqrt(lamda)*adjoint(A)*t[k+1]"), latex("a - (b - 2*3)")
    ('-\\frac{\\left(\\alpha + 1\\right) \\beta^{2}}{2 t}', '\\sqrt{\\lambda} A^{*} t_{k+1}', 'a - \\left(b - 2 \\cdot 3\\right)')
    """

    def at(node: ast.expr, level: int) -> str:
        text, own = walk(node)
        return text if own >= level else rf"\left({text}\right)"

    def product(left: str, right: str) -> str:
        return f"{left} \\cdot {right}" if right[:1].isdigit() else f"{left} {right}"

    def unsigned(node: ast.expr) -> tuple[bool, ast.expr]:
        """Whether a minus stands before it, and the rest; to Python it belongs to the first factor."""
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return True, operand
            case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as op, right=right):
                minus, left = unsigned(left)
                return minus, ast.BinOp(left, op, right)
        return False, node

    # Sums hold together least, then products, then powers.
    def walk(node: ast.expr) -> tuple[str, int]:
        minus, node = unsigned(node)
        if minus:
            return f"-{at(node, 1)}", 0
        match node:
            case ast.Constant(value=int() as n):
                return str(n), 3
            case ast.Name(id=name):
                return latex_name("lambda" if name == "lamda" else name), 3
            case ast.Subscript():
                return latex_name(_indexed(node)), 3
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                sign, level = ("+", 0) if isinstance(op, ast.Add) else ("-", 1)
                return f"{at(left, 0)} {sign} {at(right, level)}", 0
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return product(at(left, 1), at(right, 1)), 1
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return rf"\frac{{{at(left, 0)}}}{{{at(right, 0)}}}", 1
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return f"{at(left, 3)}^{{{at(right, 0)}}}", 2
            case ast.Call(func=ast.Name(id="sqrt"), args=[argument]):
                return rf"\sqrt{{{at(argument, 0)}}}", 3
            case ast.Call(func=ast.Name(id="adjoint"), args=[argument]):
                return f"{at(argument, 3)}^{{*}}", 2
            case ast.Call(func=ast.Name(id=name), args=[argument]):
                return rf"\{name}\left({at(argument, 0)}\right)", 3
        raise ValueError(f"not a formula: {ast.unparse(node)}")

    return at(_tree(formula), 0)
