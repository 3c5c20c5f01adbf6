"""Operators as matrices, and in SymPy."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from conftest import TWO_OPERATORS

import linnaeus
from linnaeus import Algorithm, NoClosedForm, ReadError, TransferMatrix, parse

numpy = pytest.importorskip("numpy")
sympy = pytest.importorskip("sympy")

CHAMBOLLE_POCK = """
operator A: X -> Y
x[k+1] = prox_{tau f}(x[k] - tau*A'*y[k])
y[k+1] = prox_{sigma g*}(y[k] + sigma*A*(2*x[k+1] - x[k]))
"""


def singular(algorithm: Algorithm, values: dict[str, Any], state: str) -> None:
    """H of matrices is H of their singular values, in the bases of singular vectors."""
    matrix = numpy.random.default_rng(1).normal(size=(3, 3))
    u, s, vt = numpy.linalg.svd(matrix)
    z = 1.7 + 0.3j
    realization = algorithm.realization(state)
    a, b, c, d = realization.to_numpy(A=matrix, **values)
    h = c @ numpy.linalg.solve(z * numpy.eye(len(a)) - a, b) + d
    # x lives in the first space, y in the second.
    bases = numpy.block([[vt.T, 0 * u], [0 * u, u]])
    turned = numpy.linalg.inv(bases) @ h @ bases
    for i, sigma in enumerate(s):
        exact = numpy.array(algorithm.transfer.evaluate(z, A=float(sigma), **values), dtype=complex)
        assert numpy.allclose(turned[numpy.ix_([i, i + 3], [i, i + 3])], exact), state


def test_matrices() -> None:
    algorithm = parse(CHAMBOLLE_POCK)
    values = {"tau": 0.5, "sigma": 0.25}
    for state in ("as-written", "minimal", "controllable", "observable"):
        singular(algorithm, values, state)
    tall = numpy.arange(6.0).reshape(3, 2)
    a, b, c, d = algorithm.minimal().to_numpy({"A": tall}, tau=1, sigma=1)
    assert (a.shape, b.shape, c.shape, d.shape) == ((5, 5), (5, 5), (5, 5), (5, 5))
    control = pytest.importorskip("control")
    space = algorithm.to_control(A=tall, tau=1, sigma=1)
    assert isinstance(space, control.StateSpace) and (space.ninputs, space.noutputs) == (5, 5)
    with pytest.raises(ValueError, match="shapes"):
        parse(TWO_OPERATORS).to_control(A=tall, B=numpy.ones((4, 3)), tau=1, sigma=1)
    with pytest.raises(TypeError, match="to_control"):
        algorithm.substitute(A=tall)
    with pytest.raises(TypeError, match="state space"):
        algorithm.transfer.to_control(A=tall, tau=1, sigma=1)


def test_matrices_that_do_not_commute() -> None:
    algorithm = parse(TWO_OPERATORS)
    names = {operator.name: operator for operator in algorithm.operators}
    sizes = {space: n for n, space in enumerate(sorted({s for o in names.values() for s in (o.domain, o.codomain)}), 2)}
    random = numpy.random.default_rng(2)
    matrices = {name: random.normal(size=(sizes[o.codomain], sizes[o.domain])) for name, o in names.items()}
    values = {name: 0.3 for name in algorithm.parameters}
    a, b, c, d = algorithm.realization().to_numpy({**matrices, **values})
    assert a.shape[0] == a.shape[1] == b.shape[0] == c.shape[1] and d.shape == (c.shape[0], b.shape[1])


def test_sympy_round_trip_of_all_cards() -> None:
    """H goes to SymPy and comes back, adjoints and all."""
    closed = 0
    for slug, card in linnaeus.zoo.items():
        h = card.transfer
        if not h.is_closed:
            with pytest.raises(NoClosedForm):
                h.to_sympy()
            continue
        again = TransferMatrix.from_sympy(h.to_sympy(), h.oracles, operators=h.declarations)
        assert again == h, slug
        marked = [[str(entry).count("adjoint(") > 0 for row in m.entries for entry in row] for m in (h, again)]
        assert marked[0] == marked[1], slug
        closed += 1
    assert closed >= 294


def test_adjoints_stay() -> None:
    h = parse(CHAMBOLLE_POCK).to_sympy()
    operator = sympy.Symbol("A", commutative=False)
    z, tau, sigma = sympy.symbols("z tau sigma")
    assert h[0, 1] == -tau * sympy.adjoint(operator) / z
    assert h[1, 0].has(operator) and not h[1, 0].has(sympy.adjoint)
    made = TransferMatrix.from_sympy(h, ["prox_{tau f}", "prox_{sigma g*}"], operators="A: X -> Y")
    assert made == parse(CHAMBOLLE_POCK).transfer
    with pytest.raises(ValueError, match='operators="A: X -> X"'):
        TransferMatrix.from_sympy(h, ["prox_{tau f}", "prox_{sigma g*}"])
    transposed = h.replace(lambda e: isinstance(e, sympy.adjoint), lambda e: sympy.transpose(e.args[0]))
    assert TransferMatrix.from_sympy(transposed, ["prox_{tau f}", "prox_{sigma g*}"], operators="A: X -> Y") == made
    # The adjoint in the wrong place is noticed.
    wrong = sympy.Matrix(h)
    wrong[0, 1] = -tau * operator / z
    with pytest.raises(ReadError):
        TransferMatrix.from_sympy(wrong, ["prox_{tau f}", "prox_{sigma g*}"], operators="A: X -> Y")


@pytest.mark.parametrize("update", ["W'*x[k]", "(W^2)'*x[k]", "inv(2*I + W')*x[k]", "W*x[k]", "(W - I)'*x[k]", "W'*W*x[k]"])
def test_matrices_do_what_the_program_does(update: str) -> None:
    algorithm = parse(f"operator W: X -> X; x[k+1] = {update} - t*grad f(x[k])")
    matrix, x, u = numpy.array([[1.0, 2.0], [3.0, 5.0]]), numpy.array([1.0, -2.0]), numpy.array([4.0, 1.0])
    a, b, c, d = algorithm.realization().to_numpy(W=matrix, t=0.5)
    known = {
        "W": lambda v: matrix @ v,
        "W_adjoint": lambda v: matrix.T @ v,
        "inverse1": lambda v: numpy.linalg.solve(2 * numpy.eye(2) + matrix.T, v),
    }
    scope: dict[str, Any] = {}
    exec(algorithm.to_python("as-written"), scope)
    wanted = inspect.signature(scope["step"]).parameters
    given = {name: call for name, call in known.items() if name in wanted}
    (after,) = scope["step"]((x,), grad_f=lambda _: u, t=0.5, **given)
    assert numpy.allclose(a @ x + b @ u, after)


def test_an_adjoint_is_another_operator() -> None:
    """An operator of which only the adjoint occurs stands in H as its adjoint."""
    plain, adjoint = (parse(f"operator W: X -> X; x[k+1] = {w}*x[k] - grad f(x[k])").transfer for w in ("W", "W'"))
    assert plain != adjoint and adjoint.entries == (("-(z - adjoint(W))**(-1)",),)
    for h in (plain, adjoint):
        again = TransferMatrix.from_sympy(h.to_sympy(), h.oracles, operators=h.declarations)
        assert again == h and again.entries == h.entries and h.algorithm().transfer == h


def test_the_identity_is_a_matrix() -> None:
    realization = parse(CHAMBOLLE_POCK).realization()
    a, *_ = realization.to_numpy(A=linnaeus.I, tau=1, sigma=1)
    assert (a == realization.to_numpy(A=1, tau=1, sigma=1)[0]).all()
    with pytest.raises(TypeError, match="tau is a number"):
        realization.to_numpy(A=1, tau=linnaeus.I, sigma=1)


def test_no_closed_form_is_said() -> None:
    text = str(linnaeus.zoo["push_pull"].transfer)
    assert text.startswith("no closed form: operators do not commute") and "CB =" in text
    varying = parse("x[k+1] = x[k] - t[k]*grad f(x[k]) + b[k]*(x[k] - x[k-1])").transfer
    assert str(varying).startswith("no closed form: coefficients change with the index")
    assert "no closed form" in varying._repr_latex_()
