"""The study: what thousands of games of the same player against itself say about the game."""
