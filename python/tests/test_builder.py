"""Algorithms that are written in Python."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from conftest import ADMM, DOUGLAS_RACHFORD, FISTA

import linnaeus
from linnaeus import (
    Algorithm,
    ReadError,
    argmin,
    grad,
    inner,
    moreau,
    parse,
    proj,
    prox,
    reflect,
    resolvent,
    sqrt,
    square,
    subgrad,
)


def test_douglas_rachford() -> None:
    alg = Algorithm("x1 x2", "x3")
    x1, x2, x3 = (alg[name] for name in ("x1", "x2", "x3"))
    f, g, t = alg.function("f"), alg.function("g"), alg.parameter("t")
    alg.let(x1.next, prox(f, t)(x3))
    alg.let(x2.next, prox(g, t)(2 * x1.next - x3))
    alg.let(x3.next, x3 + x2.next - x1.next)
    assert alg.text == DOUGLAS_RACHFORD.strip()
    assert alg == parse(alg.text, "plain") and alg.transfer == parse(DOUGLAS_RACHFORD).transfer
    assert linnaeus.identify(alg)[0].slug == "douglas_rachford"


def test_admm_by_argmin() -> None:
    alg = Algorithm("x", "z", "u")
    x, z, u = alg["x"], alg["z"], alg["u"]
    f, g, rho, v = alg.function("f"), alg.function("g"), alg.parameter("rho"), alg.variable("v")
    alg.let(x.next, argmin(v, f(v) + rho / 2 * square(v - z + u)))
    alg.let(z.next, argmin(v, g(v) + rho / 2 * square(x.next - v + u)))
    alg.let(u.next, u + x.next - z.next)
    assert alg.transfer == parse(ADMM).transfer


def test_argmin_with_inner_product() -> None:
    alg = Algorithm("x", "y")
    x, y = alg["x"], alg["y"]
    f, v, A, b, rho = alg.function("f"), alg.variable("v"), alg.operator("A", "X", "Y"), alg.constant("b"), alg.parameter("rho")
    alg.let(x.next, argmin(v, f(v) + inner(y, A @ v - b) + rho / 2 * square(A @ v - b)))
    alg.let(y.next, y + rho * (A @ x.next - b))
    assert [c.kind for c in alg.channels] == ["argmin"] and [c.name for c in alg.constants] == ["b"]
    oracle = Algorithm("x")
    oracle.let(oracle["x"].next, argmin(oracle.function("f"), 2)(oracle["x"]))
    assert oracle.text == "x[k+1] = argmin_{2 f}(x[k])"


def test_sequences() -> None:
    alg = Algorithm("x", "y")
    x, y, t, s = alg["x"], alg["y"], alg.sequence("t"), alg.parameter("s")
    f, g = alg.function("f"), alg.function("g")
    alg.let(t.next, (1 + sqrt(1 + 4 * t**2)) / 2)
    alg.let(y, x + ((t - 1) / t.next) * (x - x.previous))
    alg.let(x.next, prox(g, s)(y - s * grad(f)(y)))
    verdict = linnaeus.compare(alg, FISTA)
    assert verdict.relation == "oracle" and verdict.generality == "equal"


def line(make: Any) -> str:
    alg = Algorithm("x", "y")
    alg.let(alg["x"].next, make(alg, alg["x"], alg["y"]))
    return alg._draft.text().splitlines()[-1].removeprefix("x[k+1] = ")  # type: ignore[union-attr]


def test_arithmetic() -> None:
    assert line(lambda _, x, y: x - (x - y)) == "x[k] - (x[k] - y[k])"
    assert line(lambda _, x, y: -(x - y) + -x) == "-(x[k] - y[k]) + (-x[k])"
    assert line(lambda _, x, y: 0.1 * x) == "1/10*x[k]"
    assert line(lambda _, x, y: x / 3 - Fraction(1, 3) * y) == "x[k]/3 - 1/3*y[k]"
    assert line(lambda _, x, y: Decimal("0.25") * x + 1e-3 * y) == "1/4*x[k] + 1/1000*y[k]"
    assert line(lambda _, x, y: sum([x, y])) == "x[k] + y[k]"
    assert line(lambda a, x, y: (1 - a.parameter("t")) * (x + y)) == "(1 - t)*(x[k] + y[k])"
    assert line(lambda a, x, y: x / (2 * a.parameter("t"))) == "x[k]/(2*t)"
    assert line(lambda a, x, y: a.parameter("t") ** -2 * x[2]) == "t^(-2)*x[k+2]"
    assert line(lambda a, x, y: 2 / a.parameter("t") * x) == "2/t*x[k]"
    assert line(lambda a, x, y: -2 * x * 3) == "3*(-2)*x[k]"
    assert line(lambda a, x, y: a.operator("A").T.T @ (x - y)) == "A*(x[k] - y[k])"


def test_what_is_written_means_what_python_means() -> None:
    """Random expressions, evaluated by Python and by the engine."""
    import random

    draw = random.Random(0)
    for _ in range(60):
        alg = Algorithm("x")
        x, f = alg["x"], alg.function("f")
        t, value = alg.parameter("t"), Fraction(3, 7)

        def scalar(depth: int, t: Any = t, value: Fraction = value) -> tuple[Any, Fraction]:
            if depth == 0:
                return draw.choice([(t, value), (2, Fraction(2)), (Fraction(1, 3), Fraction(1, 3)), (-t, -value)])
            (a, u), (b, v) = scalar(depth - 1), scalar(depth - 1)
            made: list[tuple[Any, Fraction]] = [(a + b, u + v), (a - b, u - v), (a * b, u * v)]
            if v:
                made.append((a / b, u / v) if not isinstance(b, int) else (a * Fraction(1, b), u / v))
            return draw.choice(made)

        def vector(depth: int, x: Any = x) -> tuple[Any, Fraction]:
            if depth == 0:
                return x, Fraction(1)
            (a, u), (b, v), (s, w) = vector(depth - 1), vector(depth - 1), scalar(2)
            return draw.choice([(a + b, u + v), (a - b, u - v), (s * a, w * u), (-a, -u), (a - s * b, u - w * v)])

        made, coefficient = vector(3)
        alg.let(x.next, made - grad(f)(x))
        # z X = c X - U, so that at z = c + 1 the entry is -1.
        assert alg.substitute(t=value).transfer.evaluate(coefficient + 1) == [[-1]] if "t" in alg.parameters else alg.transfer.evaluate(coefficient + 1) == [[-1]]


def test_oracles() -> None:
    alg = Algorithm("x")
    x, f, M, C, F = alg["x"], alg.function("f"), alg.function("M"), alg.function("C"), alg.oracle("F")
    t = alg.parameter("t")
    made = [
        grad(f)(x),
        subgrad(f.conjugate)(x),
        prox(f)(x),
        prox(f.conjugate, 1 / t)(x),
        reflect(f, t)(x),
        moreau(f, t)(x),
        resolvent(M, t)(x),
        proj(C)(x),
        F(x),
        grad(f)(x, sample="xi"),
    ]
    assert [v.text for v in made] == [
        "grad f(x[k])",
        "subgrad f*(x[k])",
        "prox_{f}(x[k])",
        "prox_{(1/t) f*}(x[k])",
        "R_{t f}(x[k])",
        "grad env_{t f}(x[k])",
        "J_{t M}(x[k])",
        "proj_{C}(x[k])",
        "F(x[k])",
        "grad f(x[k]; xi[k])",
    ]
    alg.let(x.next, sum(made))
    assert len(alg.channels) == 10
    assert {c.kind for c in alg.channels} == {"gradient", "subdifferential", "prox", "reflected-resolvent", "moreau-gradient", "resolvent", "projection", "black-box"}


def test_declarations() -> None:
    alg = Algorithm("x", index="n")
    x, L, W = alg["x"], alg.parameter("L"), alg.operator("W", "X", "X", symmetric=True)
    alg.let(x.next, W @ x - grad(alg.function("f", linear=True))(x) / L)
    assert alg.index == "n" and alg.parameters == ("L",) and alg.operators[0].symmetric


def test_operators_add_and_multiply() -> None:
    alg = Algorithm("x", "y")
    x, y, f, g = alg["x"], alg["y"], alg.function("f"), alg.function("g")
    tau, sigma, A = alg.parameter("tau"), alg.parameter("sigma"), alg.operator("A", "X", "Y")
    alg.let(x.next, prox(f, tau)(x - tau * A.T @ y))
    alg.let(y.next, prox(g.conjugate, sigma)(y + sigma * A @ (2 * x.next - x)))
    assert alg.text.splitlines()[1] == "x[k+1] = prox_{tau f}(x[k] - tau*A'*y[k])"
    assert linnaeus.compare(alg, linnaeus.zoo["chambolle_pock"])
    alg = Algorithm("x")
    x, t, W, V = alg["x"], alg.parameter("t"), alg.operator("W", "X", "X"), alg.operator("V", "X", "X")
    made = {
        "W*V*x[k]": W @ V @ x,
        "V*W*x[k]": V @ (W @ x),
        "(I - W)*x[k]": (linnaeus.I - W) @ x,
        "(W - I)/2*x[k]": (W - linnaeus.I) / 2 @ x,
        "(-W)*x[k]": -W @ x,
        "t*W'*x[k]": t * W.T @ x,
        "W^2*x[k]": W**2 @ x,
        "(W*V)'*x[k]": (W @ V).T @ x,
        "W*x[k]": W.T.T * linnaeus.I * x,
        "inv(I + t*W)*x[k]": (linnaeus.I + t * W).inverse @ x,
        "2*W*x[k]": W * 2 @ x,
    }
    assert [term.text for term in made.values()] == list(made)
    alg.let(x.next, W @ V @ x - (W @ V).T @ x - t * grad(alg.function("f"))(x))
    assert alg.realization().A == (("W*V - adjoint(V)*adjoint(W)",),)
    other = Algorithm("x").operator("W")
    for wrong in (lambda: x @ W, lambda: W + 1, lambda: W + x, lambda: W**0, lambda: W**0.5, lambda: W @ 2):  # type: ignore[operator]
        with pytest.raises(TypeError):
            wrong()
    for wrong in (lambda: other @ x, lambda: W @ other, lambda: W + other, lambda: t * other):
        with pytest.raises(ValueError, match="different algorithms"):
            wrong()


def test_variables_live_in_argmin() -> None:
    alg = Algorithm("x")
    x, f, v, b = alg["x"], alg.function("f"), alg.variable("v"), alg.constant("b")
    with pytest.raises(ValueError, match="v is what argmin minimizes over"):
        alg.let(x.next, x - grad(f)(2 * v - x))
    with pytest.raises(TypeError, match=r"alg\.variable"):
        argmin(b, f(b) + square(b - x))
    u = alg.variable("u")
    with pytest.raises(ValueError, match="u is what"):
        alg.let(x.next, argmin(v, f(v) + square(v - u)))
    alg.let(x.next, argmin(v, f(v) + square(v - x)))
    assert [c.oracle for c in alg.channels] == ["prox_{(1/2) f}"]


def test_mistakes() -> None:
    alg, other = Algorithm("x"), Algorithm("x")
    x, f, t = alg["x"], alg.function("f"), alg.parameter("t")
    with pytest.raises(TypeError, match="not linear"):
        x * x
    with pytest.raises(TypeError):
        x + 1
    with pytest.raises(TypeError):
        x + t
    with pytest.raises(TypeError):
        t**0.5  # type: ignore[operator]
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(x)
    with pytest.raises(TypeError):
        list(x)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="different algorithms"):
        x + other["x"]
    with pytest.raises(ValueError, match="different algorithms"):
        prox(f, other.parameter("s"))
    with pytest.raises(TypeError, match="on the left"):
        alg.let(x + x, x)
    with pytest.raises(TypeError, match="vector is needed"):
        alg.let(x.next, t)
    with pytest.raises(ValueError, match="another algorithm"):
        alg.let(x.next, other["x"])
    with pytest.raises(TypeError, match="function is needed"):
        grad("f")
    with pytest.raises(TypeError, match="bool"):
        True * x
    for name in ("", "1x", "x y", "grad", "x\ny = 2", "x;"):
        with pytest.raises(ValueError, match="cannot be a name"):
            alg.parameter(name)
    with pytest.raises(ValueError, match="declared already"):
        alg.parameter("f")
    with pytest.raises(KeyError):
        alg["q"]
    with pytest.raises(ReadError):
        Algorithm("x").transfer  # noqa: B018  nothing is said of x
    assert "prox" not in repr(alg)
    alg.let(x.next, prox(f)(x) - t * grad(f)(x))
    assert "prox" in repr(alg) and alg == parse(alg.text, "plain")
    assert alg.explicit
    with pytest.raises(TypeError, match="finished"):
        alg.let(x.next, x)
    with pytest.raises(TypeError, match="finished"):
        parse("x[k+1] = prox_f(x[k])").function("f")
