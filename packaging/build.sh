#!/bin/bash
# Makes the packages of this commit: build.sh DIR
#
# Of the same commit, with the same version of Go, the same probes and the same generator of the site (or none), they are the same bytes, wherever they
# are made. ARCHS are the kinds of machines (amd64 arm64), FORMATS what is made (deb rpm tar sources), WITHOUT_SITE=1 leaves out the site of the documents. The probes that make probes has made (internal/observe/probe/ready) become part of the unknot for
# their kind of machine, if they are of these sources.
set -euo pipefail
if [ $# -ne 1 ]; then
	echo "usage: build.sh DIR" >&2
	exit 2
fi
mkdir -p "$1"
out=$(realpath "$1")
cd "$(dirname "$0")/.."
probes=$PWD/internal/observe/probe/ready
if ! git rev-parse -q --verify HEAD >/dev/null; then
	echo "packages: this is not a clone of the repository, so no commit says what version it is; hint: make install installs from any copy of the sources" >&2
	exit 1
fi

VERSION=$(packaging/version.sh)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export VERSION SOURCE_DATE_EPOCH
export LC_ALL=C TZ=UTC CGO_ENABLED=0 GOFLAGS=-trimpath
unset GOOS GOARCH GOAMD64 GOARM64 GOEXPERIMENT
umask 022
archs=${ARCHS-amd64 arm64} formats=${FORMATS-deb rpm tar sources}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# All is made of a copy of what is committed, or would be by git commit -a, so that no other file gets in.
commit=$(git stash create)
git archive --format=tar --prefix="unknot-$VERSION/" "${commit:-HEAD}" >"$work/sources.tar"
tar -C "$work" -xf "$work/sources.tar"
cd "$work/unknot-$VERSION"

# binary ARCH FILE compiles unknot for a kind of machine, with the probes for it. What git says is in the version already.
binary() {
	GOARCH=$1 go build -buildvcs=false -ldflags "-s -w -buildid= -X main.version=$VERSION" -o "$2" ./cmd/unknot
}

# archive DIR FILE packs a directory of $work.
archive() {
	tar --format=gnu --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -C "$work" -cf - "$1" | gzip -9n >"$2"
}

for arch in $archs; do
	fitting=$(go run ./internal/observe/probe/pack -fitting "$probes/$arch")
	if [ -n "$fitting" ]; then
		xargs -d '\n' cp -t "internal/observe/probe/ready/$arch" <<<"$fitting"
	else
		echo "packages: those for $arch are without probes for machines that have no compiler, as none of these sources are there; hint: make probes" >&2
	fi
done

# The packager is built for here, whatever the packages are for.
nfpm=
if [[ " $formats " = *" deb "* || " $formats " = *" rpm "* ]]; then
	nfpm=$(go tool -modfile=tools/go.mod -n nfpm)
fi
config=$PWD/packaging/nfpm.yaml
rm -rf "$out"/unknot* "$out/spack"
export SITE=$work/site
[ -n "${WITHOUT_SITE-}" ] || packaging/site.sh --if-there "$SITE"
here=$(go env GOHOSTARCH)
binary "$here" "$work/unknot.$here"
for arch in $archs; do
	[ -f "$work/unknot.$arch" ] || binary "$arch" "$work/unknot.$arch"
	name=unknot-$VERSION-linux-$arch
	packaging/install.sh "$work/unknot.$arch" "$work/$name" "$VERSION" "$work/unknot.$here"
	find "$work/$name" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
	for format in $formats; do
		case $format in
		sources) ;;
		tar) archive "$name" "$out/$name.tar.gz" ;;
		*) (cd "$work/$name" && ARCH=$arch "$nfpm" package -f "$config" -p "$format" -t "$out" >/dev/null) ;;
		esac
	done
done

# recipe FILE TO [NAME=VALUE…] writes a recipe for this version, with the sums of the archives in it.
recipe() {
	local from=$1 to=$2 set="s/@VERSION@/$VERSION/g"
	shift 2
	for pair in "$@"; do
		set+=";s/@${pair%%=*}@/${pair#*=}/g"
	done
	install -D -m 644 /dev/null "$to"
	sed "$set" "$from" >"$to"
}
sum() { sha256sum <"$out/unknot-$VERSION$1.tar.gz" | cut -d' ' -f1; }

if [[ " $formats " = *" sources "* ]]; then
	gzip -9n <"$work/sources.tar" >"$out/unknot-$VERSION.tar.gz"
	recipe packaging/spack/repo.yaml "$out/spack/repo.yaml"
	recipe packaging/spack/packages/unknot/package.py "$out/spack/packages/unknot/package.py" "SHA256=$(sum "")"
fi
if [ -f "$out/unknot-$VERSION-linux-amd64.tar.gz" ] && [ -f "$out/unknot-$VERSION-linux-arm64.tar.gz" ]; then
	recipe packaging/easybuild/unknot.eb "$out/unknot-$VERSION.eb" "AMD64=$(sum -linux-amd64)" "ARM64=$(sum -linux-arm64)"
fi

(cd "$out" && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs -d '\n' sha256sum) >"$out/SHA256SUMS"
cat "$out/SHA256SUMS"
