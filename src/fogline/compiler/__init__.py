"""How the rules and similar code are compiled, and where the compiled code is kept."""
