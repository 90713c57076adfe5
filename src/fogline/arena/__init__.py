"""The arena: how strong players are, measured in matches on paired seeds and all seatings."""
