"""What the mutation check of the shipped rulebooks found, and why each survivor survives: a record, and the tables of
it in `docs/verification.md`.

`python -m tests.verify.mutation_record [NAME...]` tries these rulebooks (all by default), writes the record and the
tables anew, and names the survivors for which the record has no reason yet. It takes minutes.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from egodsl.engine.game import load
from egodsl.verify.mutants import Mutant
from egodsl.verify.mutation import MutationResult, check

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "docs" / "records" / "mutation.json"
PAGE = ROOT / "docs" / "verification.md"
BEGIN, END = "<!-- made from docs/records/mutation.json -->\n", "<!-- until here -->\n"
NAMES = (
    "ego",
    "egocentric_world",
    "egocentric_world_2021",
    "egocentric_world_italian",
    "egonomy",
    "emotrions",
)


def read_record() -> dict[str, Any]:
    """The record as it is stored: for each rulebook `changes`, `noticed`, `unfit`, `survivors`."""
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    return found


def key_of(mutant: Mutant) -> tuple[str, str]:
    """By what a survivor is known: the declaration and the change, in words. Lines move, words stay."""
    return mutant.place, mutant.words


def entry_of(result: MutationResult, before: dict[str, Any]) -> dict[str, Any]:
    """What is recorded of a rulebook; reasons are those of the record before."""
    reasons = {(one["place"], one["change"]): one["reason"] for one in before.get("survivors", [])}
    times = Counter(map(key_of, result.survivors))
    return {
        "changes": result.counted,
        "noticed": result.noticed,
        "unfit": len(result.verdicts) - result.counted,
        "survivors": [
            {"place": place, "change": change, "times": count, "reason": reasons.get((place, change), "")}
            for (place, change), count in times.items()
        ],
    }


def tables(record: dict[str, Any]) -> str:
    """The record as two tables in Markdown."""
    lines = ["", "| rulebook | changes | noticed | share |", "|---|---|---|---|"]
    for name, entry in record.items():
        share = f"{entry['noticed'] / entry['changes']:.1%}"
        lines.append(f"| `{name}` | {entry['changes']} | {entry['noticed']} | {share} |")
    lines += ["", "| survivor | where | why nothing notices it |", "|---|---|---|"]
    for name, entry in record.items():
        for one in entry["survivors"]:
            times = f" ({one['times']} times)" if one["times"] > 1 else ""
            change = one["change"].replace("|", "\\|")
            lines.append(f"| {change}{times} | `{name}`, {one['place']} | {one['reason']} |")
    return "\n".join([*lines, "", ""])


def with_tables(text: str, record: dict[str, Any]) -> str:
    """The page with its tables made anew."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{tables(record)}{END}{after}"


def main(names: list[str]) -> None:
    """Try, write, and name what has no reason."""
    record = read_record()
    for name in names or NAMES:
        result = check(load(ROOT / "rulebooks" / f"{name}.rules"))
        record[name] = entry_of(result, record.get(name, {}))
        missing = [one for one in record[name]["survivors"] if not one["reason"]]
        sys.stdout.write(f"{name}: {result.noticed} of {result.counted}, {len(missing)} without a reason\n")
        for one in missing:
            sys.stdout.write(f"  {one['place']}: {one['change']}\n")
        record = {known: record[known] for known in NAMES if known in record}
        RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8"), record), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
