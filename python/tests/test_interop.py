"""SymPy, NumPy, python-control, PEPit, pandas and polars."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import ADMM, DOUGLAS_RACHFORD, FISTA, GRADIENT, TWO_OPERATORS

import linnaeus
from linnaeus import NoClosedForm, ReadError, TransferMatrix, parse


def test_sympy_round_trip() -> None:
    sympy = pytest.importorskip("sympy")
    z, t, rho = sympy.symbols("z t rho")
    h = parse(DOUGLAS_RACHFORD).to_sympy()
    assert h == sympy.Matrix([[-1 / (z - 1), 1 / (z - 1)], [(2 * z - 1) / (z - 1), -1 / (z - 1)]])
    again = TransferMatrix.from_sympy(h.applyfunc(sympy.apart), ["prox_{t f}", "prox_{t g}"])
    assert again == parse(DOUGLAS_RACHFORD).transfer
    for slug in ("triple_momentum", "extragradient", "davis_yin", "qhm", "popov"):
        if slug in linnaeus.zoo:
            one = linnaeus.zoo[slug].transfer
            made = TransferMatrix.from_sympy(one.to_sympy().applyfunc(sympy.expand), one.oracles)
            assert made.to_sympy() == one.to_sympy() or (made.to_sympy() - one.to_sympy()).applyfunc(sympy.cancel).is_zero_matrix
    latin = parse("x[k+1] = x[k] - lambda*grad f(x[k])")
    assert latin.to_sympy()[0, 0] == -sympy.Symbol("lamda") / (z - 1)
    assert TransferMatrix.from_sympy(latin.to_sympy(), "grad f") == latin.transfer
    assert TransferMatrix.from_sympy([[sympy.Float(0.1) / (z - 1)]], "grad f")[0, 0] == "1/(10*(z - 1))"
    with pytest.raises(ReadError):
        TransferMatrix.from_sympy(sympy.Matrix([[z]]), "grad f")
    with pytest.raises(ReadError):
        TransferMatrix.from_sympy(h, "grad f")
    assert parse(GRADIENT).substitute(t=sympy.Rational(1, 3)).transfer[0, 0] == "-1/(3*(z - 1))"
    assert parse(GRADIENT).substitute(t=2 / rho).parameters == ("rho",)
    assert parse(GRADIENT).substitute(t=sympy.Float(0.1)).transfer[0, 0] == "-1/(10*(z - 1))"
    assert t != rho


def test_sympy_names() -> None:
    """Names that mean something to SymPy or Python are plain symbols."""
    sympy = pytest.importorskip("sympy")
    alg = parse("param S, N, E, Q; x[k+1] = S*x[k] + N*x[k-1] - E*Q*grad f(beta*x[k] + gamma*x[k-1])")
    assert {str(s) for s in alg.to_sympy().free_symbols} == {"S", "N", "E", "Q", "beta", "gamma", "z"}
    assert all(isinstance(s, sympy.Symbol) for s in alg.to_sympy().free_symbols)
    iterate_z = parse("z[k+1] = z[k] - t*grad f(z[k])")
    assert iterate_z.to_sympy() == parse(GRADIENT).to_sympy()


def test_sympy_operators() -> None:
    sympy = pytest.importorskip("sympy")
    cp = linnaeus.zoo["chambolle_pock"].algorithm
    assert cp.to_sympy(commuting=True).free_symbols >= {sympy.Symbol("A")}
    apart = cp.to_sympy()
    assert sympy.Symbol("A", commutative=False) in apart.free_symbols and apart.has(sympy.adjoint)
    with pytest.raises(NoClosedForm):
        parse(FISTA).to_sympy()
    a, b, c, d = parse(TWO_OPERATORS).realization().to_sympy()
    assert a.shape[0] == b.shape[0] and c.shape[1] == a.shape[1] and d.shape == (3, 3)
    markov = parse(TWO_OPERATORS).transfer.markov_to_sympy()
    assert markov[0] == d and (markov[1] - c * b).applyfunc(sympy.expand).is_zero_matrix
    assert (markov[2] - c * a * b).applyfunc(sympy.expand).is_zero_matrix


def test_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    admm = parse(ADMM)
    for state in ("as-written", "minimal", "controllable", "observable"):
        a, b, c, d = admm.realization(state).to_numpy(rho=2)
        z = 1.7
        h = c @ numpy.linalg.solve(z * numpy.eye(len(a)) - a, b) + d
        assert numpy.allclose(h, numpy.array(admm.transfer.evaluate(z), dtype=float))
    with pytest.raises(ValueError, match="numbers are needed for beta"):
        linnaeus.zoo["heavy_ball"].algorithm.realization().to_numpy(alpha=1)
    with pytest.raises(ValueError, match="no parameter `gamma`"):
        linnaeus.zoo["heavy_ball"].algorithm.realization().to_numpy(alpha=1, beta=2, gamma=3)
    no_state = parse("x[k+1] = prox_f(0*x[k])")
    assert [m.shape for m in no_state.minimal().to_numpy()] == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_control() -> None:
    control = pytest.importorskip("control")
    numpy = pytest.importorskip("numpy")
    nesterov = linnaeus.zoo["nesterov"].algorithm
    values: dict[str, Any] = {"alpha": 0.1, "beta": 0.5}
    space = nesterov.to_control(**values)
    assert isinstance(space, control.StateSpace) and space.isdtime(strict=True)
    fraction = nesterov.transfer.to_control(**values)
    assert isinstance(fraction, control.TransferFunction)
    for z in (2.0, 1.5 + 0.5j, -0.3j):
        exact = complex(nesterov.transfer.evaluate(z, **values)[0][0])
        assert numpy.isclose(space(z), exact) and numpy.isclose(fraction(z), exact)
    dr = parse(DOUGLAS_RACHFORD)
    matrix, both = dr.transfer.to_control(), dr.to_control("minimal")
    assert (matrix.ninputs, matrix.noutputs, both.nstates) == (2, 2, 1)
    assert numpy.allclose(matrix(3.0), both(3.0))
    cp = linnaeus.zoo["chambolle_pock"].algorithm
    numbers: dict[str, Any] = {name: 0.5 for name in cp.parameters}
    assert cp.to_control(A=2, **numbers).ninputs == 2


def test_pepit(tmp_path: Path) -> None:
    pytest.importorskip("PEPit")
    script = tmp_path / "gradient.py"
    script.write_text(parse(GRADIENT).to_pepit(), encoding="utf-8")
    compile(script.read_text(encoding="utf-8"), str(script), "exec")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr


def test_data_frames() -> None:
    texts = [GRADIENT, ADMM, "x[k+1] ="]
    records = list(linnaeus.identify_many(texts))
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(linnaeus.identify_many(pandas.Series(texts)))
    assert frame["slug"].tolist()[:2] == [r["slug"] for r in records[:2]] and frame["status"].tolist()[2] == "unread"
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(records)["status"].to_list() == ["known", "known", "unread"]


def test_optional_dependencies_stay_optional() -> None:
    """Without any of them the package is imported and answers."""
    program = """
import sys
for name in ("sympy", "numpy", "control", "PEPit", "pandas", "polars", "tqdm", "dask", "pyarrow"):
    sys.modules[name] = None
import linnaeus
alg = linnaeus.parse("x[k+1] = x[k] - t*grad f(x[k])")
assert alg.transfer.evaluate(2, t=1) == [[-1]]
assert linnaeus.identify(alg)[0].slug == "gradient_descent"
assert [r["status"] for r in linnaeus.identify_many([alg], progress=True)] == ["known"]
assert alg.minimal()._repr_latex_() and alg._repr_html_()
try:
    alg.to_sympy()
except ImportError as error:
    assert "sympy" in str(error)
else:
    raise AssertionError
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_is_no_transfer_matrix_is_refused() -> None:
    sympy = pytest.importorskip("sympy")
    z = sympy.Symbol("z")
    for entry in (sympy.I / z, sympy.exp(-z) / z, 1 / sympy.sqrt(z), sympy.oo, sympy.nan, sympy.Symbol("a b") / z):
        with pytest.raises((TypeError, ValueError)):
            linnaeus.TransferMatrix.from_sympy(sympy.Matrix([[entry]]), ["grad f"])
    golden = linnaeus.TransferMatrix.from_sympy(sympy.Matrix([[sympy.GoldenRatio / z]]), ["grad f"])
    assert golden.entries == (("(sqrt(5) + 1)/(2*z)",),)


def test_symbols_are_not_the_identity() -> None:
    sympy = pytest.importorskip("sympy")
    z = sympy.Symbol("z")
    with pytest.raises(TypeError, match="I is the identity"):
        linnaeus.TransferMatrix.from_sympy(sympy.Matrix([[sympy.Symbol("I") / (z - 1)]]), ["grad f"])
    one = linnaeus.TransferMatrix.from_sympy(-1 / (z - 1), ["grad f"])
    assert one.entries == (("-1/(z - 1)",),)


def test_transfer_matrices_are_algorithms() -> None:
    h = parse(GRADIENT).transfer
    assert linnaeus.identify(h)[0].slug == "gradient_descent" and linnaeus.compare(h, GRADIENT)
    open_form = parse("x[k+1] = x[k] - t[k]*grad f(x[k])").transfer
    assert [r["status"] for r in linnaeus.identify_many([h, open_form])] == ["known", "unread"]


def test_small_floats_are_what_they_print() -> None:
    numpy = pytest.importorskip("numpy")
    for value in (numpy.float32(0.1), numpy.float64(0.1), numpy.array(0.1), numpy.float16(0.1)):
        assert parse(GRADIENT).substitute(t=value) == parse(GRADIENT).substitute(t="1/10")


def test_mappings_stand_for_their_pairs() -> None:
    (record,) = linnaeus.identify_many({"a": GRADIENT})
    assert (record["key"], record["slug"]) == ("a", "gradient_descent")


def test_records_come_before_the_failure() -> None:
    def texts() -> Iterator[str]:
        yield GRADIENT
        yield ADMM
        raise OSError("gone")

    found = []
    with pytest.raises(OSError, match="gone"):
        for record in linnaeus.identify_many(texts(), workers=2):
            found.append(record["status"])
    assert found == ["known", "known"]


def test_one_text_is_not_many() -> None:
    with pytest.raises(TypeError):
        linnaeus.identify_many("x[k+1] = x[k] - t*grad f(x[k])")
    broken, good = linnaeus.identify_many(["x[k+1] = \ud800", "x[k+1] = x[k] - t*grad f(x[k])"])
    assert (broken["status"], good["status"]) == ("unread", "known")
