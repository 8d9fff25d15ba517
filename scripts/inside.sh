#!/bin/bash
# inside.sh [-b DIRECTORY]… ROOT COMMAND… runs a command as root in a chroot, in namespaces of its own: mounts and processes end with it, and
# /tmp, /dev/shm and /run are its own. A directory of -b is there under its own path, read-only. Its exit status is the command's.
set -euo pipefail
binds=()
while [ "${1-}" = -b ]; do
	binds+=("$(realpath "$2")")
	shift 2
done
[ $# -ge 2 ] || { echo "usage: scripts/inside.sh [-b DIRECTORY]… ROOT COMMAND…" >&2; exit 2; }
export INSIDE_BINDS
INSIDE_BINDS=$(printf '%s\n' "${binds[@]}")
exec unshare --mount --pid --ipc --fork --kill-child bash -euc '
	root=$(realpath "$1")
	shift
	mount --make-rprivate /
	mount -t proc proc "$root/proc"
	mount --rbind /dev "$root/dev"
	mount --rbind /sys "$root/sys"
	for directory in tmp run dev/shm; do
		mount -t tmpfs -o mode=1777 tmpfs "$root/$directory"
	done
	# Some MPI libraries ask for the address of the host by its name.
	echo "127.0.0.1 localhost $(hostname)" >"$root/tmp/.hosts"
	touch "$root/etc/hosts"
	mount --bind "$root/tmp/.hosts" "$root/etc/hosts"
	while IFS= read -r directory; do
		[ -n "$directory" ] || continue
		mkdir -p "$root$directory"
		mount --bind "$directory" "$root$directory"
		mount -o remount,bind,ro "$root$directory"
	done <<<"$INSIDE_BINDS"
	unset INSIDE_BINDS
	exec chroot "$root" "$@"
' inside "$@"
