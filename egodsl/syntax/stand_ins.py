"""Lines that stand in for broken ones, by the word that these begin with.

Their parts are separated by blanks. `_` is a name that marks what it is part of as broken, and `""` a text that does.
"""

from __future__ import annotations

STAND_INS = {
    "rulebook": 'library _ "" :',
    "variant": 'library _ "" :',
    "library": 'library _ "" :',
    "card": "card _ :",
    "components": "components _ of _ :",
    "define": "define _ :",
    "stage": "stage _ :",
    "procedure": "stage _ :",
    "action": "stage _ :",
    "ability": "stage _ :",
    "trigger": "stage _ :",
    "reading": 'reading _ "" :',
    "scenario": 'scenario "" :',
    "choose": "choose :",
    "may": "for _ in _ :",
    "otherwise": "otherwise :",
    "repeat": "repeat :",
}
"""Lines with a block."""

ANY_BLOCK = ("if _ :", '"" :')
"""What to try for a line with a block that begins with no such word: a statement, an option."""

PLAIN_STAND_INS = {"choose": "choose one of _", "until": "until _"}
"""Lines without a block."""

HEAD = 'library _ ""'
"""A head without lines."""
