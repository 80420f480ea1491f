"""Texts, places in them, and what can be said about them: the lowest layer.

Nothing here knows the language. `text` reads files, `span` names places, `diagnostics` says what is wrong at a place,
`registry` lists every code, `render` turns diagnostics into text or JSON, `resources` finds what the package ships.
"""
