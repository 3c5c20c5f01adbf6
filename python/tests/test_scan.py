"""Papers are scanned as the command scans them."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest
from conftest import CORPUS, Command

import linnaeus

PAPERS = sorted((CORPUS / "scan").rglob("*.tex"))

PAPER = r"""
\documentclass{article}
\newcommand{\prox}{\operatorname{prox}}
\begin{document}
Douglas--Rachford splitting is
\begin{align*}
x^{k+1} &= \prox_{tf}(w^k) \\
y^{k+1} &= \prox_{tg}(2x^{k+1} - w^k) \\
w^{k+1} &= w^k + y^{k+1} - x^{k+1}.
\end{align*}
\input{second}
\end{document}
"""
SECOND = r"""
Gradient descent is
\[ x_{k+1} = x_k - \alpha\nabla f(x_k). \]
"""


def test_a_paper_of_two_files(tmp_path: Path) -> None:
    (tmp_path / "paper.tex").write_text(PAPER, encoding="utf-8")
    (tmp_path / "second.tex").write_text(SECOND, encoding="utf-8")
    for path in (tmp_path, tmp_path / "paper.tex", str(tmp_path / "paper.tex"), [tmp_path / "paper.tex"]):
        found = linnaeus.scan(path, workers=2)
        assert [listing.names[0].slug for listing in found] == ["douglas_rachford", "gradient_descent"]
    assert found[1].place.file.endswith("second.tex") and found[1].place.line == 3
    assert found[0].algorithm.transfer == linnaeus.zoo["douglas_rachford"].transfer
    assert found[0].oracles == ("prox_{t f}", "prox_{t g}") and len(found.files) == 2
    again = pickle.loads(pickle.dumps(found))
    assert again == found and again.listings == found.listings and str(again) == str(found)
    assert "Douglas" in str(found) and "Douglas" in found._repr_html_()
    with pytest.raises(FileNotFoundError):
        linnaeus.scan(tmp_path / "nothing.tex")


def test_nothing_outside_the_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "second.tex").write_text(SECOND, encoding="utf-8")
    (tmp_path / "inside/paper.tex").write_text(PAPER.replace("{second}", "{../second}"), encoding="latin-1")
    found = linnaeus.scan(tmp_path / "inside")
    assert len(found) == 1 and found.remarks


def test_the_same_as_the_command(command: Command) -> None:
    assert PAPERS
    for paper in PAPERS[:3]:
        assert linnaeus.scan(paper)._report == json.loads(command("scan", "--json", str(paper)))
