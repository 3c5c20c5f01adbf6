"""The example for clusters: two workers give the rows of one process, and a run that was stopped goes on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed")
pytest.importorskip("pyarrow")

import pyarrow as pa
import pyarrow.parquet as pq
from distributed import Client, LocalCluster

import linnaeus

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
import identify_folder


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        # The workers find the example where this process found it.
        client.run(sys.path.insert, 0, str(Path(identify_folder.__file__).parent))
        yield client


def sources(folder: Path) -> None:
    for card in linnaeus.zoo.search(family="projection_feasibility")[:12]:
        (folder / f"{card.slug}.txt").write_text(card.equations, encoding="utf-8")
    (folder / "sub").mkdir()
    (folder / "sub" / "slip.txt").write_text("x[k+1] = x[k] - gard f(x[k])", encoding="utf-8")
    (folder / "sub" / "empty.tex").write_text("", encoding="utf-8")
    (folder / "sub" / "bytes.tex").write_bytes(b"\xff\xfe x[k+1] = \x00")
    (folder / "notes.md").write_text("not a source", encoding="utf-8")


def test_two_workers(client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, source, target = tmp_path / "sources", tmp_path / "texts.parquet", tmp_path / "answers"
    folder.mkdir()
    sources(folder)
    monkeypatch.setattr(identify_folder, "TASK", 4)
    assert identify_folder.collect(folder, source) == 15
    assert pq.ParquetFile(source).num_row_groups == 4

    done = dict(identify_folder.run(source, target, client))
    assert sum(done.values()) == 15
    rows = identify_folder.read(target)
    texts = pq.read_table(source).to_pylist()
    assert rows == [dict(r) for r in linnaeus.identify_many(((t["key"], t["text"]) for t in texts), workers=1)]
    assert {row["status"] for row in rows if row["key"].startswith("sub/")} == {"unread"}
    assert {row["status"] for row in rows if not row["key"].startswith("sub/")} == {"known"}

    # Nothing is left to do; of what is missing, only that.
    assert set(dict(identify_folder.run(source, target, client)).values()) == {0}
    parts = sorted(target.iterdir())
    times = {part: part.stat().st_mtime_ns for part in parts[1:]}
    parts[0].unlink()
    (target / f".{parts[0].name}.1").write_bytes(b"half of a part")
    done = dict(identify_folder.run(source, target, client))
    assert {name: new for name, new in done.items() if new} == {parts[0].name: 4}
    assert {part: part.stat().st_mtime_ns for part in parts[1:]} == times
    assert sorted(target.iterdir()) == parts
    assert identify_folder.read(target) == rows

    # A text that changed is identified anew.
    texts[0]["text"] = "x[k+1] = prox_{t f}(x[k])"
    with pq.ParquetWriter(source, pa.schema([("key", pa.string()), ("text", pa.string())])) as writer:
        for start in range(0, 15, 4):
            writer.write_table(pa.Table.from_pylist(texts[start : start + 4], writer.schema))
    done = dict(identify_folder.run(source, target, client))
    assert sum(done.values()) == 4
    assert identify_folder.read(target)[0]["slug"] == "proximal_point"
    assert len(list(target.iterdir())) == 4


def test_papers(client: Any, tmp_path: Path) -> None:
    """Every algorithm of a paper makes a row, also where another one cannot be read."""
    folder, source, target = tmp_path / "papers", tmp_path / "papers.parquet", tmp_path / "answers"
    folder.mkdir()
    step = r"\begin{equation}\label{eq:step} x^{k+1} = x^k - \alpha \nabla f(x^k) \end{equation}"
    slip = r"\begin{algorithm} $x^{k+1} = x^k + \sin(x^k) - \nabla f(x^k)$ \end{algorithm}"
    (folder / "a.tex").write_text(f"\\documentclass{{article}}\n{step}\n{slip}\n", encoding="utf-8")
    (folder / "b.tex").write_text("nothing here", encoding="utf-8")
    assert identify_folder.collect(folder, source) == 2
    assert sum(dict(identify_folder.run(source, target, client, papers=True)).values()) == 2
    first, second = identify_folder.read(target)
    assert (first["key"], first["listing"], first["slug"], first["problems"]) == ("a.tex", 1, "gradient_descent", [])
    assert (second["listing"], second["line"], second["slug"]) == (2, 3, None) and second["problems"]
    assert identify_folder.read(target) == list(identify_folder.scanned(pq.read_table(source).to_pylist()))
    assert set(dict(identify_folder.run(source, target, client, papers=True)).values()) == {0}
    # Answers to another question are other parts.
    assert sum(dict(identify_folder.run(source, target, client)).values()) == 2


def test_no_texts(client: Any, tmp_path: Path) -> None:
    source = tmp_path / "none.parquet"
    (tmp_path / "empty").mkdir()
    assert identify_folder.collect(tmp_path / "empty", source) == 0
    assert list(identify_folder.run(source, tmp_path / "answers", client)) == []
    assert identify_folder.read(tmp_path / "answers") == []
