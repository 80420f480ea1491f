"""Fingerprints of sentences: the same for two printings of one sentence, different once a word is changed."""

from __future__ import annotations

import re
import unicodedata

FINGERPRINT_LENGTH = 12
"""Hexadecimal digits of a fingerprint: 48 bits, so that among ten thousand sentences two collide with p < 2e-7."""

_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_WIKI_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_WORD_CATEGORIES = frozenset("LMN")


def fingerprint(sentence: str) -> str:
    """The fingerprint of a sentence: 12 lower-case hexadecimal digits, the first of the SHA-256 of its normal form.

    The normal form is the UTF-8 text of `normalise(sentence)`. Raises ValueError if nothing is left of the sentence,
    because then every such sentence would have the same fingerprint.
    """
    import hashlib  # noqa: PLC0415 -- most commands read an index and never take a fingerprint

    normal = normalise(sentence)
    if not normal:
        msg = f"no letter or digit to take a fingerprint of in {sentence!r}"
        raise ValueError(msg)
    return hashlib.sha256(normal.encode("utf-8")).hexdigest()[:FINGERPRINT_LENGTH]


def normalise(sentence: str) -> str:
    """What a sentence says, without how it is set: its letters, marks and digits, in the order in which they stand.

    In turn: HTML tags go and character references are resolved; wiki and Markdown links shrink to the words they show;
    Unicode NFKC; case folded; NFKC again, which folding may have undone; then everything goes that is not a letter, a
    combining mark or a number (categories L, M and N): white space, punctuation, emphasis, bullets, quotation marks;
    last, NFC, for a mark may now stand beside its letter.
    Signs go too, so `+3` and `-3` are one: compare the sentences themselves where that matters.
    """
    import html  # noqa: PLC0415 -- as above

    text = html.unescape(_TAG.sub("", sentence))
    text = _MARKDOWN_LINK.sub(r"\1", _WIKI_LINK.sub(r"\1", text))
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    kept = "".join(character for character in text if unicodedata.category(character)[0] in _WORD_CATEGORIES)
    return unicodedata.normalize("NFC", kept)
