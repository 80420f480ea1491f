from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import COUNTING, STUCK, TOGETHER, run, run_json, write

KEYS = [
    "rulebook", "digest", "players", "modes", "readings", "parameters", "seed", "max_decisions", "bots", "playouts",
    "games", "ended", "cut_short", "decisions", "seconds", "decisions_per_second", "faults", "wins", "ties", "lengths",
    "scores", "payoff", "together", "repeat",
]  # fmt: skip


def test_json_has_the_promised_shape(tmp_path: Path) -> None:
    options = ["--players", "3", "--mode", "long", "--reading", "begin=one", "--set", "pace=4"]
    found = run_json("simulate", write(tmp_path, COUNTING), "--games", "10", "--seed", "5", *options)
    assert list(found) == KEYS
    assert (found["rulebook"], found["players"], found["seed"]) == ("counting", 3, 5)
    assert (found["games"], found["ended"]) == (10, 10)
    assert (found["modes"], found["readings"], found["parameters"]) == (["long"], {"begin": "one"}, {"pace": 4})
    # Five rounds of three players, and every score is 1 and four for each time that the player counted.
    assert found["decisions"] == 10 * 15
    assert (found["lengths"]["min"], found["lengths"]["max"], found["lengths"]["standard_deviation"]) == (15, 15, 0)
    assert found["payoff"] is None
    (scores,) = found["scores"]
    assert scores["key"] == "most points"
    assert (scores["all"]["min"] - 1) % 4 == 0
    assert scores["all"]["count"] == 30
    assert [scores["seats"][seat]["count"] for seat in "ABC"] == [10, 10, 10]


def test_payoffs_are_told_beside_scores_or_instead_of_them(tmp_path: Path) -> None:
    # What is paid is nine less than what is scored.
    beside = COUNTING.replace("    result most points\n", "    result most points\n    payoff points - 9\n")
    found = run_json("simulate", write(tmp_path, beside), "--players", "3", "--games", "10", "--seed", "5")
    (scores,) = found["scores"]
    paid = found["payoff"]
    assert paid["all"]["count"] == 30
    assert paid["all"]["mean"] == pytest.approx(scores["all"]["mean"] - 9)
    for seat in "ABC":
        assert paid["seats"][seat]["max"] == scores["seats"][seat]["max"] - 9

    instead = COUNTING.replace("    result most points\n", "    payoff points - 9\n")
    alone = run_json("simulate", write(tmp_path, instead), "--players", "3", "--games", "10", "--seed", "5")
    assert alone["scores"] == []
    assert alone["payoff"] == paid
    assert (alone["wins"], alone["ties"]) == (found["wins"], found["ties"])
    told = run("simulate", write(tmp_path, instead), "--players", "3", "--games", "10", "--seed", "5")
    assert "\npayoff: " in told.stdout
    assert "score (" not in told.stdout


def test_the_same_seed_gives_the_same_games_and_another_others(tmp_path: Path) -> None:
    path = write(tmp_path, COUNTING)
    once, again, other = (run_json("simulate", path, "--games", "50", "--seed", seed) for seed in ("1", "1", "2"))
    for found in (once, again, other):
        for key in ("seconds", "decisions_per_second"):
            del found[key]
    assert once == again
    assert once["scores"] != other["scores"]


def test_every_game_has_one_winner_or_a_tie(tmp_path: Path) -> None:
    found = run_json("simulate", write(tmp_path, COUNTING), "--games", "100", "--seed", "1")
    # Two players: a tie is counted for both.
    assert found["ties"]["A"] == found["ties"]["B"] > 0
    assert found["wins"]["A"] + found["wins"]["B"] + found["ties"]["A"] == 100


def test_one_game_of_many_can_be_had_again(tmp_path: Path) -> None:
    path = write(tmp_path, COUNTING)
    whole = run_json("simulate", path, "--games", "6", "--seed", "9")
    apart = [run_json("simulate", path, "--games", "1", "--first", str(k), "--seed", "9") for k in range(6)]
    assert sum(one["wins"]["A"] for one in apart) == whole["wins"]["A"]
    assert sum(one["scores"][0]["seats"]["B"]["mean"] for one in apart) / 6 == pytest.approx(
        whole["scores"][0]["seats"]["B"]["mean"]
    )


def test_a_fault_is_counted_and_its_record_replays(tmp_path: Path) -> None:
    path = write(tmp_path, STUCK)
    found = run_json("simulate", path, "--games", "5", "--seed", "1", code=1)
    assert (found["games"], found["ended"], found["faults"]["count"]) == (5, 0, 5)
    (kind,) = found["faults"]["kinds"]
    assert (kind["code"], kind["count"], kind["game"], kind["place"]) == ("EGO701", 5, 0, f"{path}:9:26")
    assert kind["record"]["events"] == [["A", "take"], ["B", "take"], ["A", "take"], ["B", "take"]]
    assert found["decisions"] == 20
    record = tmp_path / "fault.record"
    record.write_text(json.dumps(kind["record"]), encoding="utf-8")
    replayed = run("replay", str(record))
    assert replayed.exit_code == 1
    assert "error[EGO701]" in replayed.stderr


def test_records_are_written_where_asked(tmp_path: Path) -> None:
    path = write(tmp_path, STUCK)
    run("simulate", path, "--games", "5", "--seed", "1", "--records", str(tmp_path / "records"))
    (record,) = (tmp_path / "records").iterdir()
    assert record.name == "stuck-EGO701-game0.record"
    assert run("replay", str(record), "--rulebook", path).stdout.splitlines()[:4] == [
        "1  A: take",
        "2  B: take",
        "3  A: take",
        "4  B: take",
    ]


def test_long_games_are_cut_short(tmp_path: Path) -> None:
    found = run_json("simulate", write(tmp_path, COUNTING), "--games", "4", "--seed", "1", "--max-decisions", "3")
    assert (found["cut_short"], found["ended"], found["decisions"]) == (4, 0, 12)
    assert found["lengths"] is None
    assert "--max-decisions 3" in found["repeat"]


def test_decisions_at_once_are_played(tmp_path: Path) -> None:
    found = run_json("simulate", write(tmp_path, TOGETHER), "--games", "40", "--seed", "1")
    assert (found["ended"], found["decisions"]) == (40, 80)
    assert found["wins"]["A"] > 0
    assert found["wins"]["B"] > 0


def test_for_people_it_says_what_came_out_and_how_to_repeat_it(tmp_path: Path) -> None:
    path = write(tmp_path, COUNTING)
    lines = run("simulate", path, "--games", "3", "--seed", "8", "--set", "pace=1").output.splitlines()
    assert lines[0] == "Counting, 2 players, seed 8"
    assert lines[1] == "3 games: 3 ended, 0 cut short, 0 with a fault"
    assert lines[3] == "length of a game: 4 to 4, quartiles 4 4 4, mean 4.00, deviation 0.00"
    assert lines[-1] == f"again: egodsl simulate {path} --set pace=1 --games 3 --seed 8"


def test_a_seed_is_drawn_and_told(tmp_path: Path) -> None:
    path = write(tmp_path, COUNTING)
    first = run_json("simulate", path, "--games", "20")
    again = run_json(*first["repeat"].split()[1:])
    assert again["scores"] == first["scores"]
    assert again["seed"] == first["seed"]


def test_search_plays_the_seats_that_it_is_given(tmp_path: Path) -> None:
    path = write(tmp_path, COUNTING)
    options = ["--games", "20", "--seed", "1", "--bot", "b=search", "--playouts", "40"]
    found = run_json("simulate", path, *options)
    assert (found["bots"], found["playouts"]) == ({"A": "random", "B": "search"}, 40)
    assert found["repeat"].endswith("--games 20 --seed 1 --bot b=search --playouts 40")
    # To count up is best at each of B's two turns, unless B cannot win any more or has won; A counts half of the time.
    by_seat = found["scores"][0]["seats"]
    assert by_seat["B"]["mean"] > 3
    assert 1 < by_seat["A"]["mean"] < 3
    assert found["wins"]["A"] == 0
    told = run("simulate", path, *options).stdout
    assert "played A by random, B by search; 40 playouts for each decision of search\n" in told


def test_search_is_the_same_for_a_seed_and_any_game_can_be_had_again(tmp_path: Path) -> None:
    path = write(tmp_path, TOGETHER)
    options = ["--seed", "9", "--bots", "search", "--bot", "B=random", "--playouts", "6"]
    once, again = (run_json("simulate", path, "--games", "12", *options) for _ in range(2))
    for found in (once, again):
        del found["seconds"], found["decisions_per_second"]
    assert once == again
    assert once["bots"] == {"A": "search", "B": "random"}
    apart = [run_json("simulate", path, "--games", "1", "--first", str(k), *options) for k in range(12)]
    assert [sum(one["wins"][seat] for one in apart) for seat in "AB"] == [once["wins"][seat] for seat in "AB"]


def test_a_fault_among_players_that_search_is_counted(tmp_path: Path) -> None:
    found = run_json("simulate", write(tmp_path, STUCK), "--games", "3", "--seed", "1", "--bots", "search", code=1)
    assert (found["games"], found["faults"]["count"], found["decisions"]) == (3, 3, 12)
