#!/bin/bash
# Builds probes for each MPI library of the matrix (scripts/chroot.sh), for x86-64 and aarch64, and packs them so that they become part of unknot when it
# is built next. The compilers and the C library are those of the oldest release, so that probes run with all newer ones; only the headers are the
# libraries' own. Those of Debian's are the same for both kinds of machines (scripts/sameheaders.sh), so this machine's serve for the other too.
# probes.sh [--if-there] [UNKNOT]: with the option, it makes none where a chroot is missing, or where there are those of these sources. ARCHS are the kinds
# of machines (amd64 arm64).
set -euo pipefail
cd "$(dirname "$0")/.."
if_there=
[ "${1-}" != --if-there ] || { if_there=yes; shift; }
unknot=$PWD/${1:-bin/unknot}
roots=${XDG_CACHE_HOME:-$HOME/.cache}/unknot-test/matrix
oldest=bullseye
work=$PWD/build/probes ready=internal/observe/probe/ready
read -ra machines <<<"${ARCHS-amd64 arm64}"
if [ -n "$if_there" ]; then
	for release in bullseye bookworm trixie sid; do
		[ -d "$roots/$release" ] && [ "$(id -u)" -eq 0 ] || exit 0
	done
	missing=
	for machine in "${machines[@]}"; do
		[ -n "$(go run ./internal/observe/probe/pack -fitting "$ready/$machine")" ] || missing=yes
	done
	[ -n "$missing" ] || exit 0
fi
rm -rf "$work"
mkdir -p "$work"

# probe MACHINE RELEASE LIBRARY SONAME builds the one for a library of a release, by the $compiler for that machine.
probe() {
	local machine=$1 release=$2 library=$3 soname=$4 include
	local name=$machine/$release-$library mpicc=mpicc.$library
	# No compiler command of Debian's is for the standard ABI. Its header is the same with all libraries.
	[ "$library" != abi ] || mpicc="gcc -I/usr/lib/\$(gcc -print-multiarch)/mpi_abi_mpich/include"
	include=$(scripts/inside.sh "$roots/$release" sh -c "echo '#include <mpi.h>' | $mpicc -E -x c -" | sed -n 's|^# 1 "\(.*\)/mpi\.h".*|\1|p' | head -n 1)
	[ -n "$include" ] || { echo "probes: $release has no mpi.h of $library; hint: make matrix" >&2; exit 1; }
	mkdir -p "$work/$name/include" "$work/$name/out"
	scripts/inside.sh "$roots/$release" tar -C "$include" -ch . | tar -C "$work/$name/include" -x
	# What a program is linked with, to see the name of the library: the function that it calls is enough.
	# All is at the same paths wherever this is run, as a probe is named for what is compiled.
	cat >"$work/$name/mpicc" <<-END
		#!/bin/sh
		exec $compiler -I/tmp/kit/include "\$@" -L/tmp/stub -lmpi
	END
	chmod 755 "$work/$name/mpicc"
	echo "probes: $name"
	scripts/inside.sh -b "$PWD" -w "$work/$name" /tmp/kit "$roots/$oldest" sh -euc '
		mkdir /tmp/stub /tmp/out
		echo "int MPI_Init(void) { return 0; }" >/tmp/stub/mpi.c
		"$1" -shared -fPIC -Wl,-soname,"$2" -o /tmp/stub/libmpi.so /tmp/stub/mpi.c
		"$3" probe build --mpicc /tmp/kit/mpicc -o /tmp/out >&2
		tar -C /tmp/out -c .' probe "$compiler" "$soname" "$unknot" | tar -C "$work/$name/out" -x
}

for machine in "${machines[@]}"; do
	compiler=gcc packages=(gcc libc6-dev)
	if [ "$machine" != "$(dpkg --print-architecture)" ]; then
		case $machine in
		amd64) compiler=x86_64-linux-gnu-gcc packages=(gcc-x86-64-linux-gnu libc6-dev-amd64-cross) ;;
		arm64) compiler=aarch64-linux-gnu-gcc packages=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross) ;;
		*) echo "probes: none are made for $machine; hint: ARCHS=\"amd64 arm64\"" >&2; exit 1 ;;
		esac
	fi
	scripts/chroot.sh "$oldest" "$roots/$oldest" "${packages[@]}"
	rm -f "$ready/$machine"/*.gz "$ready/$machine"/*.json
	probe "$machine" bullseye openmpi libmpi.so.40
	probe "$machine" trixie openmpi libmpi.so.40
	probe "$machine" sid openmpi libmpi.so.40
	for release in bullseye bookworm trixie sid; do
		probe "$machine" "$release" mpich libmpich.so.12
	done
	probe "$machine" sid abi libmpi_abi.so.1
	go run ./internal/observe/probe/pack "$work/$machine"/*/out "$ready/$machine"
	ls -l "$ready/$machine"
done
