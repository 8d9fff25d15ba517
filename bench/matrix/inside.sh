#!/bin/bash
# inside.sh LIBRARY UNKNOT TESTS RUN SKIP PACKAGE… runs tests of packages in a chroot of the matrix; it stands in the repository, which is read-only there.
# LIBRARY is openmpi or mpich; with -abi behind it, programs are linked with that library by the ABI of the MPI standard.
set -uo pipefail
library=${1%-abi} abi=${1#"${1%-abi}"} unknot=$2 tests=$3 run=$4 skip=$5
shift 5
cd "$(dirname "$0")/../.." || exit 1
export HOME=/tmp/home XDG_CACHE_HOME=/tmp/cache
mkdir -p "$HOME" "$XDG_CACHE_HOME" /tmp/bin
# What is beside the program in its own directory is found by it.
cp "$unknot" /tmp/bin/unknot
ln -s unknot /tmp/bin/upc-check
gcc -std=gnu11 -O2 -shared -fPIC -o /tmp/polite.so internal/test/testkit/csrc/polite.c -ldl -lpthread || exit 1
# Debian 11 has mpifort.openmpi without the file that it reads.
if ! mpifort.openmpi --version >/dev/null 2>&1; then
	printf '#!/bin/sh\nexec mpif90.openmpi "$@"\n' >/tmp/bin/mpifort.openmpi
	chmod 755 /tmp/bin/mpifort.openmpi
	export PATH=/tmp/bin:$PATH
fi
# Debian has the libraries, but no compiler command for them that works.
if [ -n "$abi" ]; then
	lib=/usr/lib/$(gcc -print-multiarch) header=$(ls -d "$lib/openmpi/include/standard_abi")
	[ "$library" = openmpi ] || header=$lib/mpi_abi_mpich/include
	mkdir /tmp/abi
	ln -s "$lib/libmpi_abi_$library.so.1.0.0" /tmp/abi/libmpi_abi.so.1
	ln -s libmpi_abi.so.1 /tmp/abi/libmpi_abi.so
	for pair in cc:gcc cxx:g++; do
		printf '#!/bin/sh\nexec %s -I%s "$@" -L/tmp/abi -Wl,-rpath,/tmp/abi -lmpi_abi\n' "${pair#*:}" "$header" >"/tmp/bin/mpi${pair%:*}.$library"
		chmod 755 "/tmp/bin/mpi${pair%:*}.$library"
	done
	ln -s "mpicc.$library" /tmp/bin/mpicc_abi
	export PATH=/tmp/bin:$PATH
fi
# What is chosen of the tests is the same at night.
unset UNKNOT_NIGHTLY
export UNKNOT_LIBRARY=$library UNKNOT_BUILT=/tmp/bin/unknot UNKNOT_POLITE=/tmp/polite.so
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_pml=ob1 HWLOC_COMPONENTS=-pci,-linuxio
# UCX cannot serve windows here. Where it is asked, MPI_Win_create fails with Open MPI 4.1.0, and 6.0.0 prints an error, without unknot too.
# What Netlink says of this machine's interfaces has Open MPI 5.0.7 print that none reaches another, without unknot too.
export OMPI_MCA_osc=^ucx OMPI_MCA_reachable=^netlink
# From 5.0 on, PRRTE starts the jobs of Open MPI. It has settings of its own, also in jobs that do not have this environment; what the first is called has
# changed with 6.0. And the memory that the ranks of a job share is called by 16 bits of a hash of its mpirun's process number: two jobs at a time with the same
# ones, as of 5217 and 5222, take each other's messages and crash in mca_btl_sm_poll_handle_frag, without unknot too. Here each has a separate directory.
if command -v prterun >/dev/null; then
	mkdir /tmp/launcher
	cp /usr/bin/mpirun.openmpi /tmp/launcher
	cat >/tmp/launcher/apart <<-'EOF'
		#!/bin/sh
		directory=$(mktemp -d /tmp/shared.XXXXXX) || exit 1
		export OMPI_MCA_btl_sm_backing_directory="$directory" OMPI_MCA_osc_sm_backing_directory="$directory"
		export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_mapby=:oversubscribe OMPI_MCA_osc=^ucx OMPI_MCA_reachable=^netlink
		exec /tmp/launcher/mpirun.openmpi "$@"
	EOF
	chmod 755 /tmp/launcher/apart
	mount --bind /tmp/launcher/apart /usr/bin/mpirun.openmpi || exit 1
fi
by=${abi:+ by the standard ABI}
version() { echo '#include <mpi.h>' | "/usr/bin/mpicc.$library" -E -dM -x c - | sed -n "s/^#define $1 \"\\?\\([^\"]*\\)\"\\?/\\1/p"; }
case $library in
openmpi) echo "matrix: library: Open MPI $(version OMPI_MAJOR_VERSION).$(version OMPI_MINOR_VERSION).$(version OMPI_RELEASE_VERSION)$by" ;;
*) echo "matrix: library: MPICH $(version MPICH_VERSION)$by" ;;
esac
echo "matrix: compiler: gcc $(gcc -dumpfullversion)"
# The probe is in the cache when the first tests run, several at a time.
"mpicc.$library" -g -o /tmp/first examples/recv-recv/fixed.c && /tmp/bin/unknot run --mpicc "mpicc.$library" "mpirun.$library" -n 2 /tmp/first >/tmp/first.log 2>&1 ||
	{ cat /tmp/first.log; exit 1; }
status=0
for package in "$@"; do
	echo "matrix: package: ${package##*/}:"
	(cd "$package" && exec "$tests/${package##*/}.test" -test.v -test.count=1 -test.timeout=0 -test.parallel=4 -test.run "$run" -test.skip "$skip") || status=1
done
exit $status
