# Sourced by the launchers, which set `self`. Knows where things lie and how a JVM is started.
#
# Two layouts, one set of scripts:
#   checkout   <root>/fabric-manager/bin; what is missing is built into fabric-manager/dist/target/fabric-manager
#   installed  <home>/bin beside <home>/lib and <home>/conf; Maven is never called

die() { # STATUS MESSAGE
  printf '%s: %s\n' "${self##*/}" "$2" >&2
  exit "$1"
}

say() { printf '%s\n' "$1" >&2; }

bin=${self%/*}
home=${bin%/*}
root=${home%/*}
if [[ -f $home/dist/pom.xml && -f $root/pom.xml ]]; then
  layout=checkout
  home=$home/dist/target/fabric-manager
  conf=$root/conf
else
  layout=installed
  conf=$home/conf
fi

# `--yes` before everything else agrees to the installation of what is missing; it is ours and not the program's. Sourced
# without arguments, this file shifts those of the launcher.
if [[ ${1-} == --yes ]]; then
  FM_YES=1
  shift
fi

. "$bin/lib/java.sh"

gc= # the launcher's choice of collector; the user's replaces it, as the JVM accepts only one
jvm=()
log_settings=("-Dlogback.configurationFile=$conf/logback.xml")
shared= # whether its classes are kept in a file, see share.sh

# Replaces this shell by the JVM: launch JAR MAIN ARGUMENT...
launch() {
  local artifact=$1 main=$2
  shift 2
  if [[ $layout == checkout ]]; then
    . "$bin/lib/build.sh"
    build_if_stale
  fi
  need jre
  local jars=("$home/lib/$artifact"-[0-9]*.jar)
  [[ -f ${jars[0]} ]] || die 1 "no $artifact-*.jar in $home/lib: the installation is not complete"

  local user=()
  read -r -d '' -a user <<<"${JAVA_OPTS-} ${FM_JAVA_OPTS-}" || true
  [[ " ${user[*]-} " =~ " -XX:+Use"[A-Za-z0-9]+"GC " ]] && gc=
  local native=()
  ((java_major < 24)) || native=(--enable-native-access=ALL-UNNAMED)
  if [[ -n $shared ]]; then
    . "$bin/lib/share.sh"
    local file=none
    share "${jars[0]}" ${native[@]+"${native[@]}"} || file=
    [[ $shared != only || -n $file ]] || die 1 "the file of its classes was not made: expected to write to ${STATE_DIRECTORY:-$home/lib}"
    [[ $shared != only ]] || exit 0
  fi
  ulimit -n "$(ulimit -Hn)" 2>/dev/null || true # one socket for each agent
  exec "$java" ${gc:+"$gc"} ${native[@]+"${native[@]}"} "${jvm[@]}" ${log_settings[@]+"${log_settings[@]}"} \
    ${user[@]+"${user[@]}"} -cp "${jars[0]}" "$main" "$@"
}
