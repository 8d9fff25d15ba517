# What a host has. Arguments: the program, launchers, the unknot of this host, and the addresses of the host that asks, the last two may be
# empty; what unknot needs to join comes over standard input. Written as those of package stage.
program=$1; launchers=$2; agent=$3; addresses=$4;
read -r UNKNOT_LINK; export UNKNOT_LINK;
LC_ALL=C; export LC_ALL;
echo "unknot:time $(date +%s)";
echo "unknot:shm $(df -Pk /dev/shm 2>/dev/null | tail -n 1)";
for m in $launchers; do
  p=$(command -v "$m") && "$p" --version 2>&1 </dev/null | sed -n "1,3s|^|unknot:mpi $m $p |p";
done;
if [ -n "$program" ]; then
  if [ -e "$program" ]; then
    lib=$(ldd "$program" 2>/dev/null | sed -n "s/^[[:space:]]*\(libmpi[a-z]*\.so[^ ]*\) => \([^ ]*\).*/\1 \2/p" | head -n 1);
    if [ -n "$lib" ]; then echo "unknot:library ${lib%% *} $(readlink -f "${lib#* }")"; fi;
  else echo "unknot:absent"; fi;
fi;
if [ -n "$agent" ]; then
  if why=$("$agent" agent --reach 2>&1 </dev/null); then echo "unknot:reached"; else echo "unknot:unreached $why"; fi;
else
  for a in $addresses; do
    if timeout 5 bash -c "exec 3<>/dev/tcp/${a%:*}/${a##*:}" 2>/dev/null; then echo "unknot:reached"; break; fi;
  done;
fi;
echo "unknot:end";
