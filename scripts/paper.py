"""Compiles argv[1] to argv[2] with the Python package typst; warnings go to stderr."""

import sys

import typst

pdf, warnings = typst.compile_with_warnings(sys.argv[1])
for warning in warnings:
    print(f"warning: {warning}", file=sys.stderr)
with open(sys.argv[2], "wb") as file:
    file.write(pdf)
