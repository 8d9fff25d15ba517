# Says which files this host has: at their own path (path), or staged in a cache directory (cache) or in one for temporary files (tmp), and
# whether the cache directory can be used. Arguments: cache directory, the other one, and for each file its path, its hash and its name.
cache=$1; tmp=$2; shift 2;
n=0;
if [ -n "$cache" ]; then
  if [ -e "$cache" ]; then mine "$cache" && echo "unknot:can"; else [ "${cache%/*}" = "$HOME" ] && echo "unknot:can"; fi;
fi;
while [ $# -gt 2 ]; do
  sub=$(echo "$2" | cut -c1-32);
  at=$cache/unknot/staged;
  if [ "$(sum "$1")" = "$2" ]; then echo "unknot:path $n";
  elif [ "$3" = unknot ] && [ -x "$1" ]; then echo "unknot:other $n $("$1" version 2>/dev/null)";
  elif [ -e "$1" ]; then echo "unknot:other $n";
  fi;
  if [ -n "$cache" ] && mine "$cache" && mine "$cache/unknot" && mine "$at" && mine "$at/$sub" &&
    [ -x "$at/$sub/$3" ] && [ "$(sum "$at/$sub/$3")" = "$2" ]; then echo "unknot:cache $n"; fi;
  if mine "$tmp" && mine "$tmp/$sub" && [ -x "$tmp/$sub/$3" ] && [ "$(sum "$tmp/$sub/$3")" = "$2" ]; then echo "unknot:tmp $n"; fi;
  n=$((n + 1)); shift 3;
done;
echo "unknot:end";
