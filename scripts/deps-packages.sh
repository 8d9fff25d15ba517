#!/bin/bash
# Installs what the tests of packages need besides what all tests need: a Debian to install them in, RPM, Lmod, a builder of images.
set -euo pipefail
. "$(dirname "$0")/packages.sh"

if ! command -v dpkg-query >/dev/null; then
	echo "deps: this is not Debian, which the tests of packages need; hint: run them in a container of it" >&2
	exit 1
fi
install_packages deps rpm lmod man-db buildah python3
