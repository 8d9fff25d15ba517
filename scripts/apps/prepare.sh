#!/bin/bash
# Puts the programs of `make apps` into build/apps: it installs Debian's packages of them, fetches the sources of the two test
# suites, and compiles MPICH's against both MPI libraries. What is there already is kept.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
dir=$root/build/apps
mkdir -p "$dir"

. scripts/packages.sh
install_packages apps lammps lammps-examples hpcc netpipe-openmpi netpipe-mpich2 libscalapack-openmpi-dev libscalapack-mpich-dev dpkg-dev make xz-utils

. "$root/scripts/apps/source.sh"

source_package mpich "$dir/mpich"
if ! source_package mpi4py "$dir/mpi4py"; then
	rm -rf "$dir/mpi4py"
	echo "apps: the source package of mpi4py could not be fetched: its test suite is left out" >&2
fi

# build_suite BUILD SUFFIX OPTIONS… compiles MPICH's test suite with the wrappers of one MPI library. Some of its programs
# need what a library does not have: make continues without them, and the table lists them.
build_suite() {
	# Open MPI hides the functions that MPI-3.0 removed, which the suite's helpers use, unless asked for them so.
	local removed="-DOMPI_OMIT_MPI1_COMPAT_DECLS=0 -DOMPI_REMOVED_USE_STATIC_ASSERT=0"
	local build=$dir/$1 suffix=$2
	shift 2
	[ -e "$build/.built" ] && return 0
	mkdir -p "$build"
	echo "apps: compiling MPICH's test suite with mpicc.$suffix (log: $build/build.log)"
	(
		cd "$build"
		"$dir/mpich/test/mpi/configure" -q --with-mpi=/usr --enable-threads=multiple --disable-dtpools --disable-perftest \
			MPICC="mpicc.$suffix" MPICXX="mpicxx.$suffix" MPIFC="mpifort.$suffix" MPIF77="mpifort.$suffix" \
			CC="mpicc.$suffix" CXX="mpicxx.$suffix" FC="mpifort.$suffix" F77="mpifort.$suffix" \
			CFLAGS="-g -O0 $removed" CXXFLAGS="-g -O0" FFLAGS="-g -O0 -fallow-argument-mismatch" FCFLAGS="-g -O0 -fallow-argument-mismatch" "$@"
		make -k -j"$(nproc)" || true
	) >"$build/build.log" 2>&1
	touch "$build/.built"
}

build_suite suite-mpich mpich --enable-fortran=all
build_suite suite-openmpi openmpi --enable-fortran=all --enable-strictmpi

mkdir -p "$dir/lammps" "$dir/hpcc" "$dir/netpipe" "$dir/scalapack"
for suffix in openmpi mpich; do
	"mpicc.$suffix" -g -Wall -o "$dir/scalapack/combine.$suffix" "$root/scripts/apps/combine.c" "-lscalapack-$suffix"
done
cp "$root/scripts/apps/exercise.py" "$dir/exercise.py"
cp /usr/share/lammps/examples/melt/in.melt "$dir/lammps/in.melt"
# Small enough for two cores: matrices of order 200 in blocks of 32.
sed -e 's/^[0-9]* *Ns$/200 Ns/' -e 's/^[0-9]* *NBs$/32 NBs/' /usr/share/doc/hpcc/examples/_hpccinf.txt >"$dir/hpcc/hpccinf.txt"
