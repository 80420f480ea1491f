"""`egodsl cite`: which sentences a rulebook covers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from egodsl.cli.app import verbs
from egodsl.provenance import fingerprint

RULES = """> Collect shells. [S-1]
rulebook shells "Shells":
    source shells
    players 2
    result most score

var score[player]: 0..9 = 0

> Each turn you take one. [S-2] {extra}
stage game:
    turns from players[1]:
        score += 1
        if score = 3: end game
"""
INDEX = """source shells "Shells"

S-1 rule [{one}]: The more shells, the better.
S-2 rule [{two}]: A turn brings a shell.
S-3 rule same as S-2
S-4 {kind}: Nobody minds a tie.
"""


def shells(folder: Path, *, kind: str = "flavour", extra: str = "") -> Path:
    (folder / "shells.rules").write_text(RULES.format(extra=extra), encoding="utf-8")
    one, two = fingerprint("Collect shells."), fingerprint("Each turn you take one.")
    (folder / "shells.source").write_text(INDEX.format(one=one, two=two, kind=kind), encoding="utf-8")
    return folder / "shells.rules"


def cite(*arguments: object) -> Result:
    return CliRunner().invoke(verbs, ["cite", *map(str, arguments)])


def test_a_rulebook_that_covers_its_source(tmp_path: Path) -> None:
    done = cite(shells(tmp_path))
    assert done.exit_code == 0
    assert "every rule sentence is cited" in done.output
    assert "S-3        rule       game" in done.output


def test_a_rule_that_nothing_cites(tmp_path: Path) -> None:
    done = cite(shells(tmp_path, kind="rule"), "--json")
    assert done.exit_code == 1
    told = json.loads(done.output)
    assert (told["uncited"], told["cited"], told["unknown"]) == (["S-4"], ["S-1", "S-2", "S-3"], [])


def test_a_citation_of_nothing(tmp_path: Path) -> None:
    done = cite(shells(tmp_path, extra="[S-9]"), "--json")
    assert done.exit_code == 1
    assert json.loads(done.output)["unknown"] == ["S-9"]


def test_against_the_document(tmp_path: Path) -> None:
    rules = shells(tmp_path)
    document = tmp_path / "document.txt"
    document.write_text("Collect shells.\nEach turn you take one.\n", encoding="utf-8")
    assert cite(rules, "--document", document).exit_code == 0
    document.write_text("Collect shells.\nEach turn you take two.\nNobody looks back.\n", encoding="utf-8")
    done = cite(rules, "--document", document, "--json")
    assert done.exit_code == 1
    told = json.loads(done.output)
    assert told["changed"] == [{"id": "S-2", "line": 2, "text": "Each turn you take two."}]
    assert told["missing"] == {"in_document": [], "in_index": [{"line": 3, "text": "Nobody looks back."}]}


def test_a_draft(tmp_path: Path) -> None:
    document = tmp_path / "My rules.txt"
    document.write_text("Collect shells.\n", encoding="utf-8")
    done = cite("--new", document)
    assert done.exit_code == 0
    assert 'source my_rules "My rules"' in done.output
    assert f"MR-01 rule [{fingerprint('Collect shells.')}]: Collect shells." in done.output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "say which rulebook"),
        (["--new", "none.txt"], "there is no file `none.txt`"),
        (["egonomy", "--new", "x"], "stands alone"),
        (["no_such_game"], "no_such_game"),
        (["egonomy", "--document", "none.txt"], "there is no file `none.txt`"),
    ],
)
def test_misuse(arguments: list[str], says: str) -> None:
    done = cite(*arguments)
    assert done.exit_code == 2
    assert says in done.output


def test_another_document_altogether(tmp_path: Path) -> None:
    document = tmp_path / "other.txt"
    document.write_text("A poem about the sea.\n", encoding="utf-8")
    done = cite(shells(tmp_path), "--document", document)
    assert done.exit_code == 2
    assert "no sentence in common" in done.output
