#!/bin/bash
# emulate.sh ARCH has the kernel run programs for another kind of machine (amd64 or arm64), by QEMU; for this machine's own there is nothing to do. Needs
# root, and the host to be Debian. Where the kernel does not let programs be run so, the exit status is 77.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: scripts/emulate.sh ARCH" >&2; exit 2; }
case $1 in
amd64) format=qemu-x86_64 ;;
arm64) format=qemu-aarch64 ;;
*) echo "emulate: there is no kind of machine $1; hint: amd64 or arm64" >&2; exit 2 ;;
esac
[ "$1" != "$(dpkg --print-architecture)" ] || exit 0
formats=/proc/sys/fs/binfmt_misc
# emulated: what runs such programs is open already, so that it need not be in a chroot (F).
emulated() { grep -qx enabled "$formats/$format" && grep -q '^flags: .*F' "$formats/$format"; } 2>/dev/null
emulated && exit 0
[ "$(id -u)" -eq 0 ] || { echo "emulate: only root can have the kernel run programs for $1; hint: sudo scripts/emulate.sh $1" >&2; exit 1; }
if [ ! -e "$formats/register" ]; then
	modprobe -q binfmt_misc 2>/dev/null || true
	mount -t binfmt_misc binfmt_misc "$formats" 2>/dev/null || {
		echo "emulate: programs for $1 cannot be run here, as binfmt_misc cannot be mounted; hint: use a machine whose kernel has it, not a container" >&2
		exit 77
	}
fi
. "$(dirname "$0")/packages.sh"
install_packages emulate qemu-user-static binfmt-support
update-binfmts --enable "$format" || true
emulated || { echo "emulate: QEMU is installed, but $formats has no $format for chroots; hint: update-binfmts --display $format" >&2; exit 1; }
