"""What a seat may know, and what it can work out: seat states, card counting, belief, observations."""
