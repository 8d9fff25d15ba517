#!/bin/bash
# Compiles zlib, Lua and SQLite, which have no UPC in them, with `unknot upcc -x upc` as their C compiler, and runs their tests: the front
# end has to understand C as people write it, and to leave it as it is. $1 is unknot. What is built already is built again.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
unknot=$(realpath "${1:-bin/unknot}")
dir=$root/build/apps
work=$dir/upc
mkdir -p "$dir" "$work"
. "$root/scripts/apps/source.sh"
. "$root/scripts/packages.sh"

mapfile -t missing < <(missing_packages dpkg-dev make xz-utils tcl-dev zlib1g-dev)
if [ ${#missing[@]} -gt 0 ]; then
	echo "upc: ${missing[*]} not installed; hint: apt-get install ${missing[*]}" >&2
	exit 1
fi
cc="$unknot upcc -x upc"

# fresh NAME PACKAGE copies a package's source to build/apps/upc/NAME.
fresh() {
	source_package "$2" "$dir/$2" >"$work/$1.log" 2>&1 || {
		echo "upc: the source package $2 could not be fetched; see $work/$1.log" >&2
		exit 1
	}
	rm -rf "${work:?}/$1"
	cp -r "$dir/$2" "$work/$1"
}

zlib() {
	./configure --static
	make
	make test | tee test.out
	[ "$(grep -c 'zlib.* test OK' test.out)" = 2 ]
}

# Debian's source package has no tests, so that checks.lua is ours. `strict` is a name of one of Lua's variables and a keyword of UPC.
lua() {
	cd src
	echo '#define DEB_HOST_MULTIARCH ""' >lua5.4-deb-multiarch.h
	# shellcheck disable=SC2046,SC2086
	$cc -std=gnu99 -O2 -Dstrict=strict_ -DLUA_USE_LINUX -I. -o lua $(ls ./*.c | grep -v '/luac\.c$') -Wl,-E -ldl -lm
	./lua "$root/scripts/apps/checks.lua" | tee ../test.out
	grep -q '^75 checks$' ../test.out
}

# SQLite's test program is SQLite with 60 sources of tests, driven by scripts of Tcl.
sqlite() {
	CC=gcc ./configure --disable-readline
	# shellcheck disable=SC2016
	make testfixture CC="$cc" BCC=gcc CFLAGS=-O1 LTLINK='$(TCC)'
	for t in $sqlite_tests; do
		./testfixture "test/$t.test" >"test-$t.out" 2>&1 </dev/null || true
		grep '^0 errors out of' "test-$t.out" || {
			echo "SQLite's $t.test fails; see $PWD/test-$t.out"
			return 1
		}
	done
}
sqlite_tests="aggnested alter autoinc between blob btree01 cast check collate1 conflict count cse date distinct expr func
	fts3aa having in index insert join jrnlmode json101 limit main minmax misc1 null orderby1 printf quote rowid savepoint
	schema select1 select2 select3 select6 selectA subquery table tempdb trans trigger1 trigger2 types unique update utf16align vacuum
	view wal where window1 with1"

export CC=$cc OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# `./upc.sh unknot zlib` takes one of them.
failed=0
for case in zlib:zlib lua:lua5.4 sqlite:sqlite3; do
	name=${case%%:*}
	[ $# -lt 2 ] || [ "$2" = "$name" ] || continue
	fresh "$name" "${case#*:}"
	# In a separate shell, in which a command that fails ends it.
	if (cd "$work/$name" && export -f "$name" && bash -euo pipefail -c "cc='$cc' root='$root' sqlite_tests='$sqlite_tests' && $name") >>"$work/$name.log" 2>&1; then
		echo "upc: $name, compiled with unknot upcc, passes its tests"
	else
		echo "upc: $name, compiled with unknot upcc, does not pass its tests; see $work/$name.log" >&2
		failed=1
	fi
done
exit $failed
