"""``to_sympy()`` of every card is what SymPy's own solution of the same lines is."""

from __future__ import annotations

import mpmath
import pytest
import sympy
import ztransform
from conftest import corpus

import linnaeus


@pytest.mark.parametrize("family", linnaeus.zoo.families)
def test_every_card(family: str) -> None:
    cards = linnaeus.zoo.search(family=family)
    assert cards
    for card in cards:
        ztransform.check(card.algorithm)


def test_corpus() -> None:
    checked = 0
    for label, text in corpus("golden.txt").items():
        if "<-" in text or "log" in text:
            continue
        try:
            algorithm = linnaeus.parse(text)
        except linnaeus.ReadError:
            assert label.startswith("algoPD3Oc")  # as it is printed, it is ill-typed
            continue
        ztransform.check(algorithm)
        checked += 1
    assert checked > 30


def test_how_many_have_a_closed_form() -> None:
    closed = [card for card in linnaeus.zoo.values() if card.transfer.scalar is not None]
    assert len(closed) >= 294


def test_wrong_matrices_are_noticed() -> None:
    algorithm = linnaeus.zoo["heavy_ball"].algorithm
    solution = ztransform.Solution(algorithm)
    matrix = algorithm.to_sympy()
    assert solution.is_(matrix)
    assert not solution.is_(matrix.applyfunc(lambda entry: entry + 1 / sympy.Symbol("z") ** 9))
    assert not solution.is_(matrix.xreplace({sympy.Symbol("alpha"): sympy.Symbol("beta")}))


def test_wrong_markov_parameters_are_noticed() -> None:
    import dataclasses

    for slug in ("push_pull", "item"):
        algorithm = linnaeus.parse(linnaeus.zoo[slug].equations)
        right = algorithm.transfer
        markov = (*right.markov[:2], ((f"2*({right.markov[2][0][0]})",),), *right.markov[3:])
        algorithm.__dict__["transfer"] = dataclasses.replace(right, markov=markov)
        with mpmath.workdps(60), pytest.raises(AssertionError):
            ztransform.Unrolled(algorithm, 0).check()
