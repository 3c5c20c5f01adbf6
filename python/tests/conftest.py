"""Texts that all tests share."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "crates/linnaeus/tests/corpus"

DOUGLAS_RACHFORD = """
x1[k+1] = prox_{t f}(x3[k])
x2[k+1] = prox_{t g}(2*x1[k+1] - x3[k])
x3[k+1] = x3[k] + x2[k+1] - x1[k+1]
"""
ADMM = """
x[k+1] = prox_{(1/rho) f}(z[k] - u[k])
z[k+1] = prox_{(1/rho) g}(x[k+1] + u[k])
u[k+1] = u[k] + x[k+1] - z[k+1]
"""
GRADIENT = "x[k+1] = x[k] - t*grad f(x[k])"
FISTA = """
t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2
y[k] = x[k] + ((t[k] - 1)/t[k+1])*(x[k] - x[k-1])
x[k+1] = prox_{s g}(y[k] - s*grad f(y[k]))
"""
TWO_OPERATORS = """
operator A: X -> Y
operator B: X -> Z
x[k+1] = x[k] - tau*(grad h(x[k]) + A'*u[k] + B'*v[k])
u[k+1] = prox_{sigma f*}(u[k] + sigma*A*(2*x[k+1] - x[k]))
v[k+1] = prox_{sigma g*}(v[k] + sigma*B*(2*x[k+1] - x[k]))
"""


def corpus(name: str) -> dict[str, str]:
    """The texts of a corpus by label; those that stand for longer ones are left out."""
    found: dict[str, str] = {}
    for entry in ("\n" + (CORPUS / name).read_text(encoding="utf-8")).split("\n== ")[1:]:
        heading, _, rest = entry.partition("\n")
        text = rest.split("\n--")[0]
        if "»×" not in text:
            found[heading.split(":")[0]] = text
    return found


Command = Callable[..., str]


@pytest.fixture(scope="session")
def command() -> Command:
    """The command ``linnaeus``, which is native code; $LINNAEUS_COMMAND says where it is."""
    path = os.environ.get("LINNAEUS_COMMAND")
    if path is None:
        pytest.skip("set LINNAEUS_COMMAND to the path of the command `linnaeus`")

    def run(*arguments: str, text: str | None = None) -> str:
        done = subprocess.run([path, *arguments], input=text, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode < 4, done.stderr
        return done.stdout

    return run
