"""Metrics for Prometheus."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_TIMES = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """What is counted and timed; nothing in it tells one person or table from another."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.entries = Counter("fogline_entries", "Entries that tables have taken in", registry=self.registry)
        self.conflicts = Counter("fogline_conflicts", "Entries that came second", registry=self.registry)
        self.refusals = Counter("fogline_refusals", "Refusals", ["code"], registry=self.registry)
        self.requests = Counter("fogline_requests", "Requests", ["route", "status"], registry=self.registry)
        self.storing = Histogram(
            "fogline_storing_seconds", "Time to store an entry", buckets=_TIMES, registry=self.registry
        )
        self.thinking = Histogram(
            "fogline_thinking_seconds", "Time a bot takes for a decision", buckets=_TIMES, registry=self.registry
        )
        self.queueing = Histogram(
            "fogline_queueing_seconds",
            "Time a job waits for a worker",
            ["pool"],
            buckets=_TIMES,
            registry=self.registry,
        )
        self.jobs_waiting = Gauge("fogline_jobs_waiting", "Jobs that wait", ["pool"], registry=self.registry)
        self.jobs_running = Gauge("fogline_jobs_running", "Workers that are busy", ["pool"], registry=self.registry)
        self.workers = Gauge("fogline_workers", "Workers that there are", ["pool"], registry=self.registry)
        self.sockets = Gauge("fogline_sockets", "Open sockets and streams", registry=self.registry)
        self.tables = Gauge("fogline_tables_loaded", "Tables in memory", registry=self.registry)

    def text(self) -> bytes:
        return generate_latest(self.registry)


METRICS = Metrics()
"""Metrics of this process."""
