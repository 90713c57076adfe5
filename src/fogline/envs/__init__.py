"""Environments: the game as the libraries of others expect it. Each has its own module."""
