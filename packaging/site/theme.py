#!/usr/bin/env python3
"""Completes the style sheet of the theme Furo in a site, as Debian builds it: theme.py SITE

Debian's has no rule for readers whose system asks for dark colours, though its pages expect one, and takes
normalize.css from a web server's directory. A site whose style sheet has both already stays as it is.
"""
import pathlib
import re
import sys

NORMALIZE = pathlib.Path("/usr/share/javascript/normalize.css/normalize.css")


def main(site):
    sheet = pathlib.Path(site) / "_static" / "styles" / "furo.css"
    text = sheet.read_text(encoding="utf-8")
    elsewhere = re.match(r'@import url\(["\']?/[^)]*\);\n?', text)
    if elsewhere:
        text = NORMALIZE.read_text(encoding="utf-8") + text[elsewhere.end():]
    if "prefers-color-scheme" not in text:
        dark = re.search(r'body\[data-theme="?dark"?\]\s*\{([^{}]*--color-foreground-primary[^{}]*)\}', text)
        if not dark:
            sys.exit("theme: %s has no dark colours" % sheet)
        text += '\n@media (prefers-color-scheme: dark) {\n  body[data-theme="auto"] {%s}\n}\n' % dark.group(1)
    sheet.write_text(text, encoding="utf-8")


main(sys.argv[1])
