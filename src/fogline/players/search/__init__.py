"""The player that searches a tree of possible games."""
