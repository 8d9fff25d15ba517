#!/bin/bash
# Installs what unknot's build, tests and demo need: both MPI libraries, a Fortran compiler, mpi4py, clang, the headers for plugins of gcc, mandoc;
# what hosts on one machine run (internal/testkit/hosts), whose daemons need not be started; and a browser with axe-core, for the HTML page. It does
# nothing if all is there.
set -euo pipefail
. "$(dirname "$0")/packages.sh"

packages=(gcc g++ gfortran openmpi-bin libopenmpi-dev mpich libmpich-dev python3-mpi4py python3-numpy
	clang-14 libclang-rt-14-dev gcc-12-plugin-dev
	mandoc openssh-server openssh-client iproute2 slurmd slurmctld slurm-client munge
	chromium)
command -v npm >/dev/null || packages+=(npm) # it may not be Debian's

if ! command -v dpkg-query >/dev/null; then
	missing=()
	for command in gcc gfortran clang-14 mpicc mpirun python3 sshd ssh ip slurmd slurmctld srun munged mandoc chromium npm; do
		command -v "$command" >/dev/null || missing+=("$command")
	done
	if [ ${#missing[@]} -eq 0 ]; then
		exec "$(dirname "$0")/axe.sh"
	fi
	echo "deps: not found: ${missing[*]}" >&2
	echo "hint: this is not Debian; install gcc, gfortran, clang 14, Open MPI and MPICH with their headers, mpi4py, OpenSSH, iproute2, Slurm, munge, mandoc, Chromium and npm by your own means" >&2
	exit 1
fi

install_packages deps "${packages[@]}"
"$(dirname "$0")/axe.sh"
