#!/bin/bash
# Compares mpi.h of Debian's MPI libraries for amd64 and arm64, and what it includes of theirs: scripts/probes.sh makes probes for both of one of them.
# sameheaders.sh [RELEASE…]; each needs its chroot of the matrix, and Debian's mirror.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- bullseye bookworm trixie sid
roots=${XDG_CACHE_HOME:-$HOME/.cache}/unknot-test/matrix
for release in "$@"; do
	scripts/chroot.sh "$release" "$roots/$release" gcc libc6-dev libopenmpi-dev libmpich-dev
	scripts/inside.sh "$roots/$release" bash -euo pipefail -c '
		here=$(dpkg --print-architecture) other=arm64
		[ "$here" != arm64 ] || other=amd64
		tuple() { case $1 in amd64) echo x86_64-linux-gnu ;; arm64) echo aarch64-linux-gnu ;; esac; }
		# The lists of the other kind of machine stand beside those of the system, which stays as it is.
		mkdir -p /tmp/apt/lists/partial /tmp/apt/cache/archives/partial /tmp/packages /tmp/other
		touch /tmp/apt/status
		apt=(apt-get -q -o "APT::Architecture=$other" -o "APT::Architectures::=$other" -o Dir::State=/tmp/apt -o Dir::State::status=/tmp/apt/status
			-o Dir::Cache=/tmp/apt/cache -o APT::Sandbox::User=root -o Acquire::Languages=none)
		"${apt[@]}" update >/dev/null
		cd /tmp/packages
		"${apt[@]}" download libopenmpi-dev libmpich-dev >/dev/null
		for package in *.deb; do dpkg-deb -x "$package" /tmp/other; done
		for library in openmpi mpich abi; do
			mpicc=(mpicc.$library)
			if [ "$library" = abi ]; then
				abi=/usr/lib/$(tuple "$here")/mpi_abi_mpich/include
				[ -d "$abi" ] || continue
				mpicc=(gcc "-I$abi")
			fi
			files=$(echo "#include <mpi.h>" | "${mpicc[@]}" -E -x c - | sed -n "s/^# [0-9]* \"\(\/[^\"]*\)\".*/\1/p" | sort -u)
			directory=$(grep "/mpi\.h$" <<<"$files" | xargs dirname)
			for file in $(grep "^$directory/" <<<"$files"); do
				cmp "$file" "/tmp/other${file//$(tuple "$here")/$(tuple "$other")}" ||
					{ echo "sameheaders: $1: $file differs for $other; hint: scripts/probes.sh has to take that of each" >&2; exit 1; }
			done
			echo "sameheaders: $1: $library: the same for $here and $other"
		done' compare "$release"
done
