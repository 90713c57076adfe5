"""The search for a board on which tickets matter: what must stay, candidates, and what players make of them."""
