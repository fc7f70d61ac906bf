# Sourced by launch.sh. Finds Java 17 or newer and Maven. What is missing is installed through apt only as root, and only
# when somebody agreed: --yes, FM_YES=1, CI=true, or an answer on the terminal (consent.sh).
# Sets: java, java_major, mvn; JAVA_HOME is exported for Maven. FM_SYSROOT is put before the directories looked into.

java_wanted=17

# The major version of the Java installation in directory $1, or 0. Reads a file: starting a JVM would cost 50 ms.
major_of() {
  local key value
  major=0
  [[ -r $1/release ]] || return 0
  while IFS='=' read -r key value; do
    [[ $key == JAVA_VERSION && $value =~ ^\"([0-9]+) ]] && major=${BASH_REMATCH[1]}
  done <"$1/release"
  return 0
}

# Succeeds with java, java_major and JAVA_HOME set when an installation has $1 (java or javac).
find_java() {
  local tool=$1 onpath candidate
  onpath=$(readlink -f -- "$(command -v "$tool" || true)" || true)
  for candidate in "${JAVA_HOME-}" "${onpath%/bin/*}" "${FM_SYSROOT-}"/usr/lib/jvm/*; do
    [[ -n $candidate && -x $candidate/bin/$tool && -x $candidate/bin/java ]] || continue
    major_of "$candidate"
    ((major >= java_wanted)) || continue
    java=$candidate/bin/java java_major=$major
    export JAVA_HOME=$candidate
    return 0
  done
  return 1
}

have_jre() { find_java java; }
have_jdk() { find_java javac; }
have_maven() { mvn=$(command -v mvn); }

# need TOOL... [-- OPTIONAL...]: goes on only with every TOOL (jre, jdk, maven); an OPTIONAL one may stay missing.
need() {
  local tool have
  for tool in "$@"; do
    [[ $tool != -- ]] || continue
    have_"$tool" || have=no
  done
  [[ ${have-} == no ]] || return 0
  . "$bin/lib/consent.sh"
  provide "$@"
}
