#!/bin/bash
# inside.sh [-b DIRECTORY]… [-w DIRECTORY PATH]… ROOT COMMAND… runs a command as root in a chroot, in namespaces of its own: mounts and processes end
# with it, and /tmp, /dev/shm and /run are its own. A directory of -b is there under its own path, read-only; one of -w under the path, as it is. Its exit
# status is the command's.
set -euo pipefail
usage() { echo "usage: scripts/inside.sh [-b DIRECTORY]… [-w DIRECTORY PATH]… ROOT COMMAND…" >&2; exit 2; }
binds=()
while :; do
	case ${1-} in
	-b) [ $# -ge 2 ] || usage; binds+=(ro "$(realpath "$2")" "$(realpath "$2")") && shift 2 ;;
	-w) [ $# -ge 3 ] || usage; binds+=(rw "$(realpath "$2")" "$3") && shift 3 ;;
	*) break ;;
	esac
done
[ $# -ge 2 ] || usage
export INSIDE_BINDS=
[ ${#binds[@]} -eq 0 ] || INSIDE_BINDS=$(printf '%s\n' "${binds[@]}")
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
	rm "$root/tmp/.hosts"
	while IFS= read -r mode && IFS= read -r from && IFS= read -r to; do
		mkdir -p "$root$to"
		mount --bind "$from" "$root$to"
		mount -o "remount,bind,$mode" "$root$to"
	done <<<"$INSIDE_BINDS"
	unset INSIDE_BINDS
	exec chroot "$root" "$@"
' inside "$@"
