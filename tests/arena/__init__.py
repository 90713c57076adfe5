"""The arena: its statistics against known answers, its games, and its commands."""
