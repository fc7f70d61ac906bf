# Sourced by launch.sh and run-tests in a checkout. Builds when a source is newer than the last build, once at a time.

log=$root/fabric-manager/dist/target/build.log
stamp=$root/fabric-manager/dist/target/build.stamp

# Succeeds when something the product is made of is newer than the stamp. Directories count, because a source that
# was deleted or renamed shows only there. Tests and texts do not: they change nothing a launcher starts.
stale() {
  [[ -f $stamp && -d $home/lib ]] || return 0
  local newer
  newer=$(find "$root" \
    \( -name target -o -name .git -o -path '*/src/test' -o -path "$root/docs" -o -path "$root/conf" \) -prune -o \
    \( -path '*/src/main/*' -o -name pom.xml -o -path '*/.mvn/*' \) -newer "$stamp" -print -quit)
  [[ -n $newer ]]
}

# Taken on a file of the sources, as `mvn clean` may delete anything else; open for writing, as NFS asks for that.
build_lock() {
  [[ -w $root/fabric-manager/dist/pom.xml ]] || die 2 "cannot build in $root, it is not yours to write; ask its owner to build"
  exec 9<>"$root/fabric-manager/dist/pom.xml"
  flock -n 9 && return
  say "waiting for another build of this checkout"
  flock 9
}

build_if_stale() {
  [[ -z ${FM_SKIP_BUILD-} ]] || return 0
  stale || return 0
  build_lock
  if stale; then # not so any more if we waited for another launcher
    need jdk maven
    build package -Ddist.archive.skip=true
  fi
  exec 9>&-
}

# build PHASE ARGUMENT...: checks that belong to the test command (formatting, dependency rules, tests) are left out, as
# the user waits.
build() {
  local begun=$SECONDS
  mkdir -p "${stamp%/*}"
  rm -f "$stamp"
  # A running JVM keeps the jars it has opened; overwritten in place they would be torn under it.
  rm -rf "$home/lib"
  # A message that a .proto file has no more would stay among the generated sources.
  rm -rf "$root"/fabric-manager/*/target/{generated-sources/protobuf,protobuf-maven-plugin}
  # The stamp has the time before the build: what is edited meanwhile counts as newer.
  : >"$stamp.new"
  if ! (cd "$root" && exec "$mvn" "$@" -T 1C -pl fabric-manager/dist -am \
    -Dmaven.test.skip=true -Dlint.skip -Denforcer.skip=true) 2>&1 9>&- | progress; then
    say "building fabric manager failed (whole log: $log)"
    tail_of_log >&2
    exit 1
  fi
  mv -f "$stamp.new" "$stamp"
  FM_SKIP_BUILD=1 "$bin/switch-agent" archive 9>&- || true # it works without, with more memory
  say_progress "built fabric manager in $((SECONDS - begun)) s"
  [[ ! -t 2 ]] || say ""
}

# What went wrong: what the check of the archive found, Maven's errors without its advice, or the last lines of the log.
tail_of_log() {
  ! grep '^fabric-manager-.*\.tar\.gz: ' "$log" || return 0
  grep '^\[ERROR\] .' "$log" | grep -v -e '\[Help 1\]' -e ' switch\.$' -e 'Re-run Maven' -e 'For more information' \
    -e 'After correcting' -e 'mvn <args>' | tail -n 20 | grep . || tail -n 20 "$log"
}

# One line on the terminal that is written over; elsewhere one line in all.
said=
say_progress() {
  [[ -t 2 && $1 != "$said" ]] || return 0
  said=$1
  printf '\r\033[K%s' "$1" >&2
}

# Copies Maven's output to the log and shows which module is being built, of how many.
progress() {
  local line rest= module=start text status
  [[ -t 2 ]] || say "building fabric manager (log: $log)"
  while
    IFS= read -r -t 1 line && status=0 || status=$?
    ((status == 0 || status > 128))
  do
    line=$rest$line rest=
    if ((status > 128)); then
      rest=$line # no news for a second, perhaps in the middle of a line
    else
      printf '%s\n' "$line"
      [[ $line =~ \<\ io\.dmodc:([a-z0-9-]+)\ \> ]] && module=${BASH_REMATCH[1]}
      [[ $line =~ ^\[INFO\]\ Building\ .*\ \[([0-9]+/[0-9]+)\]$ ]] && text="$module (${BASH_REMATCH[1]})"
    fi
    say_progress "building fabric manager: ${text-$module}, $((SECONDS - begun)) s"
  done >"$log"
  say_progress ""
}
