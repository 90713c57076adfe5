"""How much each tier of the tests sees: mutants are drawn at random from the sources, and the tests run on each."""
