#!/bin/bash
# Builds a probe for each MPI library of the matrix (scripts/chroot.sh), and packs them so that they become part of unknot when it is built next.
# The compiler and the C library are those of the oldest release, so that probes run with all newer ones; only the headers are the libraries' own.
# probes.sh [--if-there] [UNKNOT]: with the option, it makes none where a chroot is missing, or where there are those of these sources.
set -euo pipefail
cd "$(dirname "$0")/.."
if_there=
[ "${1-}" != --if-there ] || { if_there=yes; shift; }
unknot=$PWD/${1:-bin/unknot}
roots=${XDG_CACHE_HOME:-$HOME/.cache}/unknot-test/matrix
oldest=bullseye
work=$PWD/build/probes ready=internal/probe/ready
if [ -n "$if_there" ]; then
	for release in bullseye bookworm trixie sid; do
		[ -d "$roots/$release" ] && [ "$(id -u)" -eq 0 ] || exit 0
	done
	[ -z "$(go run ./internal/probe/pack -fitting "$ready")" ] || exit 0
fi
rm -rf "$work"
mkdir -p "$work"
rm -f "$ready"/*.gz "$ready"/*.json
scripts/chroot.sh "$oldest" "$roots/$oldest" gcc libc6-dev

# probe RELEASE LIBRARY SONAME builds the one for a library of a release.
probe() {
	local release=$1 library=$2 soname=$3 name=$1-$2 include
	local compiler=mpicc.$library
	# No compiler command of Debian's is for the standard ABI. Its header is the same with all libraries.
	[ "$library" != abi ] || compiler="gcc -I/usr/lib/\$(gcc -print-multiarch)/mpi_abi_mpich/include"
	include=$(scripts/inside.sh "$roots/$release" sh -c "echo '#include <mpi.h>' | $compiler -E -x c -" | sed -n 's|^# 1 "\(.*\)/mpi\.h".*|\1|p' | head -n 1)
	[ -n "$include" ] || { echo "probes: $release has no mpi.h of $library; hint: make matrix" >&2; exit 1; }
	mkdir -p "$work/$name/include" "$work/$name/out"
	scripts/inside.sh "$roots/$release" tar -C "$include" -ch . | tar -C "$work/$name/include" -x
	# What a program is linked with, to see the name of the library: the function that it calls is enough.
	# All is at the same paths wherever this is run, as a probe is named for what is compiled.
	cat >"$work/$name/mpicc" <<-END
		#!/bin/sh
		exec gcc -I/tmp/kit/include "\$@" -L/tmp/stub -lmpi
	END
	chmod 755 "$work/$name/mpicc"
	echo "probes: $name"
	scripts/inside.sh -b "$PWD" -w "$work/$name" /tmp/kit "$roots/$oldest" sh -euc '
		mkdir /tmp/stub /tmp/out
		echo "int MPI_Init(void) { return 0; }" >/tmp/stub/mpi.c
		gcc -shared -fPIC -Wl,-soname,"$1" -o /tmp/stub/libmpi.so /tmp/stub/mpi.c
		"$2" probe build --mpicc /tmp/kit/mpicc -o /tmp/out >&2
		tar -C /tmp/out -c .' probe "$soname" "$unknot" | tar -C "$work/$name/out" -x
}

probe bullseye openmpi libmpi.so.40
probe trixie openmpi libmpi.so.40
probe sid openmpi libmpi.so.40
for release in bullseye bookworm trixie sid; do
	probe "$release" mpich libmpich.so.12
done
probe sid abi libmpi_abi.so.1
go run ./internal/probe/pack "$work"/*/out "$ready"
ls -l "$ready"
