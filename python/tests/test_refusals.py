"""What is passed in error is answered with what to pass, never with an error from inside."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import copy, deepcopy
from pathlib import Path
from typing import Any

import pytest
from conftest import DOUGLAS_RACHFORD, GRADIENT, TWO_OPERATORS

import linnaeus
from linnaeus import Algorithm, LinnaeusError, ReadError, TransferMatrix, TransformError, grad, parse, prox

anything: Any = None
number: Any = 1.5
gradient: Any = parse(GRADIENT)
splitting: Any = parse(DOUGLAS_RACHFORD)


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: gradient.repeat(10**20), TransformError, "repeat at most 12 times"),
        (lambda: gradient.repeat(0), ValueError, "once or more often"),
        (lambda: gradient.repeat(1.5), TypeError, r"repeat\(2\)"),
        (lambda: gradient.repeat("2"), TypeError, r"repeat\(2\)"),
        (lambda: splitting.shift((0, 1)), TypeError, r"shift\(0, 1\), or shift\(\*times\)"),
        (lambda: splitting.shift("0,1"), TypeError, r"shift\(0, 1\)"),
        (lambda: splitting.shift(0, 10**20), TransformError, "2 whole numbers"),
        (lambda: gradient.conjugate(3), TypeError, r'conjugate\("f"\)'),
        (lambda: gradient.delete(), TypeError, "name a function"),
        (lambda: gradient.delete(None), TypeError, r'delete\("f"\)'),
        (lambda: gradient.permute("f", 2), TypeError, r'permute\("f", "g"\)'),
        (lambda: gradient.with_oracles(1), TypeError, r'with_oracles\("prox_f"\)'),
        (lambda: gradient.substitute({1: 2}), TypeError, "a text is needed"),
        (lambda: gradient.substitute(t=None), TypeError, "not a number"),
        (lambda: gradient.substitute(t=[1]), TypeError, "not a number"),
        (lambda: gradient.transfer.evaluate(1, t=1), ValueError, "no value where t = 1, z = 1: it divides by zero"),
        (lambda: gradient.transfer.evaluate(1.0, t=1), ValueError, "divides by zero"),
        (lambda: gradient.transfer.evaluate(1 + 0j, t=0.5), ValueError, "divides by zero"),
        (lambda: gradient.transfer.evaluate("one", t=1), ValueError, "a number is needed, not 'one'"),
        (lambda: parse("x[k+1] = x[k] - grad f(x[k])/t").realization().to_numpy(t=0), ValueError, "divides by zero"),
        (lambda: parse("x[k+1] = x[k] - grad f(x[k])/t").to_control(t=0), ValueError, "divides by zero"),
        (lambda: parse("x[k+1] = x[k] - grad f(x[k])/t").transfer.to_control(t=0), ValueError, "divides by zero"),
        (lambda: gradient.transfer.evaluate(None, t=1), TypeError, "z is a number, not None"),
        (lambda: gradient.transfer.evaluate([1, 2], t=1), TypeError, "z is a number"),
        (lambda: gradient.transfer[0], TypeError, r"H\[row, column\]"),
        (lambda: gradient.to_control(t=[[1]]), TypeError, "t is a number"),
        (lambda: gradient.realization().to_numpy(t=None), TypeError, "t is a number"),
        (lambda: gradient.realization(None), TypeError, r'realization\("minimal"\)'),
        (lambda: gradient.to_python(3), TypeError, "a text is needed"),
        (lambda: parse(GRADIENT, shift=number), TypeError, 'shift="0,1"'),
        (lambda: linnaeus.compare(GRADIENT, GRADIENT, number), TypeError, 'only="shift"'),
        (lambda: linnaeus.identify(GRADIENT, zoo=number), TypeError, r"Zoo.open\(folder\)"),
        (lambda: TransferMatrix.from_rows([["1/z"]], number), TypeError, "oracles are named by texts"),
        (lambda: Algorithm(anything), TypeError, r'Algorithm\("x", "y"\)'),
        (lambda: Algorithm("x", index=anything), TypeError, "a name is a text"),
        (lambda: Algorithm("x").parameter(anything), TypeError, "a name is a text"),
        (lambda: Algorithm("\ud800"), ValueError, "cannot be a name"),
        (lambda: parse(anything), TypeError, "an algorithm is a text"),
        (lambda: linnaeus.compare(GRADIENT, anything), TypeError, "an algorithm is a text"),
        (lambda: linnaeus.identify(anything), TypeError, "an algorithm is a text"),
        (lambda: linnaeus.identify_many(anything), TypeError, "a list of texts"),
        (lambda: linnaeus.identify_many([GRADIENT], workers=0), ValueError, "at least one worker"),
        (lambda: linnaeus.identify_many([GRADIENT], workers=number), TypeError, "whole numbers"),
        (lambda: linnaeus.scan(anything), TypeError, r'scan\("paper.tex"\)'),
        (lambda: linnaeus.scan([anything]), TypeError, r'scan\("paper.tex"\)'),
        (lambda: linnaeus.scan([], workers=0), ValueError, "at least one worker"),
        (lambda: linnaeus.zoo.search(anything), TypeError, r"zoo.search\("),
        (lambda: linnaeus.zoo[anything], KeyError, "None"),
        (lambda: parse("x[k+1] = x[k] - \ud800*grad f(x[k])"), ReadError, "�"),
        (lambda: linnaeus.compare(GRADIENT, "\udfff"), ReadError, "�"),
        (lambda: linnaeus.zoo["\ud800"], KeyError, "ud800"),
        (lambda: gradient.substitute(t="\ud800"), TransformError, "�"),
        (lambda: gradient.substitute({"\ud800": 1}), TransformError, "�"),
        (lambda: gradient.conjugate("\ud800"), TransformError, "�"),
        (lambda: gradient.compare(GRADIENT, only="\ud800"), ValueError, "there is no relation"),
        (lambda: parse(GRADIENT, "\ud800"), ValueError, "there is no notation"),
        (lambda: gradient.realization("\ud800"), ValueError, "there is no state"),
        (lambda: TransferMatrix.from_rows([["\ud800"]], "grad f"), ReadError, "�"),
    ],
)
def test_what_to_pass_is_said(call: Callable[[], object], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said) as caught:
        call()
    assert not isinstance(caught.value, (UnicodeError, OverflowError, AttributeError))


def test_cards_are_utf_8(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "card.md").write_bytes(b"# \xff")
    with pytest.raises(ValueError, match=r"card.md' is not UTF-8"):
        linnaeus.Zoo.open(tmp_path)


def test_halves_of_characters() -> None:
    """Two halves that belong together are one letter; in a comment anything may stand."""
    assert parse("\ud835\udc65_{k+1} = \ud835\udc65_k - t*grad f(\ud835\udc65_k)").channels
    assert parse(GRADIENT + "  # \ud800").transfer == parse(GRADIENT).transfer
    assert "\ud800" not in linnaeus.zoo and linnaeus.zoo.search("\ud800 extra")


@pytest.mark.parametrize(
    "refused",
    [
        lambda: parse("x[k+1] = prox_{-1 f}(x[k])"),
        lambda: parse("x[k+1] = prox_{t f}(x[k])").substitute(t=-1),
        lambda: parse("x[k+1] = prox_{t f}(x[k])").substitute(t=0),
        lambda: parse("x[k+1] = prox_{t f}(x[k])").with_oracles("prox_{-1 f}"),
        lambda: parse(TWO_OPERATORS).substitute(sigma=-1),
        lambda: TransferMatrix.from_rows([["1/z"]], "prox_{-1 f}"),
        lambda: _stepping(-1).transfer,
        lambda: _stepping(0).transfer,
    ],
)
def test_steps_are_positive(refused: Callable[[], object]) -> None:
    with pytest.raises(LinnaeusError, match="positive|zero"):
        refused()


def test_steps_may_be_of_either_sign_until_they_are_numbers() -> None:
    text = "x[k+1] = prox_{(1 - t) f}(x[k])"
    assert parse(text).substitute(t=0.5).channels[0].step == "1/2"
    with pytest.raises(TransformError, match="positive"):
        parse(text).substitute(t=2)
    # Where a factor is negative, the minimizer is known by its optimality condition alone.
    assert parse("x[k+1] = argmin_x {-f(x) + 1/2*||x - x[k]||^2}").channels[0].kind == "subdifferential"


def _stepping(step: int) -> Algorithm:
    alg = Algorithm("x")
    alg.let(alg["x"].next, prox(alg.function("f"), step)(alg["x"]))
    return alg


def test_unfinished_algorithms_are_pickled() -> None:
    alg = Algorithm("x, y", index="n")
    x, y, f, t, A = alg["x"], alg["y"], alg.function("f"), alg.parameter("t"), alg.operator("A", "X", "X")
    s, oracle = alg.sequence("s"), prox(f, t)
    alg.let(x.next, x - s * grad(f)(A @ y))
    for again in (pickle.loads(pickle.dumps(alg)), deepcopy(alg), copy(alg)):
        assert again.text == alg.text and again == alg and again is not alg
        again.let(again["y"].next, again["x"])
        assert again.explicit and again.index == "n"
    with pytest.raises(TypeError, match="finished"):
        again.let(again["x"], again["y"])
    # What belongs to an algorithm comes along with it, and still belongs to it.
    other, z, w, prox_f, q = pickle.loads(pickle.dumps((alg, x, y, oracle, s)))
    other.let(w.next, prox_f(z) + q.next * z)
    assert other.text == alg.text + "\ny[n+1] = prox_{t f}(x[n]) + s[n+1]*x[n]"
    with pytest.raises(ValueError, match="different algorithms"):
        prox_f(x)
    alg.let(y.next, prox(f)(x))
    assert alg.explicit and copy(alg) is alg and pickle.loads(pickle.dumps(alg)) == alg


def test_names_in_formulas_are_told_apart() -> None:
    sympy = pytest.importorskip("sympy")
    alg = parse("x[k+1] = x[k] - z*z_^2*grad f(x[k])")
    assert set(alg.parameters) == {"z", "z_"}
    symbols = alg.to_sympy().free_symbols
    assert {str(s) for s in symbols} == {"z", "z_", "z__"}
    h = alg.transfer
    assert h.evaluate(2, {"z": 3, "z_": 5}) == [[-75]] == h.evaluate(2, z__=3, z_=5)
    assert alg.substitute(z=3, z_=5).transfer[0, 0] == "-75/(z - 1)"
    assert alg.substitute(z__=3, z_=5).transfer[0, 0] == "-75/(z - 1)"
    assert alg.substitute({"z": sympy.Symbol("z_"), "z_": 1}).transfer[0, 0] == "-z_/(z - 1)"
    assert alg.realization().to_numpy(z__=3, z_=5)[1].tolist() == [[-75]]
    assert TransferMatrix.from_sympy(alg.to_sympy(), h.oracles) == h
    verdict = linnaeus.compare(alg, "x[k+1] = x[k] - t*grad f(x[k])")
    assert dict(verdict.parameters) == {"t": "z__*z_**2"}
    back = linnaeus.compare("x[k+1] = x[k] - z_B*z*grad f(x[k])", "x[k+1] = x[k] - z*grad f(x[k])")
    assert dict(back.parameters) == {"z": "z_B*z_"}
    for texts in (alg, "x[k+1] = x[k] - t*grad f(x[k])"), (alg, alg):
        script = linnaeus.compare(*texts).to_sympy()
        exec(compile(script, "script", "exec"), {})
    varying = parse("x[k+1] = x[k] - z[k]*z_[k]*grad f(x[k])")
    assert sorted(varying.schedules) == ["z_[k]", "z__[k]"]
    many = parse("param lambda, lamda, lambda_, lamda_, in, in_; x[k+1] = lambda*x[k] + lamda*x[k-1] - lambda_*lamda_*in*in_*grad f(x[k])")
    assert len(many.to_sympy().free_symbols) == 7


def test_looking_finishes_nothing() -> None:
    """A notebook shows an algorithm that is being written, and it goes on being written."""
    alg = Algorithm("x")
    x, f = alg["x"], alg.function("f")
    assert "<pre>" in alg._repr_html_() and alg._repr_latex_() is None
    alg.let(x.next, x - grad(f)(x))
    assert "minimal order 1" in alg._repr_html_() and "align*" in str(alg._repr_latex_())
    y = alg.iterate("y")
    alg.let(y.next, prox(f)(x + y))
    assert "minimal order 2" in alg._repr_html_() and len(alg.channels) == 2
