"""The table server: games between people and bots over a network.

The core knows no network and no disk. `entries` are what can happen at a table, a `Table` is what they add up to,
`decisions` say whether something may happen, and `messages` hold what each viewer sees. Around the core are the
`store`, the `hub` that keeps tables and store together, and the ways in: `api` and `sockets`.
"""
