# Looks at the ranks of a host. Arguments: the path of unknot, and its own.
if [ -x "$1" ]; then echo "unknot:here"; exec "$@"; fi;
echo "unknot:failed has no $1; hint: install unknot at the same path on all hosts, or use --stage, which copies it";
