"""The ways in: HTTP requests, WebSockets, the page, and the gate that all of them pass."""
