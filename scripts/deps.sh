#!/bin/bash
# Installs what unknot's build and demo need: both MPI libraries and a Fortran compiler. A word adds to that what tests need. "tests": mpi4py, pytest, CMake, clang,
# clang-format, the headers for plugins of gcc, mandoc, and mmdebstrap for libraries of other Debian releases (bench/matrix). "hosts": what hosts on one machine run
# (internal/test/testkit/hosts), whose daemons need not be started. "browser": Chromium and axe-core, for the HTML page. "docs": only what makes a site of the
# documents (packaging/site.sh). It does nothing if all is there.
set -euo pipefail
. "$(dirname "$0")/packages.sh"

packages=(gcc g++ gfortran openmpi-bin libopenmpi-dev mpich libmpich-dev)
commands=(gcc gfortran mpicc mpirun)
case ${1-} in
docs)
	packages=(python3-sphinx python3-myst-parser furo)
	commands=(sphinx-build)
	;;
tests)
	packages+=(python3-sphinx python3-myst-parser furo python3-mpi4py python3-numpy python3-pytest python3-pytest-mpi cmake clang-14 clang-format-14 libclang-rt-14-dev
		gcc-12-plugin-dev mandoc mmdebstrap)
	commands+=(clang-14 clang-format-14 python3 cmake mmdebstrap mandoc sphinx-build)
	;;
hosts)
	packages+=(openssh-server openssh-client iproute2 slurmd slurmctld slurm-client munge)
	commands+=(sshd ssh ip slurmd slurmctld srun munged)
	;;
browser)
	packages+=(chromium)
	command -v npm >/dev/null || packages+=(npm) # it may not be Debian's
	commands+=(chromium npm)
	;;
esac

if command -v dpkg-query >/dev/null; then
	install_packages deps "${packages[@]}"
else
	missing=()
	for command in "${commands[@]}"; do
		command -v "$command" >/dev/null || missing+=("$command")
	done
	if [ ${#missing[@]} -gt 0 ]; then
		echo "deps: not found: ${missing[*]}" >&2
		echo "hint: this is not Debian; install what Debian has in these packages by your own means: ${packages[*]}" >&2
		exit 1
	fi
fi
[ "${1-}" != browser ] || "$(dirname "$0")/axe.sh"
