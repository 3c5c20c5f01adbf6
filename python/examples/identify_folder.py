"""Identifies every text of a Parquet file on a cluster, from Parquet to Parquet.

    python identify_folder.py collect FOLDER texts.parquet       # a folder of sources becomes a Parquet file
    python identify_folder.py run texts.parquet answers/         # on this machine, as many processes as it has cores
    python identify_folder.py run texts.parquet answers/ --scheduler tcp://head:8786
    python identify_folder.py run papers.parquet answers/ --papers      # texts are LaTeX papers: a row per algorithm in them

The input has the columns ``key`` and ``text``. Its row groups are the tasks: each is read, identified and written by one
worker, and nothing passes through the scheduler but numbers. A part is named after a digest of what it was made of and
appears under its name only when it is complete. So a run that was stopped goes on where it was, a row group that changed is
made anew, and parts that belong to no row group any more are removed at the end.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import linnaeus

#: Texts per task: some seconds of work.
TASK = 64

SCHEMA = pa.schema(
    [
        ("key", pa.string()),
        ("text", pa.string()),
        ("status", pa.string()),
        ("id", pa.string()),
        ("slug", pa.string()),
        ("name", pa.string()),
        ("group", pa.string()),
        ("answer", pa.string()),
        ("frozen", pa.bool_()),
        ("related", pa.list_(pa.string())),
        ("error", pa.string()),
    ]
)

#: A row per algorithm of a paper; one without a number for a paper that could not be read.
PAPERS = pa.schema(
    [
        ("key", pa.string()),
        ("listing", pa.int64()),
        ("label", pa.string()),
        ("line", pa.int64()),
        ("text", pa.string()),
        ("id", pa.string()),
        ("slug", pa.string()),
        ("answer", pa.string()),
        ("frozen", pa.bool_()),
        ("problems", pa.list_(pa.string())),
    ]
)


def collect(folder: Path, target: Path, suffixes: Iterable[str] = (".tex", ".txt")) -> int:
    """Writes the sources of a folder, its subfolders included, as a Parquet file; returns how many there were."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in set(suffixes) and path.is_file())
    schema = pa.schema([("key", pa.string()), ("text", pa.string())])
    with pq.ParquetWriter(target, schema) as writer:
        for start in range(0, len(files), TASK):
            some = files[start : start + TASK]
            keys = [path.relative_to(folder).as_posix() for path in some]
            texts = [path.read_text(encoding="utf-8", errors="replace") for path in some]
            writer.write_table(pa.table({"key": keys, "text": texts}, schema))
    return len(files)


def identified(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What :func:`linnaeus.identify_many` says of each text."""
    # A cluster has a worker per core, so that a worker needs one thread.
    for record in linnaeus.identify_many(((row["key"], row["text"] or "") for row in rows), workers=1):
        yield dict(record)


def scanned(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What :func:`linnaeus.scan` finds in each paper."""
    for row in rows:
        with TemporaryDirectory() as folder:
            paper = Path(folder) / "paper.tex"
            paper.write_text(row["text"] or "", encoding="utf-8")
            try:
                found = linnaeus.scan(paper, workers=1)
            except ValueError as error:
                yield {"key": row["key"], "problems": [str(error)]}
                continue
        for listing in found:
            best = listing.names[0] if listing.names else None
            yield {
                "key": row["key"],
                "listing": listing.number,
                "label": listing.label,
                "line": listing.place.line,
                "text": listing.text,
                "id": best and best.id,
                "slug": best and best.slug,
                "answer": best and best.answer,
                "frozen": best and best.frozen,
                "problems": [problem.message for problem in listing.problems],
            }


def part_name(number: int, rows: list[dict[str, Any]], papers: bool = False) -> str:
    """The name of a part: its number and a digest of what it is made of."""
    digest = hashlib.sha256(repr([(row["key"], row["text"]) for row in rows]).encode())
    digest.update(b"papers" if papers else b"")
    digest.update(linnaeus.__version__.encode())
    return f"part-{number:06}-{digest.hexdigest()[:16]}.parquet"


def identify_part(source: str, target: str, number: int, papers: bool = False) -> tuple[str, int]:
    """One task: identifies a row group unless that is done already. Returns the part's name and how many texts were new."""
    rows = pq.ParquetFile(source).read_row_group(number, ["key", "text"]).to_pylist()
    path = Path(target) / part_name(number, rows, papers)
    if path.exists():
        return path.name, 0
    work, schema = (scanned, PAPERS) if papers else (identified, SCHEMA)
    table = pa.Table.from_pylist(list(work(rows)), schema=schema)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    pq.write_table(table, unfinished)
    os.replace(unfinished, path)
    return path.name, len(rows)


def run(source: Path, target: Path, client: Any, *, papers: bool = False) -> Iterator[tuple[str, int]]:
    """Runs all tasks on a Dask cluster and yields what each returned, in the order in which they end."""
    from distributed import as_completed

    target.mkdir(parents=True, exist_ok=True)
    count = pq.ParquetFile(source).num_row_groups
    tasks = [client.submit(identify_part, str(source), str(target), n, papers, pure=False) for n in range(count)]
    names = set()
    for _, (name, new) in as_completed(tasks, with_results=True):
        names.add(name)
        yield name, new
    for path in target.glob("*part-*.parquet*"):
        if path.name not in names:
            path.unlink()


def read(target: Path) -> list[dict[str, Any]]:
    """All answers, in the order of the input."""
    parts = sorted(target.glob("part-*.parquet"))
    rows: list[dict[str, Any]] = [row for part in parts for row in pq.read_table(part).to_pylist()]
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description="Identifies every text of a Parquet file on a cluster.")
    commands = parser.add_subparsers(dest="command", required=True)
    first = commands.add_parser("collect", help="a folder of sources becomes a Parquet file")
    first.add_argument("folder", type=Path)
    first.add_argument("target", type=Path)
    second = commands.add_parser("run", help="identify every text")
    second.add_argument("source", type=Path)
    second.add_argument("target", type=Path)
    second.add_argument("--scheduler", help="the address of a Dask scheduler; without it a cluster on this machine")
    second.add_argument("--workers", type=int, help="processes of the cluster on this machine")
    second.add_argument("--papers", action="store_true", help="the texts are LaTeX papers, of which each algorithm is identified")
    arguments = parser.parse_args()
    if arguments.command == "collect":
        print(f"{collect(arguments.folder, arguments.target)} texts")
        return
    from distributed import Client, LocalCluster

    where = arguments.scheduler or LocalCluster(n_workers=arguments.workers, threads_per_worker=1, dashboard_address=None)
    with Client(where) as client:
        for name, new in run(arguments.source.resolve(), arguments.target.resolve(), client, papers=arguments.papers):
            print(f"{name}: {f'{new} texts' if new else 'done before'}", flush=True)


if __name__ == "__main__":
    main()
