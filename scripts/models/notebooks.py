"""Runs the notebooks of examples in place and writes what they show into them."""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    for path in sorted((ROOT / "examples").glob("*/*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        print(f"running {path.relative_to(ROOT)}", file=sys.stderr)
        NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(path.parent)}}).execute()
        if "--write" in sys.argv:
            for cell in notebook.cells:
                cell.metadata.pop("execution", None)
            nbformat.write(notebook, path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
