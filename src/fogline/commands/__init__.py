"""The commands of the program `fogline`, one noun a file."""
