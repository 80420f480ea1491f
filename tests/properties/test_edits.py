"""Whatever becomes of a rulebook while it is edited, the checker answers, and says where."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from egodsl.analysis import check_file
from egodsl.source.diagnostics import Diagnostic
from egodsl.source.render import render_concise, render_full, summary, to_json
from egodsl.source.text import SourceText
from egodsl.syntax.format import format_text
from egodsl.testing import edits, rulebook_texts

SHIPPED = sorted((Path(__file__).parents[2] / "rulebooks").glob("*.rules"))
STARTER = Path(__file__).parents[2] / "egodsl" / "cli" / "starter.rules"
TEXTS = {path: path.read_text(encoding="utf-8") for path in (STARTER, *SHIPPED)}

many = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
few = settings(many, max_examples=max(settings().max_examples // 10, 3))


def answered(path: str, text: str) -> list[Diagnostic]:
    """The findings for a text, after looking at each of them."""
    checked, found = check_file(SourceText(path, text))
    assert checked is not None or any(one.is_error for one in found)
    for one in found:
        assert one.message
        assert one.span is not None
        for span in (one.span, *(label.span for label in one.labels)):
            assert 0 <= span.start <= span.end <= len(span.source.text)
        assert one.code.number in render_full(one)
        assert "\x1b" not in render_full(one)
        assert re.fullmatch(r"[^\n]+", render_concise(one))
        assert json.loads(json.dumps(to_json(one)))["message"] == one.message
    assert summary(found)
    return found


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
@few
@given(data=st.data())
def test_an_edited_rulebook_is_answered(path: Path, data: st.DataObject) -> None:
    answered(str(path), data.draw(edits(TEXTS[path])))


@many
@given(rulebook_texts().flatmap(edits))
def test_an_edited_rulebook_of_chance_is_answered(text: str) -> None:
    found = answered("made.rules", text)
    laid_out = format_text(SourceText("made.rules", text))
    assert all(one.code.number != "EGO950" for one in laid_out.diagnostics)
    if not any(one.is_error for one in found):
        assert [one.code for one in check_file(SourceText("made.rules", laid_out.text))[1]] == [
            one.code for one in found
        ]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_what_is_edited_is_sound(path: Path) -> None:
    assert [str(one) for one in answered(str(path), TEXTS[path]) if one.is_error] == []
