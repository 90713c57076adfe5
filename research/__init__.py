"""Research: how the players were trained, and what made the figures in docs/. Run from the root of a checkout."""
