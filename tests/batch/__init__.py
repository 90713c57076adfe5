"""Tests of batches: many games at once."""
