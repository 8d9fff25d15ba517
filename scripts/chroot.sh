#!/bin/bash
# chroot.sh SUITE[-ARCH] DIRECTORY PACKAGE… makes a minimal Debian of that suite in the directory, with the packages. What is there already is kept:
# with nothing to install, it takes no time. Needs root, and the host to be Debian. That for another kind of machine is made and run by QEMU
# (bookworm-arm64); where that cannot be, the exit status is 77.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: scripts/chroot.sh SUITE[-ARCH] DIRECTORY PACKAGE…" >&2; exit 2; }
[ "$(id -u)" -eq 0 ] || { echo "chroot: only root can make a chroot; hint: sudo scripts/chroot.sh $*" >&2; exit 1; }
suite=${1%%-*} arch=${1#"${1%%-*}"} directory=$2
arch=${arch#-}
arch=${arch:-$(dpkg --print-architecture)}
shift 2
here=$(cd "$(dirname "$0")" && pwd)
. "$here/packages.sh"
"$here/emulate.sh" "$arch"

mirror=$(debian_mirror)

if [ ! -d "$directory" ]; then
	install_packages chroot debootstrap
	mkdir -p "$(dirname "$directory")"
	new=$(mktemp -d "$directory.XXXXXX")
	trap 'rm -rf "$new"' EXIT
	chmod 755 "$new"
	echo "chroot: making $directory of $suite for $arch from $mirror"
	debootstrap --arch="$arch" --variant=minbase "$suite" "$new" "$mirror" >"$directory.log" 2>&1 || {
		tail -n 5 "$directory.log" >&2
		echo "chroot: debootstrap failed; hint: $directory.log has all that it said" >&2
		exit 1
	}
	# The mirror may stand still at a date, and its lists have expired then; daemons of packages are not started.
	echo 'Acquire::Check-Valid-Until "false";' >"$new/etc/apt/apt.conf.d/90unknot"
	printf '#!/bin/sh\nexit 101\n' >"$new/usr/sbin/policy-rc.d"
	chmod 755 "$new/usr/sbin/policy-rc.d"
	mv "$new" "$directory"
	trap - EXIT
fi

missing=()
for package in "$@"; do
	[ "$(dpkg-query --admindir="$directory/var/lib/dpkg" -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0
echo "chroot: installing ${missing[*]} in $directory"
"$here/inside.sh" "$directory" sh -c 'apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@" && apt-get clean' apt "${missing[@]}" >>"$directory.log" 2>&1 || {
	tail -n 5 "$directory.log" >&2
	echo "chroot: apt-get failed in $directory; hint: $directory.log has all that it said" >&2
	exit 1
}
