"""Comparisons, identifications and the zoo."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any

import pytest
import sympy
from conftest import ADMM, DOUGLAS_RACHFORD, FISTA, GRADIENT, ROOT

import linnaeus
from linnaeus import ReadError, Zoo, _formula, compare, identify, identify_many, parse, zoo

HEAVY = "x[k+1] = x[k] - a*grad f(x[k]) + b*(x[k] - x[k-1])"
NEW = "x[k+1] = x[k] - 3*grad f(x[k]) + 5*grad f(x[k-1]) - 7*grad f(x[k-2]) + 11*(x[k-1] - x[k-4])"


def test_related() -> None:
    verdict = compare(DOUGLAS_RACHFORD, ADMM)
    assert verdict and verdict.is_related and not verdict.is_distinct and not verdict.is_undecided
    assert (verdict.relation, verdict.generality, verdict.recheck) == ("permutation", "equal", "passed")
    assert dict(verdict.parameters) == {"rho": "1/t"} and verdict.conditions == ()
    assert verdict.channels == ((0, 1), (1, 0)) and verdict.shift == (1, 0) and verdict.skipped
    assert verdict.state_map is not None and len(verdict.state_map) == 2 and verdict.initialization == ("z[0] = x1[1]", "u[0] = x3[0] - x1[1]")
    assert r"z^{0} &= x_{1}^{1}" in verdict.proof() and r"u^{0} &= x_{3}^{0} - x_{1}^{1}" in verdict.proof()
    assert len(verdict.branches) == 1 and verdict.branches[0].parameters == verdict.parameters
    assert verdict.obstruction is None and verdict.limit is None and verdict.repeat is None
    assert "Related" in str(verdict) and r"\begin{" in verdict.proof()
    assert "sympy" in verdict.to_sympy()
    diagram = verdict.diagram()
    assert diagram is not None and diagram.svg.startswith("<svg")
    assert "Related" in verdict._repr_html_() and r"\rho = \frac{1}{t}" in verdict._repr_html_()
    with pytest.raises(TypeError):
        verdict.parameters["rho"] = "2"  # type: ignore[index]


def test_distinct() -> None:
    verdict = compare("y[k] = x[k] + b*(x[k] - x[k-1]); x[k+1] = y[k] - a*grad f(y[k])", HEAVY)
    assert not verdict and verdict.is_distinct and verdict.relation is None and verdict.diagram() is None
    assert verdict.obstruction is not None and verdict.obstruction.kind == "entries"
    assert verdict.obstruction.details["run"] and "distinct" in repr(verdict)
    assert "Distinct" in verdict._repr_html_() and verdict.proof()


def test_undecided_is_false_and_distinguishable() -> None:
    report = {**compare(GRADIENT, GRADIENT)._told, "verdict": "undecided", "limit": "work"}
    verdict = linnaeus.Verdict(parse(GRADIENT), parse(GRADIENT), None, report)
    assert not verdict and verdict.is_undecided and not verdict.is_distinct and verdict.limit == "work"
    assert repr(verdict) == "<Verdict undecided: work>"


def test_only() -> None:
    assert not compare(DOUGLAS_RACHFORD, ADMM, only="oracle")
    assert compare(DOUGLAS_RACHFORD, ADMM, "permutation")
    with pytest.raises(ValueError, match="there is no relation `same`; there are oracle"):
        compare(GRADIENT, GRADIENT, only="same")


def test_values() -> None:
    for pair in ((DOUGLAS_RACHFORD, ADMM), (GRADIENT, HEAVY), (FISTA, FISTA)):
        verdict = compare(*pair)
        again = pickle.loads(pickle.dumps(verdict))
        assert again == verdict and hash(again) == hash(verdict) and again.proof() == verdict.proof()
        assert again.branches == verdict.branches and again.obstruction == verdict.obstruction
        assert pickle.loads(pickle.dumps(verdict.branches)) == verdict.branches
        assert pickle.loads(pickle.dumps(verdict.obstruction)) == verdict.obstruction
    with pytest.raises(ReadError):
        compare(GRADIENT, "x[k+1] = ")


def test_identify() -> None:
    found = identify(HEAVY)
    assert isinstance(found, list) and found[0].slug == "heavy_ball" and found[0].card.year == "1964"
    best = found[0]
    assert best.group == "same" and dict(best.parameters) == {"alpha": "a", "beta": "b"} and best.relation == "oracle"
    assert best.reference.startswith("Polyak") and "@article" in best.bibtex
    assert "Polyak" in found._repr_html_() and "same" in best._repr_html_().lower()
    again = pickle.loads(pickle.dumps(best))
    assert again == best and again.proof() == best.proof() and again.verdict == best.verdict
    assert found == parse(HEAVY).identify()


def test_matches_keep_what_was_found() -> None:
    """Families are compared without regard to names; a comparison of texts could find something else."""
    for text in (HEAVY, FISTA):
        for match in identify(text)[:2]:
            again = pickle.loads(pickle.dumps(match))
            assert match._comparison().report() == again._comparison().report()
            import json

            told = json.loads(match._comparison().report())
            assert {key: told[key] for key in ("relation", "generality", "parameters", "shift", "initialization")} == {
                key: match._report[key] for key in ("relation", "generality", "parameters", "shift", "initialization")
            }


def test_new() -> None:
    found = identify(NEW)
    assert found == [] and found.near_misses and found.near_misses[0].message
    assert "No card" in found._repr_html_()


def test_zoo() -> None:
    assert len(zoo) == len(list(zoo)) >= 307 and "extra" in zoo and "ALG-0194" in zoo and "nothing" not in zoo
    card = zoo["extra"]
    assert card == zoo["ALG-0194"] == zoo["alg-0194"] and hash(card) == hash(zoo["extra"])
    assert card.id == "ALG-0194" and card.algorithm.transfer == card.transfer and "dlm" in [r.slug for r in card.related]
    assert card.id in card.twins and card.family == "distributed" and "@" in card.references
    assert "EXTRA" in card.show() and "EXTRA" in card._repr_html_() and "ALG-0194" in zoo._repr_html_()
    with pytest.raises(KeyError, match="did you mean extra"):
        zoo["extras"]
    assert zoo.get("nothing at all") is None
    assert [c.slug for c in zoo.search("EXTRA", family="distributed")][:1] == ["extra"]
    assert zoo.search("no such words anywhere") == []
    assert all(len(c.algorithm.channels) == 3 for c in zoo.search(oracles=["prox", "prox", "grad"]))
    with pytest.raises(ValueError, match="no kind of oracle `prax`"):
        zoo.search(oracles=["prax"])
    assert len(zoo.families) == 10
    plain, every = zoo.relations(assumptions=False), zoo.relations()
    assert 0 < len(plain) < len(every)
    assert zoo.diagram().svg.startswith("<svg")
    assert pickle.loads(pickle.dumps(zoo)) is zoo and pickle.loads(pickle.dumps(card)) == card


def test_cards_of_ones_own(tmp_path: Path) -> None:
    text = (ROOT / "zoo/gradient_momentum/heavy_ball.md").read_text(encoding="utf-8")
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "my_method.md").write_text(text.replace("ALG-0002", "ALG-9001"), encoding="utf-8")
    mine = Zoo.open(tmp_path)
    assert len(mine) == len(zoo) + 1 and mine["my_method"].family == "mine" and "my_method" not in zoo
    assert "my_method" in [match.slug for match in identify(HEAVY, zoo=mine)]
    again = pickle.loads(pickle.dumps(mine))
    assert again == mine and again["my_method"] == mine["my_method"]
    (folder / "bad.md").write_text("# no card", encoding="utf-8")
    with pytest.raises(ReadError):
        Zoo.open(tmp_path)
    with pytest.raises(FileNotFoundError):
        Zoo.open(tmp_path / "nowhere")


def test_identify_many() -> None:
    items = [GRADIENT, ("named", HEAVY), "x[k+1] = ", parse(GRADIENT), zoo["extra"], 3, "x[k+1] = x[k] - grad f(x[k-60])"]
    records = list(identify_many(items, workers=3))
    assert [r["key"] for r in records] == [0, "named", 2, 3, 4, 5, 6]
    assert [r["status"] for r in records] == ["known", "known", "unread", "known", "known", "unread", "limit"]
    assert [r["slug"] for r in records[:2]] == ["gradient_descent", "heavy_ball"] and records[4]["slug"] == "extra"
    assert "error" in (records[2]["error"] or "") and records[0]["error"] is None
    assert records[0] == {**next(identify_many([GRADIENT], workers=1)), "key": 0}
    told: list[int] = []
    assert len(list(identify_many([GRADIENT] * 3, progress=told.append))) == 3 and told == [1, 2, 3]
    assert list(identify_many([])) == []
    with pytest.raises(ValueError, match="at least one worker"):
        identify_many([], workers=0)
    assert next(identify_many([NEW]))["status"] in ("new", "undecided")


def test_identify_many_is_lazy() -> None:
    taken: list[int] = []

    def endless() -> object:
        for n in range(10**9):
            taken.append(n)
            yield GRADIENT

    records = identify_many(endless(), workers=2)  # type: ignore[arg-type]
    assert taken == []
    next(records)
    assert len(taken) <= 5
    records.close()  # type: ignore[attr-defined]


def test_progress_bars(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    list(identify_many([GRADIENT, GRADIENT], progress=True))
    assert "2/2" in capsys.readouterr().err
    import sys

    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    list(identify_many([GRADIENT, GRADIENT], progress=True))
    assert "2/2 algorithms" in capsys.readouterr().err


def _coordinates(formulas: tuple[str, ...], states: tuple[str, ...]) -> Any:
    """The rows of formulas in the states of a text, when the index is 0."""
    symbols = {re.sub(r"\[k([+-]\d+)?\]", lambda m: f"[{int(m[1] or 0)}]", name): sympy.Symbol(f"s{i}") for i, name in enumerate(states)}

    def value(name: str) -> Any:
        return symbols.get(name, sympy.Symbol(name))

    rows = [_formula.evaluate(formula, value, sympy.Integer, {"sqrt": sympy.sqrt}) for formula in formulas]
    return sympy.Matrix(len(rows), len(symbols), lambda i, j: sympy.diff(rows[i], sympy.Symbol(f"s{j}")))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (GRADIENT, "y[k+1] = y[k] - 2*s*grad f(y[k]/2)"),
        (HEAVY, "v[k+1] = m*v[k] - e*grad f(w[k]); w[k+1] = w[k] + v[k+1]"),
        (HEAVY, "p[k+1] = b*p[k] + grad f(q[k]); q[k+1] = q[k] - a*p[k+1]"),
        ("x[k+1] = 2*x[k] - w[k] - t*grad f(2*x[k] - w[k]); w[k+1] = x[k]", "y[k] = u[k] + u[k] - u[k-1]; u[k+1] = y[k] - t*grad f(y[k])"),
    ],
)
def test_the_state_map_leads_from_one_realization_to_the_other(first: str, second: str) -> None:
    verdict = compare(first, second)
    assert verdict.relation == "oracle" and verdict.state_map is not None and verdict.state_map_states is not None
    made = []
    for algorithm, formulas in zip((verdict.first, verdict.second), verdict.state_map_states, strict=True):
        realization = algorithm.realization()
        a, b, c, d = realization.to_sympy()
        p = _coordinates(formulas, realization.states)
        assert p.rows == algorithm.minimal_order == p.cols, "this test has minimal texts"
        put = {sympy.Symbol(n): sympy.sympify(v) for n, v in verdict.parameters.items()} if algorithm is verdict.second else {}
        made.append([m.subs(put, simultaneous=True) for m in (p * a * p.inv(), p * b, c * p.inv(), d)])
    t = sympy.Matrix([[sympy.sympify(entry) for entry in row] for row in verdict.state_map])
    (a1, b1, c1, d1), (a2, b2, c2, d2) = made
    for difference in (t * a1 - a2 * t, t * b1 - b2, c2 * t - c1, d1 - d2):
        assert difference.applyfunc(sympy.simplify).is_zero_matrix, (verdict.state_map, verdict.state_map_states)


def test_where_no_state_map_is_no_states_are_told() -> None:
    verdict = compare("y[k] = x[k] + b*(x[k] - x[k-1]); x[k+1] = y[k] - a*grad f(y[k])", HEAVY)
    assert verdict.state_map is None and verdict.state_map_states is None
