"""The files beside the package, in a check-out and in an installed package."""

from __future__ import annotations

from pathlib import Path

import pytest

from egodsl.source import resources
from egodsl.source.resources import grammar_text, resource_path

ROOT = Path(__file__).resolve().parents[2]


def test_a_check_out_has_them_beside_the_package() -> None:
    assert resource_path("grammars") == ROOT / "grammars"
    assert grammar_text("rules.lark") == (ROOT / "grammars" / "rules.lark").read_text(encoding="utf-8")


def test_an_installed_package_has_them_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "egodsl" / "grammars"
    inside.mkdir(parents=True)
    (inside / "rules.lark").write_text("shipped", encoding="utf-8")
    stranger = tmp_path / "rulebooks"
    stranger.mkdir()
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "egodsl")
    assert grammar_text("rules.lark") == "shipped"
    with pytest.raises(FileNotFoundError, match="rulebooks"):
        resource_path("rulebooks")


@pytest.mark.parametrize("name", ["../pyproject.toml", "a/../../b", "/etc/hostname"])
def test_names_do_not_lead_out(name: str) -> None:
    with pytest.raises(ValueError, match="not a name inside grammars"):
        resource_path("grammars", name)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"no `none\.lark` among the grammars"):
        grammar_text("none.lark")
