#!/bin/bash
# Writes internal/observe/probe/testdata/functions.tsv: the functions that mpi.h of each library of the matrix declares, and that of the standard ABI.
set -euo pipefail
cd "$(dirname "$0")/.."
roots=${XDG_CACHE_HOME:-$HOME/.cache}/unknot-test/matrix
headers=$PWD/build/headers
rm -rf "$headers"
mkdir -p "$headers"

# take ROOT NAME COMPILER… writes a header as that compiler preprocesses it.
take() {
	local root=$1 name=$2
	shift 2
	scripts/inside.sh "$root" sh -c 'echo "#include <mpi.h>" | "$@" -E -x c -' cc "$@" >"$headers/$name.h"
}

for release in bullseye bookworm trixie sid; do
	root=$roots/$release
	scripts/chroot.sh "$release" "$root" gcc libc6-dev libopenmpi-dev openmpi-bin libmpich-dev mpich
	for library in openmpi mpich; do
		package=lib$library-dev
		version=$(dpkg-query --admindir="$root/var/lib/dpkg" -W -f '${Version}' "$package")
		# Of 4.3.0+really4.2.1-1 and 6.0.0~rc2-2, what the library calls itself.
		version=${version##*really}
		take "$root" "$library-${version%%[-~]*}" "mpicc.$library"
	done
done
take "$roots/sid" abi-5.0 gcc -I/usr/lib/x86_64-linux-gnu/mpi_abi_mpich/include
go test -count=1 ./internal/observe/probe/gen -run EveryFunctionOfTheseHeaders -args -headers "$headers"
