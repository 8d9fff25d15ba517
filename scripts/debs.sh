#!/bin/bash
# debs.sh [-n] SUITE[-ARCH] DIRECTORY PACKAGE… unpacks packages of a Debian suite into a new directory; one that is there stays. Needs neither root nor a
# chroot: apt works with separate lists. With -n, also what they need and this machine does not have. Links to absolute paths lead to the same place in
# the directory. The exit status is 77 if this machine has no apt, or the mirror does not have the suite.
set -euo pipefail
needs=
[ "${1-}" != -n ] || { needs=yes; shift; }
[ $# -ge 3 ] || { echo "usage: scripts/debs.sh [-n] SUITE[-ARCH] DIRECTORY PACKAGE…" >&2; exit 2; }
suite=${1%%-*} arch=${1#"${1%%-*}"} directory=$2
arch=${arch#-}
shift 2
[ ! -d "$directory" ] || exit 0
for command in apt-get dpkg dpkg-deb; do
	command -v "$command" >/dev/null || { echo "debs: this machine has no $command; hint: use a Debian or Ubuntu" >&2; exit 77; }
done
arch=${arch:-$(dpkg --print-architecture)}
. "$(dirname "$0")/packages.sh"
mirror=$(debian_mirror)
mkdir -p "$(dirname "$directory")"
work=$(mktemp -d "$directory.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/state/lists/partial "$work"/cache/archives/partial "$work"/debs "$work"/root
status=$work/state/status
[ -n "$needs" ] && status=/var/lib/dpkg/status || touch "$status"
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[ ! -e "$keys" ] || keys="signed-by=$keys"
echo "deb [arch=$arch ${keys##/*}] $mirror $suite main" >"$work/sources.list"
# The mirror may stand still at a date, and its lists have expired then.
apt=(apt-get -q -o "APT::Architecture=$arch" -o "APT::Architectures::=$arch" -o "Dir::State=$work/state" -o "Dir::State::status=$status"
	-o "Dir::Cache=$work/cache" -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=- -o APT::Sandbox::User=root
	-o Acquire::Languages=none -o Acquire::Check-Valid-Until=false -o APT::Get::List-Cleanup=false)
log=$work/log
echo "debs: unpacking $* of $suite for $arch"
"${apt[@]}" update >"$log" 2>&1 && [ -n "$(find "$work/state/lists" -name '*Packages*' -print -quit)" ] ||
	{ tail -n 3 "$log" >&2; echo "debs: $mirror does not have $suite for $arch" >&2; exit 77; }
packages=("$@")
if [ -n "$needs" ]; then
	"${apt[@]}" -q --print-uris --no-install-recommends install "$@" >"$work/needed" 2>>"$log" || { tail -n 3 "$log" >&2; exit 1; }
	mapfile -t packages < <(sed -n "s/^'[^']*' \([^_ ]*\)_.*/\1/p" "$work/needed")
fi
(cd "$work/debs" && "${apt[@]}" download "${packages[@]}") >>"$log" 2>&1 || { tail -n 3 "$log" >&2; echo "debs: cannot download ${packages[*]} of $suite" >&2; exit 1; }
for package in "$work"/debs/*.deb; do
	dpkg-deb -x "$package" "$work/root"
done
find "$work/root" -type l -lname '/*' -printf '%p\t%l\n' | while IFS=$'\t' read -r link to; do
	ln -sfn "$(realpath -ms --relative-to="$(dirname "$link")" "$work/root$to")" "$link"
done
mv "$work/root" "$directory"
