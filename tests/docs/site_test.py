#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The documentation site: it is made without a warning, each rule and verdict has its page, and each link and anchor exists.

  site_test.py [SITE.PY]"""

import re
import subprocess
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

ROOT = Path(__file__).resolve().parents[2]


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.anchors |= {named[key] for key in ("id", "name") if named.get(key)}
        self.links += [named[key] for key in ("href", "src") if named.get(key)]


def dead_links(folder):
    """Links of the pages below `folder` that lead to no file, or to no anchor of it."""
    pages = {path.resolve(): Page(path) for path in folder.rglob("*.html")}
    dead = []
    for path, page in pages.items():
        for link in page.links:
            if re.match(r"[a-z]+:|//|/", link):
                continue
            target, anchor = urldefrag(link)
            to = (path.parent / unquote(target)).resolve() if target else path
            to = to / "index.html" if to.is_dir() else to
            if not to.exists() or (anchor and to in pages and unquote(anchor) not in pages[to].anchors):
                dead.append(f"{path.relative_to(folder.resolve())}: {link}")
    return dead


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.made = subprocess.run([sys.executable, "-B", ROOT / "docs/site.py", cls.folder.name], capture_output=True,
                                  text=True, check=False)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_it_is_made_without_a_warning(self):
        self.assertEqual((self.made.returncode, self.made.stdout + self.made.stderr), (0, ""))

    def test_each_rule_and_verdict_has_a_page(self):
        for name in ("rules", "verdicts"):
            codes = re.findall(r"^### (\S+) ", (ROOT / f"docs/{name}.md").read_text(encoding="utf-8"), re.MULTILINE)
            self.assertGreater(len(codes), 70)
            for code in codes:
                page = Path(self.folder.name) / name / code / "index.html"
                self.assertIn(f"{code} <code>", page.read_text(encoding="utf-8") if page.exists() else "", code)

    def test_links_lead_somewhere(self):
        self.assertEqual(dead_links(Path(self.folder.name)), [])

    def test_dead_links_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.html").write_text('<h2 id="x">x</h2><a href="b.html#y">y</a><a href="#x">x</a><a href="#z">z</a>'
                                              '<img src="none.png">', encoding="utf-8")
            Path(folder, "b.html").write_text('<h2 id="q">q</h2>', encoding="utf-8")
            self.assertEqual(dead_links(Path(folder)), ["a.html: b.html#y", "a.html: #z", "a.html: none.png"])


if __name__ == "__main__":
    unittest.main()
