"""The rules of RULES.md, written once, one file a chapter.

They run interpreted and compiled, with the same result to the byte. They work on two NumPy records: `board` holds the
tables of a map and never changes, `game` is the whole state of one game. A game begins with `setup.reset(board, game,
players, seed, None)` and goes on with `turns.step(board, game, action, None)`, where the action is a number that
`legal` allows. The last argument is the tape of `chance`, or None.
"""
