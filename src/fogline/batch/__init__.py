"""Many games at once, on all cores or on a GPU."""

from fogline.batch.batch import Batch

__all__ = ["Batch"]
