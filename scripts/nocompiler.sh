#!/bin/bash
# Runs unknot where there is no compiler: chroots with both MPI libraries and nothing to build with. Their programs come from the chroots of the
# matrix. The unknot has to be one with probes (make probes). nocompiler.sh [UNKNOT [RELEASE…]]
set -euo pipefail
cd "$(dirname "$0")/.."
unknot=$PWD/${1:-bin/unknot}
[ $# -gt 1 ] || set -- "$unknot" bullseye bookworm trixie sid
shift
roots=${XDG_CACHE_HOME:-$HOME/.cache}/unknot-test
programs=$PWD/build/nocompiler
failed=0
for release in "$@"; do
	bare=$roots/bare/$release full=$roots/matrix/$release
	scripts/chroot.sh "$release" "$bare" openmpi-bin mpich
	scripts/chroot.sh "$release" "$full" gcc libc6-dev libopenmpi-dev libmpich-dev
	libraries=(openmpi mpich alike) # MPICH by the name that Intel MPI and MVAPICH have too
	[ "$release" != sid ] || libraries+=(abi) # of the MPI standard, as Open MPI has it
	for library in "${libraries[@]}"; do
		mkdir -p "$programs/$release-$library"
		if [ "$library" = alike ]; then
			scripts/inside.sh "$full" sh -c 'sed "s/libmpich\.so\.12\x00/libmpi.so.12\x00\x00\x00/" "$(gcc -print-file-name=libmpich.so.12)"' >"$programs/$release-alike/libmpi.so.12"
			chmod 755 "$programs/$release-alike/libmpi.so.12"
		fi
		for which in broken fixed; do
			scripts/inside.sh -b "$PWD" "$full" sh -euc '
				case $1 in
				abi) gcc "-I/usr/lib/$(gcc -print-multiarch)/mpi_abi_mpich/include" -g -o /tmp/program "$2" -lmpi_abi ;;
				alike)
					mpicc.mpich -g -c -o /tmp/program.o "$2"
					gcc -o /tmp/program /tmp/program.o "$3/libmpi.so.12" "-Wl,-rpath,$3"
					;;
				*) "mpicc.$1" -g -o /tmp/program "$2" ;;
				esac
				cat /tmp/program' compile "$library" "$PWD/examples/recv-recv/$which.c" "$programs/$release-$library" >"$programs/$release-$library/$which"
			chmod 755 "$programs/$release-$library/$which"
		done
		# The first run has nothing in the cache.
		launcher=mpirun.${library/abi/openmpi}
		said=$(scripts/inside.sh -b "$PWD" "$bare" bash -uc '
			export XDG_CACHE_HOME=/tmp/cache HOME=/tmp OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
			export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_mapby=:oversubscribe
			! command -v gcc cc || exit 1 # mpicc is there, and has nothing to call
			"$1" run "$2" -n 2 "$3/broken" 2>&1
			echo "broken: $?"
			"$1" run "$2" -n 2 "$3/fixed" 2>&1
			echo "fixed: $?"
			"$1" doctor 2>&1 | grep "probe:"' run "$unknot" "${launcher/alike/mpich}" "$programs/$release-$library" || true)
		if grep -q 'Ranks 0 and 1 wait for each other' <<<"$said" && grep -qx 'broken: 66' <<<"$said" && grep -qx 'fixed: 0' <<<"$said" && grep -q 'part of this unknot' <<<"$said"; then
			echo "nocompiler: $release, $library: watched without a compiler"
		else
			echo "nocompiler: $release, $library: failed:"$'\n'"$said" >&2
			failed=1
		fi
	done
done
exit "$failed"
