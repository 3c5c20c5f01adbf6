"""``to_sympy()`` of every card is what SymPy's own solution of the same lines is."""

from __future__ import annotations

import sympy
import ztransform

import linnaeus


def test_every_card() -> None:
    checked, words, varying = 0, [], []
    for slug, card in linnaeus.zoo.items():
        algorithm = card.algorithm
        if algorithm.schedules:
            varying.append(slug)
        elif algorithm.transfer.scalar is None:
            words.append(slug)
        else:
            ztransform.check(algorithm)
            checked += 1
    assert checked > 280
    # What has no scalar H is checked by what it does.
    for slug in words + varying:
        ztransform.check_markov(linnaeus.zoo[slug].algorithm)


def test_wrong_matrices_are_noticed() -> None:
    algorithm = linnaeus.zoo["heavy_ball"].algorithm
    reader, rows = ztransform.transfer(algorithm)
    wrong = algorithm.to_sympy().applyfunc(lambda entry: entry + 1 / sympy.Symbol("z") ** 9)
    assert not ztransform.equal(reader, rows, wrong)
    assert ztransform.equal(reader, rows, algorithm.to_sympy())
