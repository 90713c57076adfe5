"""The players that have learnt the game: a network, and players that look ahead with it."""
