# Sourced by launch.sh. Finds Java 17 or newer and Maven; installs them through apt where that is possible.
# Sets: java, java_major, mvn; JAVA_HOME is exported for Maven.

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
  for candidate in "${JAVA_HOME-}" "${onpath%/bin/*}" /usr/lib/jvm/*; do
    [[ -n $candidate && -x $candidate/bin/$tool && -x $candidate/bin/java ]] || continue
    major_of "$candidate"
    ((major >= java_wanted)) || continue
    java=$candidate/bin/java java_major=$major
    export JAVA_HOME=$candidate
    return 0
  done
  return 1
}

# Debian 12 has 17; later releases only have newer ones.
jdk_package() {
  local name=openjdk-$java_wanted-jdk-headless
  [[ -n $(apt-cache madison "$name" 2>/dev/null) ]] || name=default-jdk-headless
  printf '%s' "$name"
}

# install WHAT PACKAGE: one line said, then quiet.
install() {
  local what=$1 package=$2 log
  ((EUID == 0)) && command -v apt-get >/dev/null ||
    die 2 "$what is missing; on Debian or Ubuntu: sudo apt-get install -y $package"
  log=$(mktemp "${TMPDIR:-/tmp}/fabric-manager-apt.XXXXXX")
  say "installing $package through apt (once)"
  export DEBIAN_FRONTEND=noninteractive
  if ! {
    apt-get -q -o DPkg::Lock::Timeout=300 update
    [[ $package != openjdk-* ]] || package=$(jdk_package)
    apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends "$package"
  } >"$log" 2>&1; then
    tail -n 15 "$log" >&2
    die 2 "apt could not install $package (whole log: $log)"
  fi
  rm -f "$log"
}

need_java() {
  find_java java && return
  install "Java $java_wanted or newer" "openjdk-$java_wanted-jdk-headless"
  find_java java || die 2 "no Java $java_wanted or newer even after the installation; set JAVA_HOME"
}

need_jdk() {
  find_java javac && return
  install "a JDK $java_wanted or newer" "openjdk-$java_wanted-jdk-headless"
  find_java javac || die 2 "no JDK $java_wanted or newer even after the installation; set JAVA_HOME"
}

need_maven() {
  mvn=$(command -v mvn || true)
  [[ -z $mvn ]] || return 0
  install "Maven" maven
  mvn=$(command -v mvn) || die 2 "no mvn on the PATH even after the installation"
}
