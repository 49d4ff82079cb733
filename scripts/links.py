#!/usr/bin/env python3
"""Checks that the links of pages (.md, .html) lead to files and headings that are there. Asks nothing of the network.

usage: scripts/links.py FILE-OR-FOLDER...
"""

import pathlib
import re
import sys
import urllib.parse
from html.parser import HTMLParser

SKIPPED = {"target", "node_modules", "fixtures", "page"}


class Page(HTMLParser):
    """The anchors and links of an HTML page."""

    def __init__(self):
        super().__init__()
        self.anchors, self.links = set(), []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            if name in ("href", "src") and value:
                self.links.append(value)


def read_markdown(text):
    """The anchors that viewers give to headings, and the links outside of code."""
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.S | re.M)
    headings = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line) for line in re.findall(r"^#+ +(.*)$", text, re.M)]
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
    return anchors, re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text))


def read_page(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return read_markdown(text)
    page = Page()
    page.feed(text)
    return page.anchors, page.links


def find_pages(names):
    for name in map(pathlib.Path, names):
        inside = [name] if name.is_file() else sorted(name.rglob("*.md")) + sorted(name.rglob("*.html"))
        yield from (page for page in inside if page == name or not SKIPPED & set(page.relative_to(name).parts))


def check_link(page, link):
    """What is wrong with a link, or None."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    target = page.parent / urllib.parse.unquote(parts.path) if parts.path else page
    if not target.exists():
        return "leads to no file"
    if parts.fragment and target.suffix in (".md", ".html"):
        anchors, _ = read_page(target)
        if urllib.parse.unquote(parts.fragment) not in anchors:
            return "leads to no heading"
    return None


def main():
    pages, broken = list(find_pages(sys.argv[1:])), 0
    for page in pages:
        for link in read_page(page)[1]:
            if wrong := check_link(page, link):
                broken += 1
                print(f"{page}: {link} {wrong}", file=sys.stderr)
    print(f"links of {len(pages)} pages: {broken} broken")
    return broken > 0


if __name__ == "__main__":
    sys.exit(main())
