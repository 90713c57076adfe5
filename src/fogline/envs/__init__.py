"""Environments: the game in the words of other people's libraries. They are thin, and no rule is written here."""
