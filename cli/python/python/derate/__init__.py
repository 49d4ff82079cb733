"""derate: where an FPGA accelerator's roofline and its code disagree, and what the design does honestly."""

from __future__ import annotations

from derate._derate import Error, UsageError, __version__

__all__ = ["Error", "UsageError", "__version__"]
