#!/bin/bash
# Installs what unknot's build, tests and demo need: both MPI libraries, a Fortran compiler, mpi4py, pytest, CMake, clang, the headers for plugins of gcc;
# and what hosts on one machine run (internal/testkit/hosts), whose daemons need not be started. It does nothing if all is there.
set -euo pipefail
. "$(dirname "$0")/packages.sh"

packages=(gcc g++ gfortran openmpi-bin libopenmpi-dev mpich libmpich-dev python3-mpi4py python3-numpy python3-pytest python3-pytest-mpi cmake
	clang-14 libclang-rt-14-dev gcc-12-plugin-dev
	openssh-server openssh-client iproute2 slurmd slurmctld slurm-client munge)

if ! command -v dpkg-query >/dev/null; then
	missing=()
	for command in gcc gfortran clang-14 mpicc mpirun python3 cmake sshd ssh ip slurmd slurmctld srun munged; do
		command -v "$command" >/dev/null || missing+=("$command")
	done
	if [ ${#missing[@]} -eq 0 ]; then
		exit 0
	fi
	echo "deps: not found: ${missing[*]}" >&2
	echo "hint: this is not Debian; install gcc, gfortran, clang 14, Open MPI and MPICH with their headers, mpi4py, pytest with pytest-mpi, CMake, OpenSSH, iproute2, Slurm and munge by your own means" >&2
	exit 1
fi

install_packages deps "${packages[@]}"
