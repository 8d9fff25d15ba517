#!/bin/bash
# Prints the version that packages of this commit have: that of its tag (v1.2.3), or else the one that CHANGELOG.md works towards, with the moment
# and the name of the commit, as in 0.1.0-dev.20261127090315.g5550e38c. By these, a later commit is a newer version.
set -euo pipefail
cd "$(dirname "$0")/.."

dirty=""
git diff --quiet HEAD -- || dirty=.dirty
if [ -z "$dirty" ] && tag=$(git describe --tags --exact-match --match 'v[0-9]*' 2>/dev/null); then
	echo "${tag#v}"
	exit 0
fi
next=$(sed -n 's/^## \([0-9]*\.[0-9]*\.[0-9]*\).*/\1/p' CHANGELOG.md | head -1)
if [ -z "$next" ]; then
	echo "version: CHANGELOG.md has no heading with a version, as in: ## 0.1.0" >&2
	exit 1
fi
echo "$next-dev.$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y%m%d%H%M%S).g$(git rev-parse --short=8 HEAD)$dirty"
