"""One game, as people and programs in Python play it: actions, events, views, refusals, scores and records."""
