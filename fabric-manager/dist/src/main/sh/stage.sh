#!/usr/bin/env bash
# Called by Maven: stage.sh ROOT TO. Puts into TO what the archive has beside bin, lib, conf and share: README, documents
# and licences. The documents link to sources, which are not packed: such links become text.
set -euo pipefail
root=$1 to=$2
here=$root/fabric-manager/dist

rm -rf "$to/docs" "$to/licenses/texts"
mkdir -p "$to/licenses/texts"
cp "$root"/{README.md,CHANGELOG.md,LICENSE} "$here/src/main/archive/NOTICE" "$to"
cp -r "$root/docs" "$to/docs"
cp "$here"/src/main/archive/licenses/*.txt "$to/licenses/texts"
cp "$root/LICENSE" "$to/licenses/texts/Apache-2.0.txt"

find "$to/licenses" -type d -empty -delete # jars that bring no text

cd "$to"
paths=$(mktemp)
trap 'rm -f "$paths"' EXIT
find . -mindepth 1 | sed 's|^\./||' >"$paths"
(cd "$root" && find conf) >>"$paths"
find . -name '*.md' | sed 's|^\./||' | while IFS= read -r file; do
  awk -v mode=text -f "$here/src/main/sh/links.awk" "$paths" "$file" >"$file.new"
  mv "$file.new" "$file"
done
