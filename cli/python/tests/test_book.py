"""The examples of the book's page are run, and print what it shows. `INSTA_UPDATE=always` writes what they print."""

from __future__ import annotations

import contextlib
import io
import os
import re

from commands import ROOT

PAGE = ROOT / "docs/book/src/python.md"
EXAMPLE = re.compile(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)


def test_the_page_shows_what_its_examples_print() -> None:
    text = PAGE.read_text()
    names: dict[str, object] = {}

    def run(example: re.Match[str]) -> str:
        code, _ = example.groups()
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(PAGE), "exec"), names)
        shown = f"\n```text\n{printed.getvalue()}```\n" if printed.getvalue() else ""
        return f"```python\n{code}```\n{shown}"

    made = EXAMPLE.sub(run, text)
    assert EXAMPLE.findall(text)
    if os.environ.get("INSTA_UPDATE") == "always":
        PAGE.write_text(made)
    else:
        assert made == text, "docs/book/src/python.md is stale: run `make golden`"
