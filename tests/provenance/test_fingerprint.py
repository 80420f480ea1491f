from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from egodsl.provenance import fingerprint
from egodsl.provenance.fingerprint import normalise


def test_normal_form_keeps_letters_and_digits_only() -> None:
    assert normalise("Turn one over: it's a 7!") == "turnoneoveritsa7"


@pytest.mark.parametrize(
    ("sentence", "normal"),
    [
        ("'''Say “STOP”''' now", "saystopnow"),
        ("* ''Draw''  a\tcard.", "drawacard"),
        ("- **Draw** a `card`", "drawacard"),
        ("== The Goal ==", "thegoal"),
        ("[[Egonomy|the game]] of [[egos]]", "thegameofegos"),
        ("see [the page](https://example.org/x7) here", "seethepagehere"),
        ("a<br />b &amp; c&nbsp;d", "abcd"),
        ("ﬁve Ｃ２", "fivec2"),
        ("Straße STRASSE", "strassestrasse"),
        ("perche\u0301 citta\u0300", "perchécittà"),
        ("x < y and z > 3", "xyandz3"),
        ("a´", "á"),
    ],
)
def test_normal_form_drops_how_a_sentence_is_set(sentence: str, normal: str) -> None:
    assert normalise(sentence) == normal


def test_fingerprint_is_the_head_of_a_sha256() -> None:
    assert fingerprint("A B, c.") == hashlib.sha256(b"abc").hexdigest()[:12] == "ba7816bf8f01"


def test_a_changed_word_changes_the_fingerprint() -> None:
    assert fingerprint("Whoever has fifty points wins.") != fingerprint("Whoever has sixty points wins.")


def test_a_sentence_without_words_has_none() -> None:
    with pytest.raises(ValueError, match="no letter or digit"):
        fingerprint("*** — ***")


@given(st.text())
def test_normal_form_is_its_own_normal_form(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
