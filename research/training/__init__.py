"""Training the network: self-play on one GPU, its evaluation, and its curves."""
