#!/bin/bash
# Prints the version that packages of this commit have: that of its tag (v1.2.3), or else the next one, which is in the
# file VERSION, with the moment and the name of the commit, as in 0.1.0-dev.20261127090315.g5550e38c. By these, a later commit is a newer
# version. Sources without git have 0.1.0-dev.
set -euo pipefail
cd "$(dirname "$0")/.."

next=$(tr -d '[:space:]' <VERSION)
if ! [[ $next =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
	echo "version: the file VERSION has \"$next\", expected a version, as in 0.1.0" >&2
	exit 1
fi
if ! git rev-parse --verify -q HEAD >/dev/null 2>&1; then
	echo "$next-dev"
	exit 0
fi
dirty=""
git diff --quiet HEAD -- || dirty=.dirty
if [ -z "$dirty" ] && tag=$(git describe --tags --exact-match --match 'v[0-9]*' 2>/dev/null); then
	echo "${tag#v}"
	exit 0
fi
echo "$next-dev.$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y%m%d%H%M%S).g$(git rev-parse --short=8 HEAD)$dirty"
