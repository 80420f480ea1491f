from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from egodsl.analysis.symbols import Program
from egodsl.engine.game import Game, load
from egodsl.reports.player_html import html
from egodsl.reports.player_markdown import markdown
from egodsl.reports.player_rules import player_rules
from egodsl.syntax import nodes
from tests.golden_files import GOLDEN, assert_golden

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted(path for path in (ROOT / "rulebooks").rglob("*.rules") if path.parent.name != "library")

SOURCE = """\
source lights "Lights in a row"

LT-01 rule: take lamps off the pile one by one.
LT-02 rule: whoever has most light wins.
LT-03 rule: a red lamp gives another turn.
LT-04 rule: broken lamps go back.
LT-A1 question: Whether a red lamp must be used.
"""

RULES = """\
# A secret of the author's.
> Take lamps, and have *most* light. [LT-02] Lamps < stars & candles.
rulebook lights "Lights & lamps":
    source lights
    players 2..3
    result most light(you)

enum Colour: red, blue "deep blue"

card Lamp:
    colour: Colour
    power: 1..3
    written "{colour} lamp"

> Few are red.
components lamps of Lamp in pile:
    1 x (colour: red, power: 3)
    2 x (colour: blue, power: 1) for p in players

> Nobody looks.
zone pile: stack of Lamp, face down
zone hand[player]: set of Lamp, owner only

> One takes turns [LT-01] until the pile is empty.
stage game:
    shuffle pile
    pick first at random from players
    turns from first:
        > It is over in the end.
        if empty(pile): end game
        choose one of take, put_back

> A lamp is lit when it is taken.
event lit(c: Lamp)

> All of one's lamps, together.
define light(p: player) = sum(c.power for c in hand[p])

> Take a lamp. [LT-01]
action take when not empty(pile):
    move top(pile) to hand as c
    announce lit(c)

> A broken lamp goes back, [LT-04] as follows.
action put_back(c in hand):
    choose:
        > Nobody sees it.
        "below the pile": move c to pile
        "nowhere"

reading red_lamps "Must a red lamp be used?":
    free "no" default
    > Harsh.
    must "yes"

> A red lamp gives another turn. [LT-03] [LT-A1]
ability glow on lit(red):
    choose:
        "go on": next := you
        "stop" when red_lamps = free
    otherwise: nothing

> For the evening.
mode late "Play late"

> More is brighter.
parameter glare: 1..5 = 2 "Glare"

> Who has broken a lamp.
var broken[player]: bool = false

> [LT-01]
scenario "a lamp is taken":
    players 2
    given hand[A] = {}
    given pile = [Lamp(blue, 1), Lamp(red, 3)]
    A plays take
    expect hand[A] = {Lamp(blue, 1)}
    expect light(A) = 1 and light(B) = 0
    expect sum(light(p) for p in players) = 1
    expect not any(broken[p] for p in players)
    expect A may not choose "stop"
    expect B decides

> It must be used. [LT-03] [LT-A1]
scenario "no choice":
    players 3
    with red_lamps: must
    given pile = [Lamp(red, 3), Lamp(blue, 1)]
    A plays take
    expect A may choose "go on"
    expect A may not choose "stop"
"""

VARIANT = """\
> It is darker here. [LT-02]
variant dim "Dim lights" of lights:
    set red_lamps to must

> Take a lamp, and close your eyes.
replace action take when not empty(pile):
    move top(pile) to hand

> There is no way back.
remove action put_back
"""


def write(folder: Path) -> Path:
    (folder / "lights.source").write_text(SOURCE, encoding="utf-8")
    path = folder / "lights.rules"
    path.write_text(RULES, encoding="utf-8")
    return path


def lights(folder: Path) -> Game:
    return load(write(folder)).game()


# ---------------------------------------------------------------- the whole of a small one


def test_a_small_rulebook(tmp_path: Path) -> None:
    assert_golden(GOLDEN / "doc" / "lights.md", markdown(player_rules(lights(tmp_path))))


def test_comments_do_not_appear(tmp_path: Path) -> None:
    document = player_rules(lights(tmp_path))
    assert "secret" not in markdown(document)
    assert "secret" not in html(document)


def test_components_are_counted_for_the_players_and_answers_marked(tmp_path: Path) -> None:
    rulebook = load(write(tmp_path))
    two = markdown(player_rules(rulebook.game(players=2)))
    three = markdown(player_rules(rulebook.game(players=3, readings={"red_lamps": "must"}, parameters={"glare": 4})))
    assert "### Lamp: 5 cards" in two
    assert "### Lamp: 7 cards" in three
    assert "- **Here:** no.\n- Otherwise: yes. Harsh." in two
    assert "- **Here:** yes. Harsh.\n- Otherwise: no." in three
    assert "- **Chosen here:** Must a red lamp be used? Yes; Glare: 4" in three


def test_an_example_of_another_setting_says_what_it_presumes(tmp_path: Path) -> None:
    rulebook = load(write(tmp_path))
    usual = markdown(player_rules(rulebook.game()))
    strict = markdown(player_rules(rulebook.game(readings={"red_lamps": "must"})))
    before_more, more = usual.split("## More examples")
    assert "no choice" not in before_more.lower()
    assert "- *If:* Must a red lamp be used? Yes.\n" in more
    assert "Example: No choice" in strict.split("## More examples")[0]
    assert "- *If:* Must a red lamp be used? No.\n" in strict


def test_a_variant_is_told_as_a_whole(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "dim.rules").write_text(VARIANT, encoding="utf-8")
    rules = RULES[: RULES.index("> [LT-01]\nscenario")]
    (tmp_path / "lights.rules").write_text(rules, encoding="utf-8")
    text = markdown(player_rules(load(tmp_path / "dim.rules").game()))
    assert text.startswith("# Dim lights\n")
    assert "- **Variant of:** Lights \\& lamps\n" in text
    assert text.index("Take lamps, and have") < text.index("It is darker here.") < text.index("## Components")
    assert "Take a lamp, and close your eyes." in text
    assert "Take a lamp. " not in text
    assert "A broken lamp goes back" not in text
    assert "There is no way back." in text.split("## What this variant leaves out")[1]
    assert "- **Here:** yes." in text


# ---------------------------------------------------------------- notes


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_notes_and_references_fit(path: Path) -> None:
    document = player_rules(load(path).game())
    page = Page(html(document))
    assert [note.number for note in document.notes] == list(range(1, len(document.notes) + 1))
    assert len({note.id for note in document.notes}) == len(document.notes)
    assert all(note.text for note in document.notes)
    cited = [href for href in page.links if href.startswith("#note-")]
    for note in document.notes:
        assert cited.count(f"#note-{note.number}") == note.uses
        assert page.links.count(f"#ref-{note.number}-{note.uses}") == 1
    first_seen = list(dict.fromkeys(cited))
    assert first_seen == [f"#note-{k}" for k in range(1, len(document.notes) + 1)]


# ---------------------------------------------------------------- prose


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_all_prose_appears_once(path: Path) -> None:
    rulebook = load(path)
    program = rulebook.checked.program
    trees: list[nodes.Node] = [
        *(one for table in tables(program) for one in table.values()),
        *program.scenarios.values(),
        *program.removed.values(),
    ]
    heads = [module.prose for module in program.files if module.prose is not None]
    proses = [*heads, *(node for tree in trees for node in nodes.walk(tree) if isinstance(node, nodes.Prose))]
    paragraphs = [part for prose in proses for part in "\n".join(prose.lines).split("\n\n")]
    texts = [words for part in paragraphs if (words := without_citations(part.replace("\n", " ")))]
    assert texts
    told = told_in(markdown(player_rules(rulebook.game())).split("## Notes")[0])
    everything = "\n".join(texts)
    for text in texts:
        assert told.count(text) == everything.count(text), text


def tables(program: Program) -> list[dict[str, nodes.Declaration]]:
    names = "enums types cards components zones vars parameters modes readings defines events stages procedures"
    return [getattr(program, name) for name in (*names.split(), "actions", "reactions", "conditions", "runs_out")]


def without_citations(line: str) -> str:
    return " ".join(re.sub(r"\s*\[[A-Z][\w-]*\d\w*(?:[,;\s]+[A-Z][\w-]*\d\w*)*\]", "", line).split())


def told_in(text: str) -> str:
    """The words of the Markdown, paragraph by paragraph."""
    plain = re.sub(r" ?\\\[\d+\\\]", "", text)
    plain = re.sub(r"\\(.)", r"\1", plain)
    return "\n".join(" ".join(line.split()) for line in plain.split("\n"))


# ---------------------------------------------------------------- HTML

VOID = {"meta", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    """What is on a page; fails where an element is closed that is not the last one open."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # A paragraph may not hold blocks: the parser of a browser would close it.
        assert not ("p" in self.open and tag in {"p", "dl", "ul", "ol", "table", "section", "aside", "h2", "h3", "h4"})
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in {"href", "src"}:
                self.links.append(value or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words.append(data)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_page_is_well_formed_and_needs_nothing_else(path: Path) -> None:
    text = html(player_rules(load(path).game()))
    page = Page(text)
    assert text.startswith("<!DOCTYPE html>\n")
    assert len(set(page.ids)) == len(page.ids)
    assert page.links
    for link in page.links:
        assert link.startswith("#")
        assert link[1:] in page.ids
    assert "@import" not in text
    assert "url(" not in text


def test_a_page_shows_the_words_as_they_are(tmp_path: Path) -> None:
    text = html(player_rules(lights(tmp_path)))
    words = "".join(Page(text).words)
    assert "Lights & lamps" in words
    assert "Lamps < stars & candles." in words
    assert "<stars" not in text
    assert "&amp; candles" in text


def test_markdown_shows_the_words_as_they_are(tmp_path: Path) -> None:
    text = markdown(player_rules(lights(tmp_path)))
    assert "have \\*most\\* light. \\[1\\] Lamps \\< stars \\& candles." in text
