"""The package says what the command says, word by word, but for what the two call what may be asked for."""

from __future__ import annotations

import json
from typing import Any

from conftest import CORPUS, Command, corpus

import linnaeus
from linnaeus import _native

TEXTS = {**corpus("golden.txt"), **corpus("zoo.txt"), **corpus("varying.txt"), **corpus("mistakes.txt")}
ZOO = corpus("zoo.txt")


def pairs() -> list[tuple[str, str]]:
    lines = (CORPUS / "relations.txt").read_text(encoding="utf-8").splitlines()
    told = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    return [(first, second) for first, second, *_ in told if first in ZOO and second in ZOO]


def worded(report: Any) -> Any:
    """A report without advice that names an option of the command, or a keyword of Python."""
    if isinstance(report, list):
        return [worded(part) for part in report]
    if not isinstance(report, dict):
        return report
    help = str(report.get("help", ""))
    return {key: worded(part) for key, part in report.items() if key != "help" or not ("--" in help or "=True" in help)}


def same(native: str, report: dict[str, Any]) -> None:
    assert worded(json.loads(native)) == worded(report)
    assert "`--" not in json.dumps(report)


def test_corpus(command: Command) -> None:
    assert len(TEXTS) > 300
    for text in TEXTS.values():
        same(command("show", "--json", "-", text=text), json.loads(_native.Reading(text).show()))


def test_cards(command: Command) -> None:
    for slug, card in linnaeus.zoo.items():
        native = json.loads(command("zoo", "show", "--json", slug))
        assert native == card._report
        assert worded(native["show"]) == worded(card.algorithm._report)


def test_mistakes() -> None:
    for label, text in corpus("mistakes.txt").items():
        try:
            linnaeus.parse(text)
        except linnaeus.ReadError as error:
            assert any(d.severity == "error" for d in error.diagnostics), label
        else:
            raise AssertionError(f"{label} was read")


def test_comparisons(command: Command) -> None:
    chosen = pairs()[::6]
    assert len(chosen) > 15
    for first, second in chosen:
        verdict = linnaeus.compare(ZOO[first], ZOO[second])
        same(command("compare", "--json", "-e", ZOO[first], "-e", ZOO[second]), verdict._told)


def test_identifications(command: Command) -> None:
    for slug in list(linnaeus.zoo)[::24]:
        card = linnaeus.zoo[slug]
        native = json.loads(command("identify", "--json", "-", text=card.equations))
        found = linnaeus.identify(card)
        assert [match._report for match in found] == native["matches"]
        assert card.id in [match.id for match in found]
        assert worded(native["input"]) == worded(card.algorithm._report)
