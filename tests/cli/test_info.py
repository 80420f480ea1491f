from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import COUNTING, run, run_json, write


def test_json_has_the_promised_shape(tmp_path: Path) -> None:
    found = run_json("info", write(tmp_path, COUNTING))
    digest = found.pop("digest")
    assert len(digest) == 16
    assert found == {
        "name": "counting",
        "title": "Counting",
        "base": None,
        "players": [2, 3],
        "teams": None,
        "result": ["most points"],
        "payoff": None,
        "modes": [{"name": "long", "title": "Five rounds instead of two", "on": False}],
        "readings": [
            {
                "name": "begin",
                "question": "Where does counting begin?",
                "answers": [
                    {"name": "zero", "text": "at nothing", "default": True},
                    {"name": "one", "text": "at one", "default": False},
                ],
            }
        ],
        "parameters": [{"name": "pace", "title": "Points for a turn", "low": 1, "high": 5, "default": 2}],
        "components": [{"card": "Chip", "fewest": 3, "most": 3}],
        "actions": ["count_up", "wait"],
        "abilities": [],
        "triggers": [],
        "stages": ["game"],
        "scenarios": 0,
        "citations": 0,
        "source": None,
    }


def test_a_variant_shows_its_own_defaults(tmp_path: Path) -> None:
    write(tmp_path, COUNTING)
    variant = 'variant brisk "Brisk" of counting:\n    set long to true\n    set begin to one\n    set pace to 5\n'
    found = run_json("info", write(tmp_path, variant))
    assert (found["name"], found["base"]) == ("brisk", "counting")
    assert found["modes"][0]["on"] is True
    assert [answer["default"] for answer in found["readings"][0]["answers"]] == [False, True]
    assert found["parameters"][0]["default"] == 5


def test_components_that_grow_with_the_players_are_a_range(tmp_path: Path) -> None:
    grown = COUNTING.replace("3 x (worth: 1)", "2 x (worth: 1) for p in players").replace("    total 3\n", "")
    assert run_json("info", write(tmp_path, grown))["components"] == [{"card": "Chip", "fewest": 4, "most": 6}]


def test_sentences_of_the_source_are_counted(tmp_path: Path) -> None:
    index = 'source talk "Talk"\n\nTK-01 rule: count.\nTK-02 rule: or wait.\nTK-03 flavour: it is fun.\n'
    (tmp_path / "talk.source").write_text(index, encoding="utf-8")
    cited = COUNTING.replace("    players 2..3\n", "    source talk\n    players 2..3\n")
    cited = cited.replace("action wait", "> Wait. [TK-02] [TK-02]\naction wait").replace(
        "action count_up", "> [TK-01] Count.\naction count_up"
    )
    found = run_json("info", write(tmp_path, cited))
    assert found["source"] == {"name": "talk", "title": "Talk", "sentences": 3, "cited": 2}
    assert found["citations"] == 3


def test_for_people(tmp_path: Path) -> None:
    text = run("info", write(tmp_path, COUNTING)).output
    assert text.splitlines()[0] == "Counting (counting)"
    assert "players     2 to 3\n" in text
    assert "    * zero: at nothing\n      one: at one\n" in text
    assert "  pace: Points for a turn (1 to 5, default 2)\n" in text


def test_a_directory_with_the_name_of_a_rulebook_does_not_hide_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "counting").mkdir()
    result = run("info", "counting")
    assert (result.exit_code, result.stderr) == (2, "error: `counting` is a directory: name one rulebook\n")
    write(tmp_path, COUNTING)
    assert run_json("info", "counting")["name"] == "counting"
