"""Exported programs: Julia by a grammar of Julia, PEPit by running it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import linnaeus
from linnaeus import TransformError, parse


def test_julia() -> None:
    """What is written for Julia is Julia, for every card that is a program."""
    tree_sitter, julia = pytest.importorskip("tree_sitter"), pytest.importorskip("tree_sitter_julia")
    parser = tree_sitter.Parser(tree_sitter.Language(julia.language()))
    assert parser.parse(b"function step(state; f)\n    return (x -)\nend\n").root_node.has_error

    def check(text: str) -> None:
        root = parser.parse(text.encode()).root_node
        assert not root.has_error, text
        assert {child.type for child in root.children} <= {"line_comment", "string_literal", "function_definition"}, text

    written = 0
    for slug, card in linnaeus.zoo.items():
        try:
            text = card.algorithm.to_julia()
        except (TransformError, ValueError) as error:
            assert "implicit" in str(error), slug
            continue
        check(text)
        written += 1
    assert written > 290
    awkward = "param end, begin, function, lambda, in; x[k+1] = end*x[k] - begin*grad f(function*x[k]) + lambda*in*x[k-1]"
    check(parse(awkward).to_julia())
    assert "# end_ is end of the text" in parse(awkward).to_julia()


def test_awkward_names_in_python() -> None:
    """Names that Python has for itself are spelled otherwise, and the text says how."""
    text = parse("param lambda, lamda, in, z; x[k+1] = z*x[k] - lambda*grad f(in*x[k]) + lamda*x[k-1]").to_python()
    names: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("# ") and line.endswith(" of the text"):
            new, _, own = line[2 : -len(" of the text")].partition(" is ")
            names[own] = new
    assert names.keys() >= {"lambda", "in"} and all(new.isidentifier() for new in names.values())
    scope: dict[str, object] = {}
    exec(text, scope)  # noqa: S102
    step = scope["step"]
    assert callable(step)
    values = {"lambda": 2.0, "lamda": 3.0, "in": 5.0, "z": 7.0}
    given = {names.get(own, own): value for own, value in values.items()}
    assert len(given) == 4
    after = step((1.0, 11.0), grad_f=lambda v: v + 1, **given)
    assert after[0] == 7.0 * 1 - 2.0 * (5.0 * 1 + 1) + 3.0 * 11.0


def run(text: str, tmp_path: Path, change: tuple[str, str] = ("", "")) -> float:
    pytest.importorskip("PEPit")
    script = tmp_path / "script.py"
    script.write_text(parse(text).to_pepit().replace(*change), encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode == 0, done.stderr
    return float(done.stdout.split()[-1])


def test_pepit_gradient(tmp_path: Path) -> None:
    """After N steps of length 1/L the last one is at most |x0 - x*|/N long, and this is attained."""
    gradient = "x[k+1] = x[k] - t*grad f(x[k])"
    assert run(gradient, tmp_path) == pytest.approx(1 / 25, rel=1e-2)
    assert run(gradient, tmp_path, ("iterations = 5", "iterations = 3")) == pytest.approx(1 / 9, rel=1e-2)


def test_pepit_prox(tmp_path: Path) -> None:
    """The last of N proximal steps is at most |x0 - x*|/N long, whatever the step."""
    for change in (("", ""), ("t = 1.0", "t = 3.0")):
        assert run("x[k+1] = prox_{t f}(x[k])", tmp_path, change) == pytest.approx(1 / 25, rel=1e-2)


def test_pepit_subgradient(tmp_path: Path) -> None:
    """A step along a subgradient is as long as the bound on subgradients allows, in every iteration."""
    subgradient = "x[k+1] = x[k] - t*subgrad f(x[k])"
    assert run(subgradient, tmp_path) == pytest.approx(1, rel=1e-2)
    assert run(subgradient, tmp_path, ("t = 1.0", "t = 0.5")) == pytest.approx(1 / 4, rel=1e-2)


def test_pepit_composite(tmp_path: Path) -> None:
    """A projection is that onto a set; gradient steps with it are no worse than proximal gradient steps."""
    proximal = run("x[k+1] = prox_{t g}(x[k] - t*grad f(x[k]))", tmp_path)
    projected = run("x[k+1] = proj_C(x[k] - t*grad f(x[k]))", tmp_path)
    assert 1 / 25 - 1e-3 < projected < proximal + 1e-3 < 0.05


def test_what_pepit_does_not_have() -> None:
    with pytest.raises(ValueError, match="freeze=True"):
        linnaeus.zoo["item"].algorithm.to_pepit()
    with pytest.raises(ValueError, match="operators"):
        linnaeus.zoo["chambolle_pock"].algorithm.to_pepit()
