#!/usr/bin/env python3
"""Puts the pages of the site together from the Markdown of the repository: stage.py REPOSITORY DIR

DIR/pages gets what Sphinx reads: docs/ as it is, the pages beside it that PAGES lists, and the navigation. DIR/extra gets
files that pages link to and that go into the site unchanged.

The navigation is docs/index.md: a section is a part of it, and the pages that the section links to are its entries, in
their order. Pages in a directory with the name of a page (run/ beside run.md) stand below that page, in the order of its
links. Pages of ALONE are reached by the links of the page above them, and by searching. A page that none of these leads
to is an error.

Links are adapted to the places that pages have in the site. A link to a file that the site does not have loses its
target and keeps its text.
"""
import os
import pathlib
import re
import shutil
import sys

# Pages that are not below docs/, with their places in the site.
PAGES = {
    "README.md": "readme.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "examples/README.md": "examples.md",
    "bench/RESULTS.md": "bench/results.md",
    "bench/APPS.md": "bench/apps.md",
    "bench/MATRIX.md": "bench/matrix.md",
    "bench/NIGHTLY.md": "bench/nightly.md",
    "bench/UPC.md": "bench/upc.md",
}
# Directories of pages that are too many for the navigation.
ALONE = {"findings"}
# Files that go into the site as they are: below these directories, and with these endings below docs/.
EXTRA = ["examples"]
DATA = {".json"}

LINK = re.compile(r"(!?)\[((?:[^\[\]`]|`[^`]*`)*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^\s*```")


def placed(repository):
    """Each page of the repository, with its place in the site."""
    pages = {name: at for name, at in PAGES.items() if (repository / name).is_file()}
    for path in sorted((repository / "docs").rglob("*.md")):
        pages[path.relative_to(repository).as_posix()] = path.relative_to(repository / "docs").as_posix()
    return pages


def prose(text):
    """The parts of a page, each with whether it is prose: code in fences is not."""
    part, code = [], False
    for line in text.splitlines(keepends=True):
        fence = FENCE.match(line)
        if fence and not code and part:
            yield "".join(part), True
            part = []
        part.append(line)
        if fence and code:
            yield "".join(part), False
            part = []
        code = code != bool(fence)
    yield "".join(part), not code


def is_extra(path):
    return path.split("/")[0] in EXTRA or path.startswith("docs/") and os.path.splitext(path)[1] in DATA


class Site:
    def __init__(self, repository):
        self.repository = repository
        self.pages = placed(repository)
        self.texts = {at: (repository / name).read_text() for name, at in self.pages.items()}
        self.extra, self.images = set(), set()
        # The links of each page to other pages, in their order; and those of each section of the front page.
        self.links = {at: [] for at in self.texts}
        for name, at in self.pages.items():
            self.texts[at] = "".join(
                LINK.sub(lambda m: self.link(name, at, m), part) if is_prose else part
                for part, is_prose in prose(self.texts[at]))

    def link(self, name, at, m):
        """A link of a page, as it is in the site."""
        image, text, target = m.groups()
        if "://" in target or target.startswith(("#", "mailto:")):
            return m.group(0)
        file, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(name), file))
        here = os.path.dirname(at)
        if path in self.pages:
            to = self.pages[path]
            if to not in self.links[at]:
                self.links[at].append(to)
            return f"{image}[{text}]({os.path.relpath(to, here)}{'#' + anchor if anchor else ''})"
        if image:
            self.images.add(path)
            return f"![{text}]({os.path.relpath(path.removeprefix('docs/'), here)})"
        if is_extra(path) and (self.repository / path).exists():
            self.extra.add(path)
            to = os.path.relpath(path.removeprefix("docs/"), here)
            return f'<a href="{to}">{text}</a>'
        return text

    def navigation(self):
        """The entries below each page: {page: [(caption, entries)]}."""
        trees, seen, todo = {"index.md": []}, {"index.md"}, []
        for section in re.split(r"(?m)^## ", self.texts["index.md"])[1:]:
            caption, _, body = section.partition("\n")
            entries = []
            for m in LINK.finditer(body):
                to = os.path.normpath(m.group(3).partition("#")[0])
                if to in self.texts and to not in seen:
                    seen.add(to)
                    entries.append(to)
            if entries:
                trees["index.md"].append((caption.strip(), entries))
                todo += entries
        for page in todo:
            below = [to for to in self.links[page]
                     if to not in seen and os.path.dirname(to) == page.removesuffix(".md")]
            seen.update(below)
            if os.path.splitext(page)[0] in ALONE:
                for to in below:
                    self.texts[to] = "---\norphan: true\n---\n\n" + self.texts[to]
            elif below:
                trees[page] = [("", below)]
                todo += below
        lost = sorted(set(self.texts) - seen)
        if lost:
            sys.exit("site: no section of docs/index.md leads to: " + ", ".join(lost))
        return trees

    def write(self, out):
        for page, parts in self.navigation().items():
            for caption, entries in parts:
                here = os.path.dirname(page)
                self.texts[page] += "\n```{toctree}\n:hidden:\n:titlesonly:\n" + (
                    f":caption: {caption}\n" if caption else "") + "\n" + "".join(
                        os.path.relpath(to, here).removesuffix(".md") + "\n" for to in entries) + "```\n"
        for at, text in self.texts.items():
            path = out / "pages" / at
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        for path in self.images:
            to = out / "pages" / path.removeprefix("docs/")
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.repository / path, to)
        (out / "extra").mkdir()
        for path in EXTRA:
            if (self.repository / path).is_dir():
                shutil.copytree(self.repository / path, out / "extra" / path)
        for path in sorted(self.extra):
            if path.startswith("docs/"):
                to = out / "extra" / path.removeprefix("docs/")
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self.repository / path, to)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: stage.py REPOSITORY DIR")
    Site(pathlib.Path(sys.argv[1]).resolve()).write(pathlib.Path(sys.argv[2]))


main()
