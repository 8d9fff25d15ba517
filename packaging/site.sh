#!/bin/bash
# Makes the documents a site that needs neither a network nor a server: site.sh [--if-there] DIR
#
# DIR/index.html is its first page. The generator is Sphinx with MyST and the theme Furo, all of which Debian 12 has. Without it, --if-there makes
# nothing, says so, and succeeds. Of the same documents, version and generator, the site is the same bytes.
set -euo pipefail
if_there=
if [ "${1-}" = --if-there ]; then
	if_there=1
	shift
fi
if [ $# -ne 1 ]; then
	echo "usage: site.sh [--if-there] DIR" >&2
	exit 2
fi
out=$1
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$out"
python=
for candidate in python3 /usr/bin/python3; do # the first one may be a user's own
	if "$candidate" -c 'import sphinx, myst_parser, furo' 2>/dev/null; then
		python=$candidate
		break
	fi
done
if [ -z "$python" ]; then
	if [ -n "$if_there" ]; then
		echo "site: not made, as Sphinx, MyST or Furo is missing; the documents are there as Markdown; hint: make deps-docs" >&2
		exit 0
	fi
	echo "site: Sphinx, MyST or Furo is missing; hint: make deps-docs, or apt-get install python3-sphinx python3-myst-parser furo" >&2
	exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export VERSION=${VERSION-$("$here/version.sh")} EXTRA=$work/extra
export PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1 LC_ALL=C.UTF-8 TZ=UTC
"$python" "$here/site/stage.py" "$here/.." "$work"
mkdir -p "$(dirname "$out")"
# A warning, such as a link that leads nowhere, is an error.
"$python" -m sphinx -q -W --keep-going -b html -d "$work/doctrees" -c "$here/site" "$work/pages" "$out"
"$python" "$here/site/theme.py" "$out"
rm -rf "$out/.buildinfo" "$out/.doctrees"
