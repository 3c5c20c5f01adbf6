"""Algorithms: what they are and what can be made of them."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from typing import Any

import pytest
from conftest import ADMM, DOUGLAS_RACHFORD, FISTA, GRADIENT, TWO_OPERATORS

import linnaeus
from linnaeus import Algorithm, I, NoClosedForm, ReadError, TransferMatrix, TransformError, parse


def test_what_is_read() -> None:
    dr = parse(DOUGLAS_RACHFORD)
    assert [c.oracle for c in dr.channels] == ["prox_{t f}", "prox_{t g}"]
    assert dr.channels[0].calls[0].span.start.line == 2
    assert dr.parameters == ("t",) and dr.index == "k" and dr.explicit and dr.order == (0, 1) and dr.loop is None
    assert dr.minimal_order == 1 and dr.transfer.shape == (2, 2)
    assert [s.name for s in dr.iterates] == ["x1", "x2", "x3"]
    assert dr.notation == "plain" and {line.role for line in dr.lines} == {"update"}
    assert parse(r"x^{k+1} = x^k - \lambda\nabla f(x^k)").parameters == ("lambda",)


def test_notations() -> None:
    latex = r"x_{k+1} = x_k - t\nabla f(x_k)"
    assert parse(latex).transfer == parse(GRADIENT).transfer
    assert parse(latex, "latex").notation == "latex"
    with pytest.raises(ValueError, match="there is no notation `tex`; there are plain, latex"):
        parse(latex, "tex")
    with pytest.raises(ReadError):
        parse(latex, "plain")
    with pytest.raises(TypeError, match="not int"):
        parse(3)  # type: ignore[arg-type]


def test_implicit() -> None:
    alg = parse("x[k+1] = x[k] - t*subgrad f(x[k+1])")
    assert not alg.explicit and alg.order is None and alg.loop == (0,)
    assert alg.minimal().order == 1 and not alg.minimal().algorithm().explicit
    with pytest.raises(ValueError, match="implicit"):
        alg.to_python()


def test_mistakes_are_pictured() -> None:
    with pytest.raises(ReadError) as caught:
        parse("y[k] = x[k]\nx[k+1] = y[k] - gard f(y[k])")
    error = caught.value
    assert "  2 | x[k+1] = y[k] - gard f(y[k])\n    |                 ^^^^" in str(error)
    (diagnostic,) = error.diagnostics
    assert (diagnostic.severity, diagnostic.code) == ("error", "unknown-oracle")
    assert diagnostic.span.start == linnaeus.Position(2, 17) and diagnostic.help == "did you mean `grad`?"
    assert isinstance(error, ValueError) and not error.is_limit
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is ReadError and str(again) == str(error) and again.diagnostics == error.diagnostics
    with pytest.raises(ReadError) as limited:
        parse("x[k+1] = x[k] - grad f(x[k-60])")
    assert limited.value.is_limit


@pytest.mark.parametrize("text", ["", "\0", "x", "x[k+1] = ", "=" * 5000, "(" * 3000, "é\u0301" * 99, "x[k+1]=x[k]" * 999, "H = [[1]]\noracles:", "\ud800"])
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises((ReadError, UnicodeError)):
        parse(text)


def test_values() -> None:
    a, b = parse(GRADIENT), parse(GRADIENT)
    assert a == b and hash(a) == hash(b) and a != parse(DOUGLAS_RACHFORD) and a != GRADIENT
    assert copy.copy(a) is a and copy.deepcopy(a) is a
    for alg in (a, parse(FISTA), parse(TWO_OPERATORS), parse(FISTA, freeze=True)):
        again = pickle.loads(pickle.dumps(alg))
        assert again == alg and again.transfer == alg.transfer
    assert parse(FISTA) != parse(FISTA).freeze()
    assert str(a) == GRADIENT and repr(a) == f"Algorithm({GRADIENT!r})"
    assert parse(a) is a


def test_transfer_matrices() -> None:
    h = parse(DOUGLAS_RACHFORD).transfer
    assert h[1, 0] == "(2*z - 1)/(z - 1)" and h.is_closed
    assert h.evaluate(2) == [[-1, 1], [3, -1]]
    assert h.evaluate(2j)[0][0] == -1 / (2j - 1)
    gd = parse(GRADIENT).transfer
    assert gd.evaluate(z="1/2", t="1/3") == [[Fraction(2, 3)]]
    with pytest.raises(ValueError, match="numbers are needed for t"):
        gd.evaluate(2)
    with pytest.raises(NoClosedForm):
        parse(FISTA).transfer.evaluate(2, s=1)
    assert parse(FISTA).transfer.entries == ((None, None), (None, None))
    assert len(parse(FISTA).transfer.markov) > 1
    assert h.algorithm().transfer == h
    assert linnaeus.compare(h.algorithm(), DOUGLAS_RACHFORD).relation == "oracle"
    assert pickle.loads(pickle.dumps(h)) == h


def test_matrices_with_operators() -> None:
    cp = linnaeus.zoo["chambolle_pock"].algorithm.transfer
    assert "adjoint" in str(cp)
    assert cp.algorithm().transfer == cp
    again = TransferMatrix.from_rows([["1/z", "-tau*A'/z"], ["sigma*A*(2*z-1)/z", "1/z"]], ["prox_{tau f}", "prox_{sigma g*}"], operators="A: X -> Y")
    assert again == parse("operator A: X -> Y; x[k+1] = prox_{tau f}(x[k] - tau*A'*y[k]); y[k+1] = prox_{sigma g*}(y[k] + sigma*A*(2*x[k+1] - x[k]))").transfer
    with pytest.raises(ReadError, match="grows with z"):
        TransferMatrix.from_rows([["z"]], "grad f")


def test_realizations() -> None:
    r = parse("x[k+1] = x[k] + beta*(x[k] - x[k-1]) - alpha*grad f(x[k])").realization()
    assert r.states == ("x[k]", "x[k-1]") and r.order == 2 and r.A == (("beta + 1", "-beta"), ("1", "0"))
    admm = parse(ADMM)
    assert admm.realization().order == 3 and admm.minimal().order == 2
    for state in ("minimal", "controllable", "observable"):
        made = admm.realization(state)
        assert made.algorithm().transfer == admm.transfer
        assert made.cost is not None and made.cost.stored == 2
    with pytest.raises(ValueError, match="there is no state `small`"):
        admm.realization("small")
    with pytest.raises(TransformError, match="do not commute"):
        parse(TWO_OPERATORS).minimal()
    constant = parse("operator A: X -> Y; constant b: Y; x[k+1] = x[k] - t*A'*(A*x[k] - b) - grad f(x[k])")
    assert constant.realization().constants == ("b",) and constant.realization().E == (("t*adjoint(A)",),)
    assert len(constant.minimal().B[0]) == 1 and constant.minimal().E == (("t*adjoint(A)",),)


def test_transformations() -> None:
    dr = parse(DOUGLAS_RACHFORD)
    conjugate = dr.conjugate("g")
    assert [c.oracle for c in conjugate.channels] == ["prox_{t f}", "prox_{(1/t) g*}"]
    assert linnaeus.compare(dr, conjugate).relation == "lft"
    assert conjugate.conjugate("g").transfer == dr.transfer
    assert [c.function for c in dr.dual().channels] == ["f*", "g*"]
    shifted = dr.shift(0, 1)
    assert linnaeus.compare(dr, shifted).shift in ((1, 0), (0, -1))
    # The call of g is made first now, and stands first.
    assert shifted.transfer.oracles == ("prox_{t g}", "prox_{t f}")
    assert shifted.transfer.entries == (("-1/(z - 1)", "(2*z - 1)/(z*(z - 1))"), ("z/(z - 1)", "-1/(z - 1)"))
    with pytest.raises(TransformError, match="given only later"):
        dr.shift(0, 2)
    with pytest.raises(TypeError):
        dr.shift(0.5, 1)  # type: ignore[arg-type]
    with pytest.raises(TransformError, match="2 whole numbers"):
        dr.shift(1)
    twice = parse(GRADIENT).repeat(2)
    assert len(twice.channels) == 2 and linnaeus.compare(GRADIENT, twice).repeat == ("A", 2)
    with pytest.raises(TransformError):
        dr.repeat(99)
    with pytest.raises(ValueError, match="once or more"):
        dr.repeat(0)
    assert dr.permute("f", "g").channels[0].function == "g"
    assert [c.oracle for c in dr.with_oracles("prox_{t f}", "prox_{(1/t) g*}").channels] == ["prox_{t f}", "prox_{(1/t) g*}"]
    assert len(linnaeus.zoo["davis_yin"].algorithm.delete("h").channels) == 2
    with pytest.raises(TypeError, match="name a function"):
        dr.conjugate()


def test_substitution() -> None:
    cp = linnaeus.zoo["chambolle_pock"].algorithm
    assert [o.name for o in cp.operators] == ["A"]
    dr = cp.substitute(A=I, tau="t", sigma="1/t")
    assert not dr.operators
    assert linnaeus.compare(dr, DOUGLAS_RACHFORD).relation == "lft"
    gd = parse(GRADIENT)
    assert gd.substitute(t=0.1).transfer == parse("x[k+1] = x[k] - 1/10*grad f(x[k])").transfer
    assert gd.substitute(t=Fraction(2, 7)).transfer[0, 0] == "-2/(7*(z - 1))"
    assert gd.substitute() is gd
    heavy = linnaeus.zoo["heavy_ball"].algorithm
    swapped = heavy.substitute(alpha="beta", beta="alpha")
    assert swapped.transfer[0, 0] == "-beta*z/((z - 1)*(z - alpha))"
    assert swapped.substitute(alpha="beta", beta="alpha").transfer == heavy.transfer
    assert heavy.substitute(beta="2*beta").transfer[0, 0] == "-alpha*z/((z - 1)*(z - 2*beta))"
    latin = parse("x[k+1] = x[k] - lambda*grad f(x[k])")
    assert latin.substitute(lamda=1).transfer == latin.substitute({"lambda": 1}).transfer
    assert linnaeus.zoo["davis_yin"].algorithm.substitute(h=0).transfer.shape == (2, 2)
    for wrong in ({"A": 2}, {"nothing": 1}, {"tau": "1/("}, {"tau": "z"}):
        with pytest.raises(TransformError):
            cp.substitute(wrong)
    fista = parse(FISTA).substitute(s=0.1)
    assert fista.parameters == () and "1/10" in [channel.step for channel in fista.channels]
    assert linnaeus.compare(fista, FISTA).generality == "instance"
    assert linnaeus.zoo["push_pull"].algorithm.substitute(alpha=2).transfer.markov[1] == (("-2*R",),)
    with pytest.raises(ValueError, match="cannot occur"):
        parse(FISTA).substitute(s="2*s")
    assert [o.name for o in linnaeus.zoo["push_pull"].algorithm.substitute(R=I).operators] == ["C"]
    with pytest.raises(TransformError, match="zero for it"):
        parse(ADMM).substitute(rho=0)
    with pytest.raises(TypeError):
        cp.substitute(tau=object())


def test_forms() -> None:
    forms = parse(ADMM).forms(own_oracles=True)
    assert [form.cost.stored for form in forms] == [1, 2, 3, 4] and forms.complete and not forms.infinite
    assert linnaeus.compare(forms[0].algorithm, DOUGLAS_RACHFORD)
    assert len(parse(ADMM).forms()) > len(forms)
    moved = parse(TWO_OPERATORS).forms()
    assert len(moved) > 1 and {form.state for form in moved} == {"as-written"}


def test_other_notations() -> None:
    dr = parse(DOUGLAS_RACHFORD)
    assert parse(dr.to_plain()).transfer == dr.transfer
    assert parse(dr.to_unicode("minimal")).transfer == dr.transfer
    assert parse(dr.to_latex(), "latex").transfer == dr.transfer
    assert r"\begin{algorithmic}" in dr.to_latex(environment="algorithmic")
    assert "def " in dr.to_python() and "function " in dr.to_julia()
    assert r"\sqrt" in parse(FISTA).to_latex()
    with pytest.raises(ValueError, match="no environment"):
        dr.to_latex(environment="table")
    namespace: dict[str, object] = {}
    exec(dr.to_python(), namespace)


def test_time_varying() -> None:
    fista = parse(FISTA)
    assert list(fista.schedules) == ["t[k]"] and fista.minimal_order == 2
    assert parse(fista.to_plain()).transfer == fista.transfer
    assert fista.freeze().transfer.is_closed
    with pytest.raises(TransformError, match="would need an answer that is given only later"):
        fista.dual()


def test_pages() -> None:
    dr = parse(DOUGLAS_RACHFORD)
    assert "Minimal order 1" in dr.show()
    assert dr.diagram().svg.startswith("<svg") and "<svg" in dr.diagram(states=True)._repr_svg_()
    assert r"\begin{align*}" in str(dr._repr_latex_()) and "hat H(z)" in dr._repr_html_()
    assert "hat H" not in parse(FISTA)._repr_html_()
    assert "bmatrix" in dr.transfer._repr_latex_() and "array" in dr.minimal()._repr_latex_()
    for text in (FISTA, TWO_OPERATORS, linnaeus.zoo["splitting_stationary"].equations):
        parse(text)._repr_html_()
        parse(text).realization()._repr_latex_()
        parse(text).transfer._repr_latex_()
    assert "<table>" in dr.forms(own_oracles=True)._repr_html_()


def test_transfer_matrix_as_text() -> None:
    alg = parse("H = [[-1/(z-1), 1/(z-1)], [(2*z-1)/(z-1), -1/(z-1)]]; oracles: prox_{t f}, prox_{t g}")
    assert alg.transfer == parse(DOUGLAS_RACHFORD).transfer
    with pytest.raises(ReadError):
        parse("H = [[z]]; oracles: grad f")
    assert isinstance(alg, Algorithm)


@pytest.mark.parametrize(
    "text",
    [
        "x[k+1] = x[k] - 1/(k+1)*grad f(x[k])",
        "y[k] = x[k] + (k-1)/(k+2)*(x[k] - x[k-1]); x[k+1] = prox_{t[k] g}(y[k] - t[k]*grad f(y[k]))",
        "x[k+1] = x[k] - b^k*grad f(x[k])",
    ],
)
def test_frozen_coefficients_stay_frozen(text: str) -> None:
    frozen = parse(text, freeze=True)
    assert frozen == parse(text).freeze() and frozen.transfer.is_closed and not frozen.schedules
    made = [frozen.repeat(1), frozen.shift(*[0] * len(frozen.channels)), frozen.forms(own_oracles=True)[0].algorithm]
    made += [frozen.minimal().algorithm(), pickle.loads(pickle.dumps(frozen.repeat(1)))]
    for other in made:
        assert other.transfer == frozen.transfer and not other.schedules, other.text
    assert not frozen.repeat(2).schedules and frozen.repeat(2).transfer.is_closed


def test_parameters_called_like_words_of_python() -> None:
    for word in ("lambda", "in", "is", "z", "yield"):
        text = f"param {word}; x[k+1] = x[k] - {word}*grad f(x[k]) + t*(x[k] - x[k-1])"
        algorithm = parse(text)
        assert set(algorithm.parameters) == {word, "t"}
        spelled = {"lambda": "lamda"}.get(word, f"{word}_")
        wanted = parse("x[k+1] = x[k] - 2*grad f(x[k]) + t*(x[k] - x[k-1])").transfer
        assert algorithm.substitute({word: 2}).transfer == wanted == algorithm.substitute({spelled: 2}).transfer
        h = algorithm.transfer
        point = wanted.evaluate(3, t=5)
        keywords: dict[str, Any] = {spelled: 2, "t": 5}
        assert h.evaluate(3, {word: 2}, t=5) == point == h.evaluate(3, keywords) == h.evaluate(z=3, **keywords)
        sympy = pytest.importorskip("sympy")
        matrix = h.to_sympy()
        assert matrix.free_symbols == {sympy.Symbol(name) for name in ("z", "t", spelled)}
        assert matrix.subs({sympy.Symbol(spelled): 2}) == wanted.to_sympy()
        assert algorithm.substitute(t=sympy.Symbol(spelled) / 2).transfer == parse(text.replace("t*(", f"{word}/2*(")).transfer
        a, b, c, d = algorithm.realization().to_numpy({word: 2, "t": 0.5})
        assert b[0, 0] == -2
        with pytest.raises(ValueError, match="numbers are needed for"):
            h.evaluate(3, t=5)
    with pytest.raises(ValueError, match="there is no parameter `z`"):
        parse("x[k+1] = x[k] - t*grad f(x[k])").transfer.evaluate(3, {"z": 4, "t": 1})


def test_programs_say_what_they_leave_out() -> None:
    algorithm = parse("x[k+1] = x[k] - t*grad f(x[k] + 3*w[k]); w[k+1] = 2*w[k]")
    assert "left out: 1 vector of the text that no answer reaches" in algorithm.to_python()
    assert "left out" not in algorithm.to_python("as-written")


def test_matrices_are_shown_in_latex() -> None:
    """Every state is shown by formulas, not by their texts for SymPy."""
    for state in ("as-written", "minimal", "controllable"):
        shown = linnaeus.zoo["nesterov"].algorithm.realization(state)._repr_latex_()
        assert r"\alpha" in shown and r"\beta" in shown and "*" not in shown, shown
    assert "$$" in parse(FISTA).transfer._repr_latex_() and "<" not in parse(FISTA).transfer._repr_latex_()
    verdict = linnaeus.compare("x[k+1] = x[k] - t*grad f(x[k])", "x[k+1] = x[k] - beta1*grad f(x[k])")
    assert r"$\beta_{1} = t$" in verdict._repr_html_()
