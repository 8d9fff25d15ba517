# source_package NAME DIR unpacks a Debian source package to DIR; $dir is where what is fetched stays. Its list of sources is a file of our
# own, so that the machine's configuration of apt stays as it is.
source_package() {
	local name=$1 to=$2
	[ -d "$to" ] && return 0
	mkdir -p "$dir/apt/sources" "$dir/apt/lists/partial" "$dir/fetched"
	cat >"$dir/apt/sources/source.sources" <<-EOF
		Types: deb-src
		URIs: http://deb.debian.org/debian
		Suites: bookworm
		Components: main
		Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
	EOF
	local options=(-q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$dir/apt/sources"
		-o Dir::State::lists="$dir/apt/lists" -o Dir::Cache::srcpkgcache="" -o Dir::Cache::pkgcache="" -o APT::Sandbox::User=root)
	apt-get "${options[@]}" update || return 1
	(cd "$dir/fetched" && apt-get "${options[@]}" source --download-only "$name" && dpkg-source --no-check -x "$name"_*.dsc "$to") || return 1
}
