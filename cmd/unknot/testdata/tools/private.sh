# Runs a command with a /dev/shm and a temporary directory of its own, then waits until nothing is left in them:
#     exec unshare -m sh private.sh SIZE COMMAND …
# SIZE is that of /dev/shm. The exit status is the command's, 70 if something is left, 71 if a mount is not permitted.
export TMPDIR="$PWD/private"
mkdir -p "$TMPDIR"
if ! mount -t tmpfs -o "size=$1" none /dev/shm; then
    echo "private.sh: this test mounts a file system of its own over /dev/shm, which needs the right to (CAP_SYS_ADMIN)" >&2
    exit 71
fi
shift
"$@"
status=$?
for _ in $(seq 300); do
    left=$(find /dev/shm "$TMPDIR" ! -type d ! -name 'fill')
    if [ -z "$left" ]; then
        exit "$status"
    fi
    sleep 0.1
done
echo "private.sh: left behind: $left" >&2
exit 70
