#!/bin/bash
# Builds probes for the MPI libraries of four Debian releases, for x86-64 and aarch64, and packs them so that they become part of unknot when it is built
# next. Needs a compiler, but neither root nor these releases: of their packages only the headers are taken, and the C library of the oldest, so that
# probes run with all newer ones. The headers are the same for both kinds of machines (scripts/sameheaders.sh), so this machine's serve for the other too.
# For that, a cross compiler is unpacked where it is not installed. What is unpacked stays in unknot-probes of the user's cache.
# probes.sh [--if-missing] [UNKNOT]: with the option, it makes none where there are those of these sources, and ends without an error where they cannot be made.
# ARCHS are the kinds of machines (amd64 arm64).
set -euo pipefail
cd "$(dirname "$0")/.."
if_missing=
[ "${1-}" != --if-missing ] || { if_missing=yes; shift; }
unknot=$PWD/${1:-bin/unknot}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/unknot-probes
oldest=bullseye newest_glibc=2.31
work=$PWD/build/probes ready=internal/observe/probe/ready
read -ra machines <<<"${ARCHS-amd64 arm64}"
if [ -n "$if_missing" ]; then
	missing=()
	for machine in "${machines[@]}"; do
		[ -n "$(go run ./internal/observe/probe/pack -fitting "$ready/$machine")" ] || missing+=("$machine")
	done
	[ ${#missing[@]} -gt 0 ] || exit 0
	machines=("${missing[@]}")
fi

# give_up MESSAGE ends this: with --if-missing, packages are made without probes.
give_up() {
	echo "probes: $1" >&2
	[ -n "$if_missing" ] && exit 0 || exit 1
}

# unpack is scripts/debs.sh; what it cannot get is said by it.
unpack() {
	scripts/debs.sh "$@" || return $?
}

command -v gcc >/dev/null || give_up "there is no gcc on this machine; hint: install it"
rm -rf "$work"
mkdir -p "$work"
here=$(dpkg --print-architecture 2>/dev/null || true)
releases=()
for release in bullseye bookworm trixie sid; do
	unpack "$release" "$cache/$release" libopenmpi-dev libmpich-dev && releases+=("$release") || echo "probes: none are made for the libraries of $release" >&2
done
[ ${#releases[@]} -gt 0 ] || give_up "no headers of MPI libraries can be had; hint: see what is said above"

# compiler_for MACHINE sets the words of the command line compiler, which compiles for it, against the C library of the oldest release.
compiler_for() {
	local machine=$1 tuple root=$cache/libc-$1
	case $machine in
	amd64) tuple=x86_64-linux-gnu ;;
	arm64) tuple=aarch64-linux-gnu ;;
	*) give_up "none are made for $machine; hint: ARCHS=\"amd64 arm64\"" ;;
	esac
	unpack "$oldest-$machine" "$root" libc6 libc6-dev linux-libc-dev || return 1
	compiler=(gcc)
	if [ "$machine" != "$here" ]; then
		compiler=("$tuple-gcc")
		if ! command -v "$tuple-gcc" >/dev/null; then
			local tools=$cache/gcc-$machine
			unpack -n "$(. /etc/os-release && echo "${VERSION_CODENAME-}")" "$tools" "gcc-${tuple/x86_64/x86-64}" || return 1
			compiler=(env "LD_LIBRARY_PATH=$tools/usr/lib/$(gcc -print-multiarch)" "$tools/usr/bin/$tuple-gcc")
		fi
	fi
	compiler+=("--sysroot=$root" -isystem "$root/usr/include/$tuple" -isystem "$root/usr/include" "-B$root/usr/lib/$tuple/" "-L$root/usr/lib/$tuple" "-L$root/lib/$tuple")
}

# command_of FILE WORD… makes a command that has these words before its own, and $linked behind them.
command_of() {
	local file=$1
	shift
	{ printf '#!/bin/sh\nexec' && printf ' %q' "$@" && printf ' "$@"%s\n' "${linked-}"; } >"$file"
	chmod 755 "$file"
}

# headers RELEASE LIBRARY prints the directory with its mpi.h.
headers() {
	local pattern
	case $2 in
	abi) pattern='*/mpi_abi*/mpi.h' ;;
	*) pattern="*/$2/*mpi.h" ;;
	esac
	find "$cache/$1" -name mpi.h -path "$pattern" -not -path '*/fortran/*' -printf '%h\n' | sort | head -n 1
}

# probe MACHINE RELEASE LIBRARY SONAME builds the one for a library of a release, if that has it.
probe() {
	local machine=$1 release=$2 library=$3 soname=$4 include kit=$work/$1/$2-$3
	[[ " ${releases[*]} " = *" $release "* ]] || return 0
	include=$(headers "$release" "$library")
	[ -n "$include" ] || { echo "probes: $release has no mpi.h of $library" >&2; return 0; }
	mkdir -p "$kit/stub" "$kit/out"
	# What a program is linked with, to see the name of the library: the function that it calls is enough.
	linked=$(printf ' %q' "-L$kit/stub" -lmpi) command_of "$kit/mpicc" "${compiler[@]}" "-I$include"
	command_of "$kit/cc" "${compiler[@]}"
	echo "int MPI_Init(void) { return 0; }" >"$kit/stub/mpi.c"
	"$kit/cc" -shared -fPIC -Wl,-soname,"$soname" -o "$kit/stub/libmpi.so" "$kit/stub/mpi.c"
	echo "probes: $machine, $release, $library"
	"$unknot" probe build --mpicc "$kit/mpicc" -o "$kit/out" >/dev/null
	local needed
	needed=$(LC_ALL=C readelf -W --version-info "$kit"/out/*.so | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
	[ "$(printf '%s\n' "${needed#GLIBC_}" "$newest_glibc" | sort -V | tail -n 1)" = "$newest_glibc" ] ||
		{ echo "probes: the one for $library of $release needs $needed, newer than that of $oldest" >&2; exit 1; }
}

for machine in "${machines[@]}"; do
	compiler_for "$machine" || { echo "probes: none are made for $machine" >&2; continue; }
	rm -f "$ready/$machine"/*.gz "$ready/$machine"/*.json
	probe "$machine" bullseye openmpi libmpi.so.40
	probe "$machine" trixie openmpi libmpi.so.40
	probe "$machine" sid openmpi libmpi.so.40
	for release in bullseye bookworm trixie sid; do
		probe "$machine" "$release" mpich libmpich.so.12
	done
	probe "$machine" sid abi libmpi_abi.so.1
	go run ./internal/observe/probe/pack "$work/$machine"/*/out "$ready/$machine"
	ls -l "$ready/$machine"
done
