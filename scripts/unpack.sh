#!/bin/bash
# unpack.sh SUITE DIRECTORY PACKAGE… unpacks packages of a Debian suite, and what they need, into a new directory. Commands run there in a chroot, though
# nothing is set up: no alternatives, no cache of the linker. That takes a tenth of the time of scripts/chroot.sh, for what is used once. Needs root, and
# mmdebstrap. The exit status is 77 if the mirror does not have the suite.
set -euo pipefail
[ $# -ge 3 ] || { echo "usage: scripts/unpack.sh SUITE DIRECTORY PACKAGE…" >&2; exit 2; }
[ "$(id -u)" -eq 0 ] || { echo "unpack: only root can enter a chroot; hint: sudo scripts/unpack.sh $*" >&2; exit 1; }
suite=$1 directory=$2
shift 2
. "$(dirname "$0")/packages.sh"
mirror=$(debian_mirror)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
/usr/lib/apt/apt-helper -q download-file "${mirror%/}/dists/$suite/Release" "$log" >/dev/null 2>&1 || {
	echo "unpack: $mirror does not have $suite" >&2
	exit 77
}
# The mirror may stand still at a date, and its lists have expired then.
mmdebstrap --variant=extract --aptopt='Acquire::Check-Valid-Until "false"' --include="$(IFS=, && echo "bash,coreutils,dash,grep,sed,mount,$*")" \
	"$suite" "$directory" "$mirror" >"$log" 2>&1 || {
	tail -n 5 "$log" >&2
	echo "unpack: mmdebstrap could not unpack $* of $suite from $mirror" >&2
	exit 1
}
echo 'root:x:0:0:root:/root:/bin/bash' >"$directory/etc/passwd"
echo 'hosts: files dns' >"$directory/etc/nsswitch.conf" # without it, older ones ask no file
