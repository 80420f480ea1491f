"""The table of codes, and beside it one Markdown file of explanations for each hundred."""
