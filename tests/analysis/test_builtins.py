"""The table of built-ins: complete, and true to what the analysis does with each."""

from __future__ import annotations

import pytest

from egodsl.analysis.builtins import BUILTINS, FUNCTIONS, NAMES
from egodsl.analysis.infer_calls import FUNCTION_RULES
from tests.analysis.helpers import checked, complaints, type_in


def test_every_function_has_a_rule_and_every_rule_an_entry() -> None:
    assert FUNCTION_RULES.keys() == FUNCTIONS
    assert set(BUILTINS) == NAMES | FUNCTIONS
    assert [name for name, entry in BUILTINS.items() if not entry.signature.startswith(name)] == []
    assert [name for name, entry in BUILTINS.items() if not entry.doc.endswith(".")] == []


@pytest.mark.parametrize("name", sorted(NAMES))
def test_the_signature_of_a_name_is_its_type(name: str) -> None:
    head = "    players 4 in 2 teams\n"
    result = checked(f"define x = {name}\n", head=head)
    assert f"{name}: {type_in(result, 'x')}" == BUILTINS[name].signature


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_too_few_arguments_show_the_signature(name: str) -> None:
    least, most = BUILTINS[name].arguments
    takes = f"{least}" if least == most else f"{least} or {most}"
    plural = "" if takes == "1" else "s"
    assert complaints(f"define x = {name}()\n") == [
        f"EGO403 `{name}` takes {takes} argument{plural}, and is given none"
    ]


@pytest.mark.parametrize("name", sorted(BUILTINS))
def test_no_declaration_takes_a_built_in_name(name: str) -> None:
    assert complaints(f"define {name} = 1\n") == [f"EGO302 `{name}` is built in, and now a define"]
