# Keeps a file, from standard input or from a file that goes away with it. Arguments: its name, its hash, that file or nothing, and the
# directories that lead to it, each of which must be the user's alone.
umask 077;
fail() { echo "unknot:failed $*"; exit 1; };
name=$1; hash=$2; from=$3; shift 3;
new=;
trap "rm -f \"\$new\" \"\$from\"" 0;
for d in "$@"; do
  why=$(mkdir "$d" 2>&1);
  [ -d "$d" ] || fail "cannot make the directory $d: ${why##*: }";
  mine "$d" || fail "$d is not a directory of this user alone, so somebody else could put another program there";
done;
new=$d/.$(uname -n).$$;
if [ -n "$from" ]; then why=$(cat "$from" 2>&1 >"$new"); else why=$(cat 2>&1 >"$new"); fi || fail "cannot write $d/$name: ${why##*: }";
[ "$(sum "$new")" = "$hash" ] || fail "what arrived of $d/$name is not what was sent";
chmod 500 "$new" && [ -x "$new" ] || fail "programs in $d cannot be run: its file system does not allow it";
why=$(mv -f "$new" "$d/$name" 2>&1) || fail "cannot write $d/$name: ${why##*: }";
echo "unknot:done";
