# Sourced by launch.sh for a program that should be small. The JVM can keep what it makes of classes in a file, so that nothing
# of them is read, verified and left behind at a start. Which classes there are is in PROGRAM.classes, beside this file; the
# build of a checkout makes the file of them, in an installation `PROGRAM archive` does, or else the first start, which takes
# some seconds more. It fits one JDK and these jars alone: others make one of their own beside it. Where nothing can be written
# all goes on without.

# Names the file for this JDK and these jars.
archive_key() { # JAR
  { stat -c '%n %s %Y' "$java" "$JAVA_HOME"/lib/server/libjvm.so "$home"/lib/*.jar "$classes" | cksum; } 2>/dev/null
}

# share MAIN-JAR OPTION...: adds to jvm; fails where there is no file and none can be made.
share() {
  local jar=$1 classes=$bin/lib/${self##*/}.classes directory=${STATE_DIRECTORY:-$home/lib} key file
  shift
  key=$(archive_key) || return 1
  file=$home/lib/classes-${key%% *}.jsa
  # One that this user may not read would cost the JVM its own, too.
  if [[ ! -r $file ]]; then
    file=$directory/classes-${key%% *}.jsa
    [[ -r $file ]] || make_archive "$@" || return 1
  fi
  # At the address it was made for: moved to another one, as newer JDKs do by default, all of it would be copied.
  jvm+=("-XX:SharedArchiveFile=$file" -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0)
}

# Several may start at once: one makes it, and the others go without.
make_archive() { # OPTION...; uses jar, file and directory of its caller
  [[ -w $directory && -r $classes ]] || return 1
  exec 8>"$directory/classes.lock"
  flock -n 8 || return 1
  drop_old
  # By the collector that writes objects, too; others read them. Renamed when all of it is on the disk, as a JVM believes what it maps.
  "$java" -XX:+UseG1GC -Xmx128m "$@" -Xshare:dump "-XX:SharedClassListFile=$classes" "-XX:SharedArchiveFile=$file.new" -cp "$jar" \
    &>/dev/null 8>&- && sync "$file.new" && mv -f "$file.new" "$file" || true
  rm -f "$file.new"
  exec 8>&-
  [[ -r $file ]]
}

# Keeps the newest: another JDK of this machine takes its own at each start, and those of versions that are gone get old.
drop_old() {
  rm -f "$directory"/classes-*.new
  local old
  ls -t "$directory"/classes-*.jsa 2>/dev/null | tail -n +2 | while IFS= read -r old; do rm -f "$old"; done
}
