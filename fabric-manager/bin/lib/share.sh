# Sourced by launch.sh for a program that should be small. The JVM can keep what it makes of classes in a file, so that nothing
# of them is read, verified and left behind at a start. One start writes down which classes there are, the next one makes the
# file, and those after it are small, until the JDK or a jar changes. Where nothing can be written all goes on without.

# share MAIN-JAR TRAINED OPTION...: adds to jvm. A list counts when it has TRAINED, which is loaded late. The file is good for
# JVMs with the same options alone.
share() {
  local jar=$1 trained=$2 directory=${STATE_DIRECTORY:-$home/lib} key file list
  shift 2
  [[ -w $directory ]] || return 0
  key=$({ stat -c '%n %s %Y' "$java" "$JAVA_HOME"/lib/server/libjvm.so "$home"/lib/*.jar | cksum; } 2>/dev/null) || return 0
  file=$directory/classes-${key%% *}
  if [[ ! -f $file.jsa ]]; then
    list=$(grep -lsF -- "$trained" "$file".list.* | head -n 1) || true
    if [[ -z $list ]]; then
      rm -f "$directory"/classes-*
      # Its own file: several may start at once.
      jvm+=("-XX:DumpLoadedClassList=$file.list.$$")
      return 0
    fi
    # Renamed when all of it is on the disk, as a JVM believes what it maps.
    "$java" ${gc:+"$gc"} "$@" -Xshare:dump "-XX:SharedClassListFile=$list" "-XX:SharedArchiveFile=$file.$$" -cp "$jar" \
      &>/dev/null && sync "$file.$$" && mv -f "$file.$$" "$file.jsa" || true
    rm -f "$file".list.* "$file.$$"
    [[ -f $file.jsa ]] || return 0
  fi
  jvm+=("-XX:SharedArchiveFile=$file.jsa")
}
