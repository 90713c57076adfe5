"""The parts of a drawn board; `fogline.drawing.draw` puts them together."""
