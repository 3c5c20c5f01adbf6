"""Many threads at once give the answers of one, and the engine leaves Python free to go on."""

from __future__ import annotations

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from conftest import ADMM, DOUGLAS_RACHFORD, FISTA, GRADIENT, TWO_OPERATORS

import linnaeus

TEXTS = [DOUGLAS_RACHFORD, ADMM, FISTA, TWO_OPERATORS]


def answers(text: str) -> tuple[object, ...]:
    alg = linnaeus.parse(text)
    return (
        alg.transfer,
        alg.realization(),
        linnaeus.compare(alg, DOUGLAS_RACHFORD)._told,
        linnaeus.zoo["extra"].related,
        alg.show(),
        alg.diagram(),
    )


def test_many_threads() -> None:
    alone = [answers(text) for text in TEXTS]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(answers, TEXTS * 2))
    assert together == alone * 2


def test_identifications() -> None:
    texts = [TWO_OPERATORS, "x[k+1] = P_C(x[k])", "x[k+1] = J_{t A}(J_{t B}(x[k]))"]
    alone = [[match._report for match in linnaeus.identify(text)] for text in texts]
    assert all(alone[1:])
    with ThreadPoolExecutor(4) as pool:
        together = [[match._report for match in found] for found in pool.map(linnaeus.identify, texts * 2)]
    assert together == alone * 2


def test_one_algorithm_in_many_threads() -> None:
    """Values are computed when they are first asked for, whoever asks."""
    for _ in range(5):
        alg, zoo = linnaeus.parse(DOUGLAS_RACHFORD), linnaeus.Zoo()
        barrier = threading.Barrier(6)

        def ask(_: int, alg: linnaeus.Algorithm = alg, zoo: linnaeus.Zoo = zoo, barrier: threading.Barrier = barrier) -> object:
            barrier.wait()
            return alg.transfer, alg.forms(own_oracles=True), len(zoo), zoo["extra"].transfer

        with ThreadPoolExecutor(6) as pool:
            found = list(pool.map(ask, range(6)))
        assert all(one == found[0] for one in found)


def test_the_engine_lets_others_run() -> None:
    """While one thread identifies, another one counts; with the lock held it would not."""
    linnaeus.identify(GRADIENT)
    count, done = 0, threading.Event()

    def work() -> None:
        linnaeus.identify(DOUGLAS_RACHFORD)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        count += 1
        time.sleep(0.001)
    thread.join()
    assert count > 5


def test_deep_nesting_in_a_thread() -> None:
    """A thread has less of a stack than the program."""
    nested = "x[k+1] = " + "(" * 60 + "x[k]" + ")" * 60 + " - grad f(x[k])"
    hopeless = "x[k+1] = " + "-(" * 40000 + "x[k]"
    small = threading.stack_size()
    threading.stack_size(1 << 20)
    try:
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(linnaeus.parse, nested).result().explicit
            assert isinstance(pool.submit(linnaeus.parse, hopeless).exception(), linnaeus.ReadError)
    finally:
        threading.stack_size(small)
    assert sys.getrecursionlimit() < 10**6
