"""What a call through Python costs over a native one: the same calls, the same texts, in one run.

    python overhead.py PATH-OF-THE-EXAMPLE-latency
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import linnaeus
from linnaeus import _native
from linnaeus._identify import _matches

TEXTS = [linnaeus.zoo[slug].equations.strip() for slug in ("gradient_descent", "douglas_rachford", "extragradient")]
#: The quickest of so many runs counts.
RUNS = 15


def quickest(call: Callable[[], Any]) -> float:
    call()
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def added() -> list[list[float]]:
    """Seconds that Python adds to reading, comparing and identifying each text.

    What the engine found is made into values of Python; the engine itself takes as long as it does natively, and much
    longer than this, so that it is left out of what is measured.
    """
    first = linnaeus.parse(TEXTS[0])
    rows = []
    for text in TEXTS:
        algorithm = linnaeus.parse(text)
        reading = _native.Reading(text)
        comparison = _native.Comparison(reading, first._native)
        found = linnaeus.zoo._native.identify(reading)
        report = comparison.report()
        native = quickest(lambda: (_native.Reading(text), reading.show()))
        rows.append(
            [
                max(quickest(lambda: linnaeus.parse(text).minimal_order) - native, 0.0),
                quickest(lambda: bool(linnaeus.Verdict(algorithm, first, None, json.loads(report)))),
                quickest(lambda: len(_matches(algorithm, linnaeus.zoo, found))),
            ]
        )
    return rows


def natively(example: str) -> list[list[float]]:
    """Seconds that the same calls take natively."""
    done = subprocess.run([example], input="\n--\n".join(TEXTS), capture_output=True, text=True, check=True)
    return [[float(word) for word in line.split()] for line in done.stdout.splitlines()]


def main(example: str) -> float:
    """Prints a table and returns the largest overhead in seconds."""
    native, python = natively(example), added()
    for text, ours, more in zip(TEXTS, native, python, strict=True):
        print(text.splitlines()[0])
        for call, a, b in zip(("parse", "compare", "identify"), ours, more, strict=True):
            print(f"  {call:9} native {a * 1e3:9.3f} ms   Python adds {b * 1e3:6.3f} ms   ratio {(a + b) / a:5.2f}")
    worst = max(max(row) for row in python)
    print(f"largest overhead {worst * 1e3:.3f} ms")
    return worst


if __name__ == "__main__":
    main(sys.argv[1])
