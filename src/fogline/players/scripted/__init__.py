"""Players whose choices are written down as rules, and compiled."""
