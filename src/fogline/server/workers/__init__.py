"""What is computed beside the server: the thoughts of bots, replays, audits."""
