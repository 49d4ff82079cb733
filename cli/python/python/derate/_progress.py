"""How far long work is: a bar in a notebook, a line on a terminal, nothing elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def choose_progress() -> Callable[[str, float], object] | None:
    """What shows how far work is, in words and as a share of it; `None` where nobody would see it."""
    shell: Any = sys.modules.get("IPython")
    running = shell.get_ipython() if shell is not None else None
    if running is not None and hasattr(running, "kernel"):
        return _Notebook().show
    if sys.stderr is not None and sys.stderr.isatty():
        return _show_line
    return None


def _show_line(text: str, share: float) -> None:
    """On a line of the terminal that the next output replaces."""
    sys.stderr.write(f"\r\x1b[K{text}")
    sys.stderr.flush()


class _Notebook:
    """A bar below the cell; it goes when the work is done."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, text: str, share: float) -> None:
        import importlib

        shown: Any = importlib.import_module("IPython.display")
        value = f' value="{share:.4f}"' if share >= 0.0 else ""
        bar = shown.HTML(f"<progress{value}></progress> {text}" if text else "")
        if self._handle is None:
            self._handle = shown.display(bar, display_id=True)
        else:
            self._handle.update(bar)
