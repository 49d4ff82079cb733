"""derate: where an FPGA accelerator's roofline and its code disagree, and what the design does honestly.

Each function is a command of the binary, with the same defaults and the same answers; what it gives has the fields of the
binary's JSON as attributes, in SI units.
"""

from __future__ import annotations

from derate import trace as trace
from derate._batch import decoder_batch
from derate._derate import Error, UsageError, __version__
from derate._figures import formats, models, predict, validate
from derate._project import audit, estimate, explore, hls, kernel, report, types
from derate._record import Figure, Record, Result

__all__ = [
    "Error",
    "Figure",
    "Record",
    "Result",
    "UsageError",
    "__version__",
    "audit",
    "decoder_batch",
    "estimate",
    "explore",
    "formats",
    "hls",
    "kernel",
    "models",
    "predict",
    "report",
    "trace",
    "types",
    "validate",
]
