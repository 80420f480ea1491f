"""From bytes to a text, or to the reason why they are none."""

from __future__ import annotations

from egodsl.source import text as texts
from egodsl.source.diagnostics import Diagnostic, Diagnostics
from egodsl.source.span import Span
from egodsl.source.text import SourceText

_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_SAVE_AS_UTF8 = "save the file as UTF-8; every editor can"


def decode(path: str, data: bytes) -> tuple[SourceText | None, list[Diagnostic]]:
    """The text in `data`, or None and the one error that stands in its way. `path` is only what messages call it."""
    found = Diagnostics()
    if len(data) >= texts.MAX_SOURCE_BYTES:
        limit = f"{texts.MAX_SOURCE_BYTES // 1_000_000} MB"
        found.error(
            "EGO004",
            Span(SourceText(path, ""), 0, 0),
            f"the file has {limit} or more, too large for a rulebook",
            help="give the path of a rulebook, or split this one into files that it brings in by `use`",
        )
        return None, list(found)
    data = data.removeprefix(_UTF8_MARK)
    if data.startswith(_UTF16_MARKS):
        _complain(found, "EGO001", path, data, 0, "the file is UTF-16, not UTF-8")
        return None, list(found)
    nul = data.find(b"\0")
    if nul >= 0:
        _complain(found, "EGO002", path, data, nul, "the file is not text: it holds a NUL byte")
        return None, list(found)
    try:
        decoded = data.decode("utf-8")
    except UnicodeDecodeError as error:
        _complain(found, "EGO001", path, data, error.start, f"the byte 0x{data[error.start]:02x} here is not UTF-8")
        return None, list(found)
    source = SourceText(path, _normalised(decoded))
    if not source.text or source.text.isspace():
        found.error(
            "EGO003",
            Span(SourceText(path, ""), 0, 0),
            "the file is empty",
            help="`egodsl new` writes a small complete rulebook to start from",
        )
        return None, list(found)
    return source, []


def _normalised(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _complain(found: Diagnostics, code: str, path: str, data: bytes, at: int, message: str) -> None:
    # What can be decoded is kept, so that the message can point at the byte and show its line.
    helps = {"EGO001": _SAVE_AS_UTF8, "EGO002": "give the path of a `.rules` file, which is plain text"}
    before = _normalised(data[:at].decode("utf-8", "replace"))
    source = SourceText(path, before + _normalised(data[at:].decode("utf-8", "replace")))
    end = min(len(before) + 1, len(source.text))
    found.error(code, Span(source, len(before), end), message, help=helps[code])
