#!/usr/bin/env bash
# Measures Debian's opensm on ibsim beside Dmodc, as docs/comparison-opensm.md tells: comparison-opensm.sh DIRECTORY
# Needs opensm, ibsim-utils, and bin or fabric-manager/bin on the PATH. Leaves in DIRECTORY all dumps and logs and results.tsv.
# SPEC (the fabric), LOST (switches and cables lost) and ENGINES choose what is measured; +roots names the tops as roots. Takes half an hour.
set -euo pipefail
spec=${SPEC:-3;24,12,30;1,12,24;1,2,1}
lost=${LOST:---switches 32 --links 0}
engines=${ENGINES-minhop updn ftree ftree+roots}
mkdir -p "$1"
cd "$1"
: >results.tsv
result() { printf '%s\t' "$@" | sed 's/\t$/\n/' | tee -a results.tsv; }
seconds() { date +%s.%N; }
since() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", b - a }'; }

# start_ibsim NET: the fabric simulated, its console on descriptor 3.
start_ibsim() {
  local net=$1 nodes switches ports
  nodes=$(grep -c '^Ca' "$net") switches=$(grep -c '^Switch' "$net")
  ports=$(awk '/^Switch/ { sum += $2 + 1 } END { print sum }' "$net")
  export IBSIM_SOCKNAME=compare-$$ SIM_HOST OSM_TMP_DIR=$PWD OSM_CACHE_DIR=$PWD
  SIM_HOST=$(awk '/^Ca/ { gsub(/"/, "", $3); print $3; exit }' "$net")
  rm -f console ibsim.out osm.log opensm-lfts.dump guid2lid
  mkfifo console
  exec 3<>console
  ibsim -s -I -N $((nodes + switches + 8)) -S $((switches + 8)) -P $((ports + 2 * nodes + 64)) -L 16384 "$net" \
    <console >ibsim.out 2>&1 &
  ibsim=$!
  await ibsim.out 'simulator ready' 1
}

stop() { # PROCESS
  kill "$1" && wait "$1" || true
}
ibsim= opensm=
trap 'kill $ibsim $opensm 2>/dev/null || true' EXIT

# await FILE PATTERN COUNT: until the file has so many such lines; fails after five minutes. Times are those in the log.
await() {
  local tries=3000
  until [[ -f $1 ]] && (($(grep -c -e "$2" "$1") >= $3)); do
    ((tries-- > 0)) || return 1
    sleep 0.1
  done
}

# When the line of that number which has PATTERN was logged, in seconds since the epoch.
logged() { # PATTERN NUMBER
  local month day time fraction
  read -r month day time fraction _ < <(grep -e "$1" osm.log | sed -n "$2p")
  printf '%s.%s' "$(date -d "$month $day $time" +%s)" "$fraction"
}

# risk NAME NET [LFT]: three figures of congestion.
risk() {
  local json
  json=$(fabricctl quality --topology "$2" ${3:+--lft "$3"} --format json 2>/dev/null)
  result risk "$1" "$2" $(figures <<<"$json")
}
figures() { tr -d ' \n' | grep -oE '"(a2a|rp|spMean)":[0-9.]+' | head -3; }

fabricctl topology generate --pgft "$spec" --out whole.net
fabricctl topology degrade --topology whole.net $lost --seed 1 --out degraded.net
sed -n "s/^Switch.*\"S-\([0-9a-f]*\)\".*\"l${spec%%;*}s.*/0x\1/p" whole.net >roots
for net in whole.net degraded.net; do
  risk dmodc "$net"
  for engine in $engines; do
    options=(-R "${engine%+roots}")
    [[ $engine == "${engine%+roots}" ]] || options+=(-a "$PWD/roots")
    start_ibsim "$net"
    begun=$(seconds)
    ibsim-run /usr/sbin/opensm -o -D 0x43 -f "$PWD/osm.log" "${options[@]}" >opensm.out 2>&1
    result sweep "opensm $engine" "$net" "$(since "$begun" "$(seconds)") s" "$(grep -o '[a-z-]* tables configured' osm.log)"
    stop $ibsim
    mv opensm-lfts.dump "$engine-$net.lft"
    mv osm.log "$engine-$net.log"
    risk "opensm $engine" "$net" "$engine-$net.lft"
  done
done

# A cable is cut while opensm runs: until the tables are computed, and until it says that it is done. Each time anew, as the
# simulator sometimes loses one of two traps and then nothing more happens.
for leaf in $(awk -F'[()]' '/^switchguid/ { print $2 }' whole.net | sed -n '13p;14p;15p'); do
  start_ibsim whole.net
  ibsim-run /usr/sbin/opensm -D 0x43 -f "$PWD/osm.log" -R minhop >opensm.out 2>&1 &
  opensm=$!
  await osm.log 'SUBNET UP' 1
  sleep 5 # a trap that comes at once after the first sweep is lost
  port=$(grep -A60 "^Switch.*\"S-$leaf\"" whole.net | grep -m 1 -oE '^\[[0-9]+\]\s+"S-' | grep -oE '[0-9]+')
  cut=$(seconds)
  echo "Unlink \"S-$leaf\"[$port]" >&3
  if await osm.log 'SUBNET UP' 2; then
    result fault "opensm minhop" "$(since "$cut" "$(logged 'tables configured' 2)") s computed" \
      "$(since "$cut" "$(logged 'SUBNET UP' 2)") s done"
  else
    result fault "opensm minhop" "no answer within 5 minutes"
  fi
  stop $opensm
  stop $ibsim
done
fabric-manager demo --pgft "$spec" >demo.txt
result fault dmodc "$(grep -A3 'cut the last cable' demo.txt | grep noticed)"
