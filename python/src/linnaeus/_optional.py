"""Packages that need not be installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

#: Packages and the extra of Linnaeus that brings them.
_EXTRAS = {"sympy": "sympy", "numpy": "numpy", "control": "control", "PEPit": "pepit"}


def needed(package: str) -> Any:
    """The package, or what to install."""
    try:
        return import_module(package)
    except ImportError as error:
        hint = f'this needs {package}, which is not installed: pip install "linnaeus[{_EXTRAS[package]}]", or {package} by itself'
        raise ImportError(hint, name=package) from error
