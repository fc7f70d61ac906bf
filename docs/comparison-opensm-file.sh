#!/usr/bin/env bash
# Shows that OpenSM's file engine does not heal, as docs/comparison-opensm.md tells: comparison-opensm-file.sh DIRECTORY
# Needs opensm, ibsim-utils, and bin or fabric-manager/bin on the PATH. Takes a minute.
set -euo pipefail
mkdir -p "$1"
cd "$1"
fabricctl topology generate --pgft "2;4,4;1,2;1,1" --out whole.net
# The cable from port 5 of leaf1 to l2s0 is the one that will be cut.
awk '/^Switch/ { at = $3 } /^\[5\]/ && at ~ /0001"$/ { next } /^\[2\]/ && at ~ /S-.*0004"$/ { next } { print }' whole.net >cut.net
fabricctl route --topology cut.net --engine dmodc --out cut.dump
SIM_HOST=$(awk '/^Ca/ { gsub(/"/, "", $3); print $3; exit }' whole.net)
export SIM_HOST OSM_TMP_DIR=$PWD OSM_CACHE_DIR=$PWD

entries() { # how many entries of leaf1 lead to port 5
  awk -v when="$1" '/^Unicast lids/ { on = /0x02f0000000000001/ } on && /^0x/ && $2 == "005" { n++ }
    END { printf "%-28s %d entries of leaf1 lead to the port\n", when, n }' opensm-lfts.dump
}

for engine in minhop file; do
  echo "routing_engine $engine"
  fabricctl route --topology whole.net --engine dmodc --out r.dump
  rm -f console
  mkfifo console
  exec 3<>console
  export IBSIM_SOCKNAME=file-$$-$engine
  ibsim -s -I -N 100 -S 20 -P 300 -L 16384 whole.net <console >ibsim.out 2>&1 &
  ibsim=$!
  sleep 1
  ibsim-run /usr/sbin/opensm -D 0x43 -f "$PWD/osm.log" -R "$engine" -U "$PWD/r.dump" >opensm.out 2>&1 &
  opensm=$!
  sleep 5
  entries "  whole"
  echo 'Unlink "S-02f0000000000001"[5]' >&3
  sleep 10
  entries "  cut, after its sweep"
  kill -HUP $opensm
  sleep 5
  entries "  after HUP"
  cp cut.dump r.dump
  kill -HUP $opensm
  sleep 5
  entries "  after a new file and HUP"
  kill $opensm
  sleep 1
  kill $ibsim
  wait || true
done
