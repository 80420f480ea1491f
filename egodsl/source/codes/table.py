"""Every code, with its name, its usual severity and a summary. Kept light: it is loaded whenever anything runs.

The first digit is the pass that gives the code. Numbers are never given to something else, and names never change:
people search for them.
"""

from __future__ import annotations

import enum

import attrs


class Severity(enum.StrEnum):
    """How bad it is: an error stops the rulebook from being used, a warning does not, a note only informs."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@attrs.frozen
class Code:
    """One entry of the registry. `number` is `EGO` and three digits, `name` is kebab-case, `summary` one sentence."""

    number: str
    name: str
    summary: str
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        return self.number


PASSES = {
    "0": "reading",
    "1": "syntax",
    "2": "linking",
    "3": "names",
    "4": "types",
    "5": "checks",
    "6": "provenance",
    "7": "faults",
    "8": "records",
    "9": "command-line",
}
"""The pass behind each first digit; also the rest of the name of its Markdown file, as in `3xx-names.md`."""

W = Severity.WARNING

# fmt: off
_TABLE = (
    # 0xx: reading a file
    Code("EGO001", "not-utf8", "The file is not UTF-8 text."),
    Code("EGO002", "binary-file", "The file holds bytes that no text has."),
    Code("EGO003", "empty-file", "The file has no text in it."),
    Code("EGO004", "file-too-large", "The file is too large to be a rulebook."),
    # 1xx: syntax
    Code("EGO101", "unexpected-word", "Something stands where the grammar has no place for it."),
    Code("EGO102", "unexpected-character", "A character that the language does not use."),
    Code("EGO103", "unexpected-end", "The file ends in the middle of something."),
    Code("EGO104", "mixed-tabs-and-spaces", "An indent mixes tabs and spaces."),
    Code("EGO105", "unexpected-indent", "A line is indented although nothing above opens a block."),
    Code("EGO106", "bad-dedent", "A line goes back to a depth at which no block stands."),
    Code("EGO107", "missing-indent", "A block should begin here, but the line is not indented."),
    Code("EGO108", "missing-colon", "The colon that opens a block is missing."),
    Code("EGO109", "unclosed-string", "A string has no closing quotation mark on its line."),
    Code("EGO110", "unclosed-bracket", "A bracket is opened and never closed."),
    Code("EGO111", "unmatched-bracket", "A closing bracket does not fit what is open."),
    Code("EGO112", "keyword-as-name", "A word of the language is used as a name."),
    Code("EGO113", "too-deeply-nested", "Things are nested deeper than the limit."),
    Code("EGO114", "stray-prose", "A line of prose has nothing below it to belong to."),
    Code("EGO115", "missing-head", "The file does not begin with its head."),
    Code("EGO116", "bad-escape", "A backslash in a string is followed by something that has no meaning."),
    Code("EGO117", "number-too-large", "A number has more digits than any rule needs."),
    Code("EGO118", "foreign-spelling", "Something is written as other languages write it."),
    # 2xx: linking (use, variants)
    Code("EGO201", "missing-file", "A library or base that the file names is nowhere to be found."),
    Code("EGO202", "wrong-kind-of-file", "A file is used for what it is not: `use` takes libraries, `of` rulebooks."),
    Code("EGO203", "built-on-itself", "A library uses itself, or a variant varies itself, perhaps by way of others."),
    Code("EGO204", "repeated-declaration", "Two declarations of one kind have the same name."),
    Code("EGO205", "clashing-libraries", "Two libraries declare the same thing."),
    Code("EGO206", "nothing-to-edit", "What `replace`, `extend` or `remove` names does not exist."),
    Code("EGO207", "bad-extension", "A declaration cannot be extended in this way."),
    Code("EGO208", "unmet-need", "A library needs a declaration that the rulebook does not have."),
    Code("EGO209", "unknown-setting", "A value is given to a mode, reading or parameter that does not exist."),
    Code("EGO210", "repeated-header", "A line of the head stands there twice."),
    Code("EGO211", "no-players", "The rulebook does not say for how many players it is."),
    Code("EGO212", "no-game", "The rulebook has no stage `game` that could begin."),
    Code("EGO213", "misplaced-header", "A line of the head has no place in a library."),
    Code("EGO214", "nothing-left-to-choose", "A variant removed the only action that a list offered."),
    Code("EGO215", "bad-players", "The numbers of players or teams in the head cannot be."),
    Code("EGO216", "missing-index", "The source index that the head names does not exist."),
    Code("EGO217", "missing-table", "The table that components are read from is nowhere to be found."),
    Code("EGO218", "bad-table", "The table that components are read from has no cards, or a cell that is no value."),
    # 3xx: names
    Code("EGO301", "unknown-name", "Nothing has the name that is used here."),
    Code("EGO302", "name-with-two-meanings", "A name means two different things in expressions."),
    Code("EGO303", "shadowed-name", "A name is bound that means something already."),
    Code("EGO304", "ambiguous-value", "A name is a value of several types, and nothing says which is meant."),
    Code("EGO305", "unknown-declaration", "There is no stage, action, event, procedure or card of this name."),
    Code("EGO306", "wrong-kind-of-name", "A name stands where a name of another kind belongs."),
    Code("EGO307", "unknown-field", "A card has no such field."),
    Code("EGO308", "unknown-type", "There is no such type."),
    Code("EGO309", "unused-choice", "Something is chosen and never used.", W),
    Code("EGO310", "nobody-is-you", "Something is about `you` where nobody acts."),
    Code("EGO311", "doubtful-owner", "Whose zone or variable is meant could be mistaken."),
    Code("EGO312", "circular", "A declaration leads back to itself."),
    Code("EGO313", "two-types-for-one-name", "A local name is bound a second time with another type."),
    Code("EGO314", "not-assignable", "Something is assigned that play cannot change."),
    Code("EGO315", "bad-template", "A card is written with a field that it does not have."),
    Code("EGO317", "repeated-name", "A value, field or label stands twice in one declaration."),
    Code("EGO318", "no-teams", "Teams are used in a rulebook without teams."),
    Code("EGO319", "old-outside-property", "A value of before is asked for where nothing remembers it."),
    # 4xx: types
    Code("EGO401", "wrong-type", "A value is of another type than is needed here."),
    Code("EGO402", "unrelated-types", "Two values are compared or joined that have nothing in common."),
    Code("EGO403", "wrong-number-of-arguments", "Too many or too few arguments are given."),
    Code("EGO404", "unknown-argument", "An argument is given by a name that there is not, or twice."),
    Code("EGO405", "not-a-collection", "Something is gone through or searched that is no set, row or zone."),
    Code("EGO406", "wrong-index", "A zone, variable or row is indexed in a way that it does not take."),
    Code("EGO407", "out-of-range", "A number certainly lies outside the range that it is meant for."),
    Code("EGO408", "stray-text", "A text in quotation marks stands where a value belongs."),
    Code("EGO409", "wrong-return", "A value is returned that nobody asked for, or asked for and not returned."),
    Code("EGO410", "not-a-zone", "Something stands where the name of a zone belongs."),
    Code("EGO411", "wrong-zone", "Cards are put into a zone for other cards."),
    Code("EGO412", "draw-from-set", "Cards are taken in order from a set, which has none."),
    Code("EGO413", "missing-field", "A row of components leaves a field of its cards open."),
    Code("EGO414", "no-order", "Values are put in order that have none."),
    Code("EGO415", "not-known-before-play", "A range or a number of copies depends on what changes in play."),
    Code("EGO416", "endless-index", "A zone or variable is indexed by a type with no end of values."),
    Code("EGO417", "secret-without-owner", "Something is for its owner's eyes only, and has no owner."),
    Code("EGO418", "text-in-a-rule", "A rule goes by a text, or a text is declared that no card has printed on it."),
    # 5xx: checks
    Code("EGO501", "deck-does-not-add-up", "The rows of a deck add up to another number than its total says."),
    Code("EGO502", "negative-copies", "A row of components makes fewer than no copies."),
    Code("EGO503", "repeated-column", "A table of components has two columns of one name."),
    Code("EGO504", "field-out-of-range", "A row of components gives a field a number that it cannot have."),
    Code("EGO505", "no-result", "The rulebook does not say who wins."),
    Code("EGO510", "unused-declaration", "A declaration is never used.", W),
    Code("EGO511", "never-announced", "Something waits for an event that nothing announces.", W),
    Code("EGO512", "action-never-offered", "No decision offers the action.", W),
    Code("EGO513", "ability-without-card", "No card shows the value that an ability belongs to.", W),
    Code("EGO514", "stage-never-played", "No stage plays the stage.", W),
    Code("EGO516", "never-given-a-value", "A variable is read that nothing ever gives a value."),
    Code("EGO517", "property-about-nothing", "A property is about an action or stage that play never comes to."),
    Code("EGO518", "contradictory-properties", "Two properties cannot both hold."),
    Code("EGO519", "nothing-to-except", "What a property excepts is nothing that it could be about."),
    Code("EGO520", "never-legal", "A move can never be legal."),
    Code("EGO521", "settled-condition", "A condition comes out the same in every game.", W),
    Code("EGO530", "never-reached", "Play never comes to a statement.", W),
    Code("EGO540", "loop-without-end", "A loop never ends."),
    Code("EGO541", "until-never-changes", "Nothing in a loop changes what its `until` asks about.", W),
    Code("EGO542", "trigger-never-fires", "Nothing ever changes what a `whenever` asks about.", W),
    Code("EGO550", "stage-not-running", "An `end` can be reached while its stage does not run."),
    Code("EGO552", "not-at-once", "A statement cannot stand inside `at once`."),
    Code("EGO553", "not-together", "A statement cannot stand inside `together`."),
    Code("EGO554", "nothing-to-cancel", "A `cancel` stands where its event is not being reacted to."),
    Code("EGO560", "likely-tie", "A tie would stop the game at a `the … by`.", W),
    Code("EGO570", "face-down-read", "The rules go by the faces of cards that lie face down."),
    Code("EGO571", "unknown-to-chooser", "Which moves there are depends on what the chooser cannot know."),
    Code("EGO572", "telltale-question", "Whether somebody is asked gives away what only some know.", W),
    Code("EGO573", "hidden-set", "A card is to be chosen from a set that the chooser cannot see."),
    Code("EGO580", "room-for-one", "A second card is put where there is room for one."),
    Code("EGO581", "top-of-nothing", "A guard looks at the top of what may be empty.", W),
    Code("EGO590", "same-answers", "Two answers of a reading are never told apart.", W),
    Code("EGO591", "two-defaults", "A reading has two default answers."),
    # 6xx: provenance
    Code("EGO601", "unknown-citation", "A rule cites a sentence that its source index does not have."),
    Code("EGO602", "bad-index-line", "A line of a source index does not read as a head or as a sentence."),
    Code("EGO603", "misplaced-index-head", "A source index does not begin with exactly one head."),
    Code("EGO604", "repeated-sentence-id", "Two sentences of a source index have the same id."),
    Code("EGO605", "unknown-sentence-kind", "A sentence of a source index is of a kind that there is not."),
    Code("EGO606", "unknown-same-sentence", "A sentence is the same as one that the source index does not have."),
    Code("EGO607", "circular-same-sentences", "Sentences are the same as each other in a circle."),
    Code("EGO608", "bad-fingerprint", "What stands in the place of a sentence's fingerprint is none."),
    Code("EGO609", "bad-base-index", "A source index adds to one that does not exist, or to itself."),
    Code("EGO610", "index-without-sentences", "A source index has a head and no sentences."),
    Code("EGO611", "index-name-differs", "A source index has another name than its file.", W),
    Code("EGO620", "unreadable-document", "A document is not a text in UTF-8."),
    Code("EGO621", "document-without-sentences", "A document has no sentence in it."),
    # 7xx: faults at run time
    Code("EGO701", "stuck", "A player must decide and has no move."),
    Code("EGO702", "empty-pile", "A card is wanted where there is none."),
    Code("EGO703", "value-out-of-range", "A variable would get a value that its type does not have."),
    Code("EGO704", "nothing-there", "A rule asks about something that is not there."),
    Code("EGO705", "endless-loop", "The rules go on and on without a decision."),
    Code("EGO706", "endless-triggers", "Triggers set off each other without an end."),
    Code("EGO707", "endless-announcements", "An event is announced again and again from its own triggers."),
    Code("EGO708", "no-single-one", "What a rule calls `the` one is none, or several."),
    Code("EGO709", "never-written", "A variable is read before it has a value."),
    Code("EGO710", "place-taken", "A card is moved to a place that holds another."),
    Code("EGO711", "author-stop", "The rulebook says itself that this must not happen."),
    Code("EGO712", "division-by-zero", "A rule divides by zero."),
    Code("EGO713", "not-running", "What is to be ended or cancelled is not running."),
    Code("EGO714", "nobody-acting", "A decision is due where nobody is acting."),
    Code("EGO715", "unknown-face", "What a player may choose depends on a card that the player does not know."),
    # 8xx: records and scenarios
    Code("EGO801", "bad-record", "A file is not a game record."),
    Code("EGO802", "other-game", "A record is of another game or of other settings."),
    Code("EGO803", "record-differs", "A record does not fit the rulebook from some event on."),
    Code("EGO810", "expectation-fails", "What a scenario expects does not hold."),
    Code("EGO811", "move-not-legal", "A scenario plays a move that is not legal there."),
    Code("EGO812", "ambiguous-move", "Several legal moves fit what a scenario plays."),
    Code("EGO813", "wrong-player", "A scenario names a player who does not decide there, or who does not play."),
    Code("EGO814", "impossible-layout", "A table that a scenario lays out cannot be."),
    Code("EGO815", "layout-fires-trigger", "A table that a scenario lays out makes a trigger fire."),
    Code("EGO816", "impossible-chance", "Chance cannot have the outcome that a scenario scripts."),
    Code("EGO817", "fault-in-scenario", "The rules cannot go on in the middle of a scenario."),
    Code("EGO818", "scenario-over", "A scenario goes on after its stage or game has ended."),
    Code("EGO819", "unused-step", "A line of a scenario has nothing to act on."),
    Code("EGO830", "property-broken", "A property does not hold in a game."),
    Code("EGO831", "witness-not-found", "No game was found that shows what is to be possible."),
    Code("EGO832", "not-reached", "Part of a rulebook was never used in any game."),
    # 9xx: command line
    Code("EGO910", "player-count", "The rulebook is not for so many players."),
    Code("EGO911", "no-such-setting", "The rulebook has no such mode, reading, answer, parameter, deck or define."),
    Code("EGO912", "setting-out-of-range", "A parameter, a deck or a define is set to what it cannot be."),
    Code("EGO920", "no-finite-moves", "A move names what has no end of values, so moves cannot be numbered."),
    Code("EGO921", "too-many-actions", "A game takes more distinct actions, or longer observations, than are handled."),
    Code("EGO922", "promise-broken", "A game is longer, or pays otherwise, than was said of it."),
    Code("EGO923", "not-installed", "A package is missing that is needed here."),
    Code("EGO924", "no-such-parameter", "A parameter of a guest is none of those that there are, or cannot be read."),
    Code("EGO950", "unsafe-format", "The formatter's layout would have said something else, so it was not written."),
)
# fmt: on

CODES = {code.number: code for code in _TABLE}
"""Number -> code, in the order of the numbers."""
