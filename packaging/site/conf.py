"""How Sphinx makes the site of the pages that stage.py has put together; packaging/site.sh starts both."""
import os
import re

project = "unknot"
html_title = "unknot " + re.sub(r"-dev\..*", "-dev", os.environ["VERSION"])  # without the commit
root_doc = "index"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}

# The links of the pages are those that a code host follows: to files, and to headings by the names that it gives them.
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]
# A page may begin its sections at any level, and has code in languages that Pygments does not know (UPC).
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
highlight_language = "none"
smartquotes = False

html_theme = "furo"
html_theme_options = {"footer_icons": [], "navigation_with_keys": True}
html_extra_path = [os.environ["EXTRA"]]
html_permalinks_icon = "#"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_use_index = False
html_domain_indices = False
# Lines of the pages under each result would be fetched, which browsers do not do for file://.
html_show_search_summary = False
