#!/bin/bash
# Fetches axe-core, which tests hold the HTML page to, from npm into build/axe. It does nothing if that version is there.
set -euo pipefail
cd "$(dirname "$0")/.."

version=4.14.1
sum=29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c

has() { echo "$sum  build/axe/axe.min.js" | sha256sum --check --status 2>/dev/null; }

if has; then
	exit 0
fi
if ! command -v npm >/dev/null; then
	echo "axe: npm is not installed; hint: install it, or put axe.min.js of axe-core $version into build/axe" >&2
	exit 1
fi
mkdir -p build/axe
npm pack --silent --pack-destination build/axe "axe-core@$version" >/dev/null
tar -xzf "build/axe/axe-core-$version.tgz" -C build/axe --strip-components=1 package/axe.min.js
rm "build/axe/axe-core-$version.tgz"
if ! has; then
	echo "axe: axe.min.js of axe-core $version is not the one that is expected; hint: compare it with the one that npm has" >&2
	exit 1
fi
