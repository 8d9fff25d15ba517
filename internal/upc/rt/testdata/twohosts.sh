#!/bin/sh
# twohosts.sh FLAVOUR PROGRAM THREADS [ARGUMENT…]: runs a program on two hosts, half of the threads each: two network namespaces with host
# names of their own, joined by a virtual cable. It all goes away with this process.
if [ "$TWOHOSTS" != inside ]; then
	TWOHOSTS=inside exec unshare --map-root-user --net --uts --mount -- "$0" "$@"
fi
set -e
flavour=$1 program=$2 threads=$3
shift 3
dir=$(mktemp -d)
unshare --net --uts sleep 600 &
other=$!
trap 'kill $other; rm -rf "$dir"' EXIT

# The other namespace is there when its process sees another one than we do.
until [ "$(readlink /proc/$other/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.01; done
hostname hosta
nsenter -t $other -u hostname hostb
ip link set lo up
ip link add cable type veth peer name cable netns $other
ip addr add 10.99.0.1/24 dev cable
ip link set cable up
nsenter -t $other -n sh -c 'ip link set lo up; ip addr add 10.99.0.2/24 dev cable; ip link set cable up'
printf '127.0.0.1 localhost\n10.99.0.1 hosta\n10.99.0.2 hostb\n' > "$dir/hosts"
mount --bind "$dir/hosts" /etc/hosts

# What launchers use in place of ssh: AGENT [-OPTION…] HOST COMMAND…
cat > "$dir/agent" <<END
#!/bin/sh
while case \$1 in -*) true ;; *) false ;; esac; do shift; done
host=\$1
shift
[ "\$host" = hosta ] && exec sh -c "\$*"
exec nsenter -t $other -n -u sh -c "\$*"
END
chmod +x "$dir/agent"

half=$((threads / 2))
case $flavour in
openmpi)
	mpirun.openmpi --host hosta:$half,hostb:$half -n "$threads" --mca plm_rsh_agent "$dir/agent" --mca orte_keep_fqdn_hostnames 1 \
		--mca btl_tcp_if_include 10.99.0.0/24 --mca oob_tcp_if_include 10.99.0.0/24 "$program" "$@"
	;;
mpich)
	mpirun.mpich -hosts hosta,hostb -launcher rsh -launcher-exec "$dir/agent" -iface cable -n "$threads" "$program" "$@"
	;;
esac
