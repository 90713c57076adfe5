"""The table server, on SQLite and on a real PostgreSQL server."""
