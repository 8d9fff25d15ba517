# Packages of Debian that a script needs; to be sourced.

# missing_packages PACKAGE… prints those that are not installed.
missing_packages() {
	local package state
	for package in "$@"; do
		state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
		[ "$state" = installed ] || echo "$package"
	done
}

# install_packages WHO PACKAGE… installs those that are missing; WHO is the name under which it speaks.
install_packages() {
	local who=$1 missing as_root=()
	shift
	mapfile -t missing < <(missing_packages "$@")
	[ ${#missing[@]} -gt 0 ] || return 0
	if [ "$(id -u)" -ne 0 ]; then
		if ! command -v sudo >/dev/null; then
			echo "$who: not installed: ${missing[*]}; hint: run this as root: apt-get install ${missing[*]}" >&2
			return 1
		fi
		as_root=(sudo)
	fi
	echo "$who: installing ${missing[*]}"
	"${as_root[@]}" apt-get update -q
	"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# debian_mirror prints the address of the host's own mirror; behind a proxy or without a network of the world, that is the one which can be reached.
debian_mirror() {
	local mirror
	mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' 'Origin: Debian' 'Label: Debian' 2>/dev/null | head -n 1)
	echo "${mirror:-http://deb.debian.org/debian}"
}
