#!/bin/bash
# Installs unknot below a directory: install.sh UNKNOT PREFIX VERSION [RUNNABLE]
#
# UNKNOT is the binary. RUNNABLE writes the manual pages and completions, if UNKNOT is for another kind of machine than this one. The variable SITE is where
# site.sh has made a site of the documents; if that could not be made, nothing is there.
# Every way to install has what this puts there: make install, the packages, the archives.
set -euo pipefail
if [ $# -lt 3 ]; then
	echo "usage: install.sh UNKNOT PREFIX VERSION [RUNNABLE]" >&2
	exit 2
fi
unknot=$1 prefix=$2 version=$3 runnable=$(realpath "${4-$1}")
here=$(dirname "$0")
share=$prefix/share

install -d "$prefix/bin" "$share/man/man1"
install -m 755 "$unknot" "$prefix/bin/unknot"
ln -sf unknot "$prefix/bin/upc-check"

"$runnable" manual -o "$share/man/man1"
# Links stay links, to the compressed pages.
for page in "$share"/man/man1/unknot*.1; do
	gzip -9nf "$page"
done
rm "$share/man/man1/upc-check.1"
ln -sf unknot-upc-check.1.gz "$share/man/man1/upc-check.1.gz"

# completion SHELL FILE
completion() {
	install -d "$(dirname "$share/$2")"
	"$runnable" completion "$1" >"$share/$2"
	chmod 644 "$share/$2"
}
completion bash bash-completion/completions/unknot
completion zsh zsh/site-functions/_unknot
completion fish fish/vendor_completions.d/unknot.fish

# The documents stand to each other as in the repository, so that their links lead.
doc=$share/doc/unknot
install -d "$doc"
for name in README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md docs examples; do
	(cd "$here/.." && find "$name" -type f -print0) | while IFS= read -r -d '' file; do
		install -D -m 644 "$here/../$file" "$doc/$file"
	done
done
if [ -f "${SITE-}/index.html" ]; then
	rm -rf "$doc/html"
	cp -r --no-preserve=mode,ownership,timestamps "$SITE" "$doc/html"
	chmod -R u=rwX,go=rX "$doc/html"
fi
for licence in "$here"/../LICEN[CS]E* "$here"/../COPYING*; do
	[ ! -f "$licence" ] || install -m 644 "$licence" "$doc/"
done

# find_package(Unknot) finds the module as UnknotConfig.cmake; a project may also have its own copy.
install -D -m 644 "$here/../internal/kit/cmake/FindUnknot.cmake" "$share/unknot/cmake/FindUnknot.cmake"
ln -sf FindUnknot.cmake "$share/unknot/cmake/UnknotConfig.cmake"
install -D -m 644 "$here/../internal/kit/pytest/unknot_pytest.py" "$share/unknot/pytest/unknot_pytest.py"

install -D -m 644 "$here/modules/unknot.lua" "$share/modulefiles/unknot/$version.lua"
