"""The versions of the database, in their order."""
