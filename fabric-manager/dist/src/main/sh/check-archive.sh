#!/usr/bin/env bash
# check-archive.sh ARCHIVE VERSION: unpacks the archive as a user would, and says everything that is wrong with it.
# Exit code 0: it holds what it should and nothing else, each jar's licence is there, no link is dead, the programs start.
set -euo pipefail
archive=$(readlink -f -- "$1")
version=$2
here=$(dirname "$(readlink -f -- "${BASH_SOURCE[0]}")")

# Paths in the archive, as extended regular expressions; each must be met at least once, and each path must meet one.
required=(
  README.md CHANGELOG.md LICENSE NOTICE
  bin/fabric-manager bin/switch-agent bin/fabricctl bin/lib/launch.sh bin/lib/share.sh bin/lib/switch-agent.classes bin/lib/java.sh bin/lib/consent.sh
  conf/fabric-manager.yaml conf/switch-agent.yaml conf/logback.xml conf/fabric-manager.service conf/switch-agent.service
  conf/examples/exec-plane-directory conf/examples/linux-switch/switch-agent.yaml conf/examples/linux-switch/linux-plane.conf
  'docs/.+\.md' docs/openapi.yaml
  "lib/"{daemon,keys,demo,switch-agent,fabricctl}"-$version.jar" 'lib/.+\.jar'
  licenses/THIRD-PARTY.txt 'licenses/texts/.+\.txt' 'licenses/[^/]+/.+'
)
allowed=('conf/.+' 'docs/.+' 'share/(man/man1/.+\.1|bash-completion/completions/.+|zsh/.+)')

wrong=0
wrong() {
  printf '%s: %s\n' "${archive##*/}" "$1" >&2
  wrong=1
}

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
tar -xzf "$archive" -C "$directory"
[[ $(ls -A "$directory") == fabric-manager ]] || wrong "something beside the directory fabric-manager"
cd "$directory/fabric-manager"

find . -type f | sed 's|^\./||' | sort >"$directory/files"
for pattern in "${required[@]}"; do
  grep -qxE -- "$pattern" "$directory/files" || wrong "nothing is called $pattern"
done
patterns=("${required[@]}" "${allowed[@]}")
while IFS= read -r path; do
  wrong "$path does not belong here"
done < <(grep -vxE -- "$(IFS='|' && printf '%s' "${patterns[*]/#/}")" "$directory/files" || true)

# A licence for each jar, by name, and a text for each licence: a standard one, or the jar's own.
for jar in lib/*.jar; do
  name=${jar##*/}
  [[ $name == *-"$version".jar ]] && continue
  licences=$(awk -v jar="$name" 'NF > 1 && index(jar, $1) == 1 { $1 = ""; $NF = ""; print; exit }' licenses/THIRD-PARTY.txt)
  [[ $licences =~ [A-Z] ]] || wrong "$name: no licence in licenses/THIRD-PARTY.txt"
  for licence in ${licences// OR / }; do
    [[ -f licenses/texts/$licence.txt || -n $(find "licenses/${name%.jar}-jar" -type f 2>/dev/null) ]] || wrong "$name: no text of $licence"
  done
done

find . -mindepth 1 | sed 's|^\./||' >"$directory/paths"
while IFS= read -r file; do
  while IFS= read -r dead; do
    wrong "$dead"
  done < <(awk -v mode=check -f "$here/links.awk" "$directory/paths" "$file")
done < <(grep '\.md$' "$directory/files")

said=$(bin/fabricctl --version) && [[ $said == *" ${version%-SNAPSHOT} "* ]] || wrong "bin/fabricctl --version says: $said"
bin/fabric-manager run --help >/dev/null || wrong "bin/fabric-manager run does not start"
bin/fabric-manager demo --help >/dev/null || wrong "bin/fabric-manager demo does not start"
bin/fabric-manager keys init --authority "$directory/authority" 2>/dev/null || wrong "bin/fabric-manager keys makes no authority"
[[ -x conf/examples/exec-plane-directory ]] || wrong "conf/examples/exec-plane-directory cannot be started"
bin/switch-agent --help >/dev/null || wrong "bin/switch-agent does not start"
exit "$wrong"
