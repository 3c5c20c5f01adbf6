"""What is said, and in whose words."""

from __future__ import annotations

import html
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ADMM, DOUGLAS_RACHFORD, FISTA, TWO_OPERATORS

import linnaeus
from linnaeus import ReadError, TransformError, parse

HEAVY = "x[k+1] = x[k] - a*grad f(x[k]) + b*(x[k] - x[k-1])"
VARYING = "x[k+1] = prox_{s[k] g}(x[k] - s[k]*grad f(x[k]))"


def test_frozen_matches_are_marked() -> None:
    found = linnaeus.identify(VARYING)
    frozen = [match for match in found if match.frozen]
    assert frozen and "with constant coefficients" in repr(frozen[0])
    assert "With constant coefficients: the same" in str(found)
    assert "With constant coefficients" in found._repr_html_() and "With constant coefficients" in frozen[0]._repr_html_()
    assert pickle.loads(pickle.dumps(frozen[0])).frozen
    varying, constant, bad = linnaeus.identify_many([VARYING, "x[k+1] = x[k] - t*grad f(x[k])", "x["])
    assert (varying["frozen"], constant["frozen"], bad["frozen"]) == (True, False, None)
    assert "constant coefficients" not in repr(linnaeus.identify("x[k+1] = x[k] - t*grad f(x[k])")[0])


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: parse(VARYING).to_pepit(), "`freeze=True`"),
        (lambda: parse(VARYING).minimal(), "take `.realization()`, or use `freeze=True`"),
        (lambda: parse("x[k+1] = x[k] - t*subgrad f(x[k+1])").to_python(), '`.with_oracles("prox_{t f}")`'),
        (lambda: parse("H = [[z]]; oracles: subgrad f"), '`oracles="subgrad f*"`'),
        (lambda: parse("H = [[0, z], [1/z^2, 0]]; oracles: grad f, grad g"), "`shift="),
        (lambda: parse(DOUGLAS_RACHFORD).shift(1), "`.shift(0, 1)`"),
        (lambda: parse(DOUGLAS_RACHFORD).substitute(q=1), "there are t, f, g"),
    ],
)
def test_advice_is_in_the_words_of_python(ask: object, said: str) -> None:
    assert callable(ask)
    with pytest.raises((ReadError, TransformError)) as error:
        ask()
    assert said in str(error.value) and "--" not in str(error.value)


def test_advice_helps() -> None:
    assert parse("x[k+1] = x[k] - t*subgrad f(x[k+1])").with_oracles("prox_{t f}").explicit
    assert parse("H = [[z]]; oracles: subgrad f", oracles="subgrad f*").transfer.entries == (("1/z",),)
    delayed = parse("H = [[0, z], [1/z^2, 0]]; oracles: grad f, grad g", shift="1,0")
    assert linnaeus.compare(delayed, "x[k] = grad f(y[k]); y[k+1] = grad g(x[k])", only="shift")
    assert parse(VARYING, freeze=True).minimal().order == 1
    later = parse(TWO_OPERATORS).forms()[-1].shift
    assert linnaeus.compare(parse(TWO_OPERATORS), parse(TWO_OPERATORS).shift(*later))


def test_repetitions_are_readable() -> None:
    twice = parse("x[k+1] = x[k] - a*grad f(x[k]) + b*(x[k] - x[k-1])").repeat(4)
    assert len(twice.channels) == 4 and twice.minimal_order == 2 and "b^2" not in twice.text


def test_search() -> None:
    def slugs(words: str) -> list[str]:
        return [card.slug for card in linnaeus.zoo.search(words)]

    assert slugs("nesterov")[0] == "nesterov" and slugs("gradient descent")[0] == "gradient_descent"
    assert "heavy_ball" in slugs("polyak 1964") and slugs("Nedić") == slugs("nedic") != []
    assert slugs("ALG-0001") == [linnaeus.zoo["ALG-0001"].slug] and slugs("no such word") == []
    assert len(slugs("")) == len(linnaeus.zoo)


def test_search_by_kind() -> None:
    found = linnaeus.zoo.search(oracles="prox, prox, grad")
    assert found and found == linnaeus.zoo.search(oracles=["prox", "prox", "grad"])
    with pytest.raises(ValueError, match="there is no kind of oracle `prax`; did you mean `prox`.*subgrad"):
        linnaeus.zoo.search(oracles="prax")
    with pytest.raises(ValueError, match="there is no family `proximate`; the families are distributed"):
        linnaeus.zoo.search(family="proximate")
    with pytest.raises(KeyError, match="did you mean extra"):
        linnaeus.zoo["EXTRA"]


def test_pages_say_what_the_terminal_says() -> None:
    """Every line that is printed stands in the table, too."""
    pairs: list[tuple[str | linnaeus.Card, str | linnaeus.Card]] = [
        (DOUGLAS_RACHFORD, ADMM),
        (HEAVY, "y[k] = x[k] + b*(x[k] - x[k-1]); x[k+1] = y[k] - a*grad f(y[k])"),
        (linnaeus.zoo["davis_yin"], linnaeus.zoo["douglas_rachford"]),
        (FISTA, "y[k] = x[k] + beta[k]*(x[k] - x[k-1]); x[k+1] = prox_{s g}(y[k] - s*grad f(y[k]))"),
        ("x[k+1] = x[k] - a*grad f(x[k])", "x[k+1] = x[k] - c^2*grad f(x[k])"),
        (HEAVY, "v[k+1] = m*v[k] - (1-d)*e*grad f(x[k]); x[k+1] = x[k] + v[k+1]"),
    ]
    for a, b in pairs:
        verdict = linnaeus.compare(a, b)
        page, (title, *lines) = verdict._repr_html_(), str(verdict).splitlines()
        assert html.escape(title, quote=False) in page and page.count("<tr>") == len(lines)
        for line in lines:
            word, said = line[2:14].strip(), html.escape(line[14:], quote=False)
            assert f">{word}<" in page and (word in ("B's", "any", "where") or f">{said}<" in page), line
    found = linnaeus.identify(DOUGLAS_RACHFORD)
    assert r"$\rho = \frac{1}{t}$" in found._repr_html_()
    shown = linnaeus.parse(DOUGLAS_RACHFORD)._repr_html_()
    assert "<code>prox_{t f}</code>, <code>prox_{t g}</code>" in shown
    assert "no closed form: coefficients change" in linnaeus.parse(FISTA)._repr_html_()
    card = linnaeus.zoo["douglas_rachford"]._repr_html_()
    assert "<code>f</code>" in card and "`" not in card


def test_nothing_found_is_said() -> None:
    found = linnaeus.identify("x[k+1] = 3*x[k] - 17*x[k-1] + x[k-2] - grad f(x[k-4] + 7*x[k])")
    assert str(found).startswith("No card of the zoo is related to it.\nNear, but not related: ALG-")


def test_problems_of_papers(tmp_path: Path) -> None:
    paper = tmp_path / "paper.tex"
    paper.write_text(
        "\\begin{equation} x^{k+1} = x^k - \\alpha \\nabla f(x^k) \\end{equation}\n"
        "\\begin{algorithm} $x^{k+1} = x^k + \\sin(x^k) - \\nabla f(x^k)$ \\end{algorithm}\n",
        encoding="utf-8",
    )
    found = linnaeus.scan(paper)
    assert len(found) == 2 and found.problems
    number, problem = found.problems[0]
    assert number == 2 and problem.place.line == 2 and problem in found[1].problems
    assert "problem" in repr(found) and problem.message.split("`")[0] in found._repr_html_()


@pytest.mark.parametrize(
    ("package", "extra", "call"),
    [
        ("sympy", "sympy", "alg.to_sympy()"),
        ("numpy", "numpy", "alg.realization().to_numpy(t=1)"),
        ("control", "control", "alg.to_control(t=1)"),
    ],
)
def test_missing_packages_are_named(package: str, extra: str, call: str) -> None:
    program = f"""
import sys
sys.modules["{package}"] = None
import linnaeus
alg = linnaeus.parse("x[k+1] = x[k] - t*grad f(x[k])")
try:
    {call}
except ImportError as error:
    assert 'pip install "linnaeus[{extra}]"' in str(error), error
else:
    raise AssertionError
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
