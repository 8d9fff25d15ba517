#!/bin/bash
# inside.sh LIBRARY UNKNOT TESTS RUN PACKAGE… runs tests of packages in a chroot of the matrix; it stands in the repository, which is read-only there.
set -uo pipefail
library=$1 unknot=$2 tests=$3 run=$4
shift 4
cd "$(dirname "$0")/../.." || exit 1
export HOME=/tmp/home XDG_CACHE_HOME=/tmp/cache
mkdir -p "$HOME" "$XDG_CACHE_HOME" /tmp/bin
# What is beside the program in its own directory is found by it.
cp "$unknot" /tmp/bin/unknot
ln -s unknot /tmp/bin/upc-check
gcc -std=gnu11 -O2 -shared -fPIC -o /tmp/polite.so internal/testkit/csrc/polite.c -ldl -lpthread || exit 1
# Debian 11 has mpifort.openmpi without the file that it reads.
if ! mpifort.openmpi --version >/dev/null 2>&1; then
	printf '#!/bin/sh\nexec mpif90.openmpi "$@"\n' >/tmp/bin/mpifort.openmpi
	chmod 755 /tmp/bin/mpifort.openmpi
	export PATH=/tmp/bin:$PATH
fi
# What is chosen of the tests is the same at night.
unset UNKNOT_NIGHTLY
export UNKNOT_LIBRARY=$library UNKNOT_BUILT=/tmp/bin/unknot UNKNOT_POLITE=/tmp/polite.so
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_pml=ob1 HWLOC_COMPONENTS=-pci,-linuxio
# PRRTE, which starts the jobs of Open MPI from 5.0 on, has settings of its own; what it is called has changed with 6.0.
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_mapby=:oversubscribe
version() { echo '#include <mpi.h>' | "mpicc.$library" -E -dM -x c - | sed -n "s/^#define $1 \"\\?\\([^\"]*\\)\"\\?/\\1/p"; }
case $library in
openmpi) echo "matrix: library: Open MPI $(version OMPI_MAJOR_VERSION).$(version OMPI_MINOR_VERSION).$(version OMPI_RELEASE_VERSION)" ;;
*) echo "matrix: library: MPICH $(version MPICH_VERSION)" ;;
esac
echo "matrix: compiler: gcc $(gcc -dumpfullversion)"
# The probe is in the cache when the first tests run, several at a time.
"mpicc.$library" -g -o /tmp/first examples/recv-recv/fixed.c && /tmp/bin/unknot run --mpicc "mpicc.$library" "mpirun.$library" -n 2 /tmp/first >/tmp/first.log 2>&1 ||
	{ cat /tmp/first.log; exit 1; }
status=0
for package in "$@"; do
	echo "matrix: package: ${package##*/}:"
	(cd "$package" && exec "$tests/${package##*/}.test" -test.v -test.count=1 -test.timeout=0 -test.parallel=4 -test.run "$run") || status=1
done
exit $status
