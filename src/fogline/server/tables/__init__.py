"""A table: what may happen there, what it adds up to, and everyone who looks at it."""
