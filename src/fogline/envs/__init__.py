"""Environments: the game as other libraries expect it. Each library has its own module."""
