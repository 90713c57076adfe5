"""Games on a Ray cluster, where `ray` is installed. Every machine of it needs this package, in the same version."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from fogline.arena.faults import ArenaError

LOCAL = "local"
"""The address that starts a Ray cluster on this machine for the length of the match."""


class Cluster:
    """The machines of a cluster."""

    def __init__(self, play: Callable[[bytes, int, int], np.ndarray], address: str) -> None:
        os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")  # of many pieces that fail alike, report one
        self.ray = _ray()
        try:
            self.ray.init(address, include_dashboard=False, log_to_driver=False, logging_level="error")
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise ArenaError(f"--ray {address}: {error}") from error
        self.workers = max(1, int(self.ray.cluster_resources().get("CPU", 1)))
        self.play = self.ray.remote(play)

    def hand_out(self, packed: bytes, first: int, last: int) -> Any:
        return self.play.remote(packed, first, last)

    def take_back(self, piece: Any) -> np.ndarray:
        try:
            return np.asarray(self.ray.get(piece))
        except self.ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except self.ray.exceptions.RayError as error:
            raise ArenaError(f"the cluster could not play: {error}") from error

    def leave(self) -> None:
        self.ray.shutdown()  # which stops the tasks of this program, too


def _ray() -> Any:
    try:
        return importlib.import_module("ray")
    except ImportError:
        raise ArenaError("--ray needs Ray: pip install 'fogline[cluster]'") from None
