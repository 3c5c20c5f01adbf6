"""The notebook runs to its end; the benchmark keeps to its bound."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def test_notebook() -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.read(HERE.parent / "notebooks/paper.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells), "notebooks are kept without output"
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    assert any("image/svg+xml" in output.data for output in shown)
    assert any("$" in output.data.get("text/latex", "") for output in shown)


def test_overhead(capsys: pytest.CaptureFixture[str]) -> None:
    """A call through Python costs at most two milliseconds more than a native one."""
    example = os.environ.get("LINNAEUS_LATENCY")
    if example is None:
        pytest.skip("set LINNAEUS_LATENCY to the path of the example `latency`")
    sys.path.insert(0, str(HERE.parent / "benchmarks"))
    overhead = importlib.import_module("overhead")
    with capsys.disabled():
        print()
        worst = overhead.main(example)
    assert worst <= 0.002
