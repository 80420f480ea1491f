"""Coverage as words, as lines, for programs, and as a page."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from egodsl.engine.game import load
from egodsl.reports.coverage import lines_of, share_of, to_json
from egodsl.reports.coverage_html import html
from egodsl.reports.coverage_terminal import percent, report
from egodsl.verify.coverage import Coverage, cover
from tests.helpers import write_rules

if TYPE_CHECKING:
    from pathlib import Path

RULES = """\
rulebook chores "Chores & <more>":
    source chores
    players 2
    result most points

reading finish "When is it over?":
    soon "soon" default
    late "late"

var points[player]: 0..9 = 0

stage game:
    as players[1]:
        choose one of sweep, wash
        may "again": points += 1
    if points[players[1]] > 3: end game
    otherwise if points[players[1]] = 1:
        points[players[2]] := 2

> [CH-1]
action sweep: points += 1

> [CH-2]
action wash:
    points += 2

scenario "sweeping":
    A plays sweep
    A chooses "no"
    expect points[A] = 1
"""

SOURCE = 'source chores "Chores"\n\nCH-1 rule: One may sweep.\nCH-2 rule: One may wash.\n'


@pytest.fixture
def coverage(tmp_path: Path) -> Coverage:
    (tmp_path / "chores.source").write_text(SOURCE, encoding="utf-8")
    return cover([load(write_rules(tmp_path, RULES, "chores"))], seed=3, games=0)


def test_lines(coverage: Coverage) -> None:
    lines = {line.number: line for line in lines_of(coverage.files[0])}
    assert len(lines) == RULES.count("\n") + 1
    marks = {number: line.mark for number, line in lines.items() if line.mark != "not code"}
    assert marks == {
        7: "reached",  # the answer `soon`
        8: "not reached",
        12: "reached",
        13: "reached",
        14: "partly",  # `wash` is never chosen
        15: "partly",  # `again` is declined, not accepted
        16: "partly",  # never above 3
        17: "partly",  # always 1
        18: "reached",
        21: "reached",
        24: "not reached",
        25: "not reached",
    }
    assert [lines[number].count for number in (1, 12, 15, 17, 18, 24)] == [None, 1, 1, 1, 1, 0]
    assert lines[14].notes == ("option `wash` is never chosen",)
    assert lines[15].notes == ('`may "again": points += 1` is never accepted',)
    assert lines[16].notes == ("`points[players[1]] > 3` is never true",)
    assert lines[17].notes == ("`points[players[1]] = 1` is never false",)
    assert lines[24].notes == ("action `wash` is never played",)
    # What follows from a place that is not reached is marked, and not told again.
    assert lines[25].notes == ()


def test_the_terminal(coverage: Coverage) -> None:
    lines = report(coverage)
    path = coverage.files[0].source.path
    assert lines[0] == path
    assert "stages 1 of 1, actions 1 of 2" in lines[1]
    assert "  24:8: action `wash` is never played" in lines
    assert "  14:30: option `wash` is never chosen" in lines
    at = lines.index("1 of 2 cited sentences reached")
    assert lines[at + 1] == "  CH-2 (wash, line 23): One may wash."
    assert lines[at + 2] == "chores: 1 scenario, 0 random games with 0 choices of settings"
    assert lines[-1].endswith("of the places reached, 6 to look at")
    assert all(len(line) < 110 for line in lines[1:])


def test_shares() -> None:
    assert share_of([]) == 1
    assert [percent(share) for share in (0, 0.5, 0.99999, 1)] == ["0 %", "50 %", "99.9 %", "100 %"]


def test_for_programs(coverage: Coverage) -> None:
    data = json.loads(json.dumps(to_json(coverage)))
    assert data["seed"] == 3
    assert data["summary"]["action"] == {"reached": 1, "all": 2}
    assert data["summary"]["branch"] == {"reached": 2, "all": 4}
    (file,) = data["files"]
    assert (file["form"], file["name"]) == ("rulebook", "chores")
    assert file["lines"]["24"] == "not reached"
    assert {"kind": "action", "name": "sweep", "by": "sweep", "line": 21, "column": 8, "counts": {"run": 1}} in file[
        "places"
    ]
    assert {one["lack"] for one in data["unreached"]} == {
        "answer `late` of `finish` is never in force",
        "option `wash` is never chosen",
        '`may "again": points += 1` is never accepted',
        "`points[players[1]] > 3` is never true",
        "`points[players[1]] = 1` is never false",
        "action `wash` is never played",
    }
    assert [(one["id"], one["reached"], one["cited"][0]["count"]) for one in data["sentences"]] == [
        ("CH-1", True, 1),
        ("CH-2", False, 0),
    ]
    (run,) = data["rulebooks"]
    assert (run["rulebook"], run["scenarios"], run["games"]) == ("chores", 1, 0)
    reached = sum(kind["reached"] for kind in data["summary"].values())
    there = sum(kind["all"] for kind in data["summary"].values())
    assert data["share"] == round(reached / there, 4)


class _Page(HTMLParser):
    """What of a page the tests ask: its tags are closed in order, ids, links, and rows of the text."""

    VOID = frozenset({"meta", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.rows: dict[str, list[str]] = {}
        self.classes: dict[str, str] = {}
        self.text = ""
        self._row: str | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag not in self.VOID:
            self.open.append(tag)
        if "id" in values:
            self.ids.append(values["id"])
        if tag == "a":
            self.links.append(values["href"])
        if tag == "tr" and "id" in values:
            self._row = values["id"]
            self.rows[self._row] = []
            self.classes[self._row] = values["class"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag == "tr":
            self._row = None

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text += data
        if self._row is not None and data.strip():
            self.rows[self._row].append(data)


def test_the_page(coverage: Coverage) -> None:
    page = _Page(html(coverage, "Coverage of Chores & <more>"))
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert "Coverage of Chores & <more>" in page.text
    # Every link leads to a place of the page; it needs nothing else.
    assert page.links
    assert all(link.removeprefix("#") in page.ids for link in page.links)
    # Marked by a sign and a word, and not by colour alone.
    assert page.rows["f1-24"][:5] == ["24", "0", "✗", "not reached", "action wash:"]
    assert page.rows["f1-17"][:4] == ["17", "1", "◐", "partly"]
    assert page.rows["f1-12"] == ["12", "1", "✓", "reached", "stage game:"]
    assert page.rows["f1-1"] == ["1", 'rulebook chores "Chores & <more>":']
    assert page.classes["f1-24"] == "not-reached"
    assert "One may wash." in page.text


def test_the_page_fits_light_and_dark_and_stands_alone(coverage: Coverage) -> None:
    text = html(coverage, "Coverage")
    assert "prefers-color-scheme: dark" in text
    assert '<html lang="en">' in text
    assert not any(word in text for word in ("http:", "https:", "<script", "<link", "url("))


def test_the_page_of_what_is_all_reached(tmp_path: Path) -> None:
    rules = """\
rulebook calm "Calm":
    players 2
    result most 1

stage game: nothing

scenario "all of it":
    play game
    expect game ended
"""
    found = cover([load(write_rules(tmp_path, rules, "calm"))], seed=1, games=0)
    assert found.unreached == []
    assert "Everything is reached." in html(found, "Coverage")
    assert report(found)[-1] == "100 % of the places reached, 0 to look at"
