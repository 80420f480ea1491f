"""Strategies for small rulebooks."""

from __future__ import annotations

from hypothesis import reject
from hypothesis import strategies as st

from egodsl.analysis import Checked, check_file
from egodsl.engine.game import Rulebook, RulebookError
from egodsl.source.text import SourceText
from egodsl.testing.made.rulebooks import rulebook_texts


class MadeRulebook(Rulebook):
    """A rulebook that was made by chance; shown as its text."""

    def __init__(self, checked: Checked, text: str) -> None:
        super().__init__(checked)
        self.text = text

    def __repr__(self) -> str:
        return self.text


@st.composite
def rulebooks(draw: st.DrawFn) -> MadeRulebook:
    """Well-formed small rulebooks, checked, of which there is a game for the fewest players. They are of every
    construct of the language and without sense, so a game may end in a fault: ask for `games` with `faults`.
    """
    text = draw(rulebook_texts())
    checked, found = check_file(SourceText("made.rules", text))
    if checked is None or any(one.is_error for one in found):
        reject()
    made = MadeRulebook(checked, text)
    try:
        made.game()
    except RulebookError:
        reject()
    return made
