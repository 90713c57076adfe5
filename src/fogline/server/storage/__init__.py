"""Where the logs of tables are kept: SQLite in a file, or PostgreSQL."""
