# Sourced by java.sh when something is missing: says what, asks, installs through apt. Nobody is asked twice, and nothing
# is installed that nobody agreed to.

# What a tool is called in a sentence.
name_of() {
  case $1 in
    jre) printf 'Java %s or newer' "$java_wanted" ;;
    jdk) printf 'a JDK %s or newer' "$java_wanted" ;;
    maven) printf 'Maven' ;;
    opensm) printf 'opensm with ibsim (optional, for the tests that compare with it)' ;;
    python3) printf 'Python 3 (optional, for the tests of exec planes)' ;;
  esac
}

# Its packages. Debian 12 has 17; later releases only have newer ones.
packages_of() {
  case $1 in
    jre | jdk)
      local kind=$1 name
      name=openjdk-$java_wanted-$kind-headless
      if [[ -z $(apt-cache madison "$name" 2>/dev/null) && -n $(apt-cache madison "default-$kind-headless" 2>/dev/null) ]]; then
        name=default-$kind-headless
      fi
      printf '%s' "$name"
      ;;
    maven) printf maven ;;
    opensm) printf 'opensm ibsim-utils' ;;
    python3) printf python3 ;;
  esac
}

names_of() { # TOOL...: A, B and C
  local said= tool
  while (($#)); do
    tool=$(name_of "$1")
    shift
    if [[ -z $said ]]; then said=$tool; elif (($#)); then said+=", $tool"; else said+=" and $tool"; fi
  done
  printf '%s' "$said"
}

apt_command() { # TOOL...
  local tool packages= sudo=
  for tool in "$@"; do packages+=" $(packages_of "$tool")"; done
  [[ $(id -u) == 0 ]] || sudo='sudo '
  printf '%sapt-get update && %sapt-get install -y --no-install-recommends%s' "$sudo" "$sudo" "$packages"
}

provide() { # TOOL... [-- OPTIONAL...]
  local tool kind=missing missing=() optional=()
  for tool in "$@"; do
    if [[ $tool == -- ]]; then
      kind=optional
    elif ! have_"$tool"; then
      [[ $kind == missing ]] && missing+=("$tool") || optional+=("$tool")
    fi
  done
  # The package of opensm starts a subnet manager, which must not happen on a fabric that has one.
  if [[ " ${optional[*]-} " == *" opensm "* && -n $(ls -A "${FM_SYSROOT-}/sys/class/infiniband" 2>/dev/null) ]]; then
    say "this machine has InfiniBand hardware, so opensm is not installed; the tests that compare with it are skipped"
    read -r -a optional <<<"$(printf '%s ' "${optional[@]/#opensm/}")" || true
  fi
  set -- "${missing[@]}" "${optional[@]}"
  (($#)) || return 0

  if ! may_install "$@"; then
    if ((${#missing[@]})); then refuse "${missing[@]}"; fi
    say "missing: $(names_of "$@"); skipped. To have it: $(how "$@")"
    return 0
  fi
  apt_quietly update || true # what it knew before may be enough
  ((${#missing[@]} == 0)) || install "${missing[@]}" || die 2 "apt could not install $(names_of "${missing[@]}")"
  ((${#optional[@]} == 0)) || install "${optional[@]}" || say "skipped: what needs $(names_of "${optional[@]}")"
  for tool in "${missing[@]}"; do
    have_"$tool" || die 2 "$(name_of "$tool") is still missing after the installation; set JAVA_HOME and PATH"
  done
  rm -f "$apt_log"
}

# Only root can, and only with apt; then whoever started this decides.
may_install() {
  [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null || return 1
  [[ ${FM_YES-} != 1 && ${CI-} != true ]] || return 0
  [[ -t 0 && -t 2 ]] || return 1
  local answer=
  say "Missing: $(names_of "$@")."
  say "  $(apt_command "$@")"
  printf 'Run this command now? [y/N] ' >&2
  IFS= read -r answer || say ""
  [[ $answer == [yY] || $answer == [yY][eE][sS] ]]
}

how() { # TOOL...: the ways to get them, in one line
  if ! command -v apt-get >/dev/null; then
    printf 'install it with the package manager of this system'
  elif [[ $(id -u) == 0 ]]; then
    printf "'%s --yes ...', or: %s" "${self##*/}" "$(apt_command "$@")"
  else
    apt_command "$@"
  fi
}

refuse() { die 2 "missing: $(names_of "$@"). Install with: $(how "$@")"; }

apt_quietly() {
  apt_log=${apt_log-$(mktemp "${TMPDIR:-/tmp}/fabric-manager-apt.XXXXXX")}
  DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 -o Acquire::http::Timeout=30 "$@" >>"$apt_log" 2>&1
}

install() { # TOOL...: one line said, then quiet; the names are looked up again, as there are lists of packages now
  local packages
  read -r -a packages <<<"$(for tool in "$@"; do printf '%s ' "$(packages_of "$tool")"; done)"
  say "installing ${packages[*]} through apt"
  apt_quietly install -y --no-install-recommends "${packages[@]}" && return
  tail -n 15 "$apt_log" >&2
  say "apt failed (whole log: $apt_log)"
  return 1
}
