"""The game in the terminal: one person against programs.

Everything that is shown is a function of a `View`; only `play` holds the game itself.
"""
