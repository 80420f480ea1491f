"""From text to tree and back: the grammar's reader, the tree, and its one layout."""
