# Relative links in Markdown files that lead to nothing in a tree.
#   awk -v mode=check -f links.awk PATHS FILE   prints each of them with file and line
#   awk -v mode=text  -f links.awk PATHS FILE   prints the file with each of them replaced by its text
# PATHS lists what is in the tree, one path a line; these and FILE are relative to its root. Fenced code has no links.

NR == FNR { there[$0]; next }

/^ *```/ { fenced = !fenced }

{
  rest = $0
  line = ""
  while (!fenced && match(rest, /!?\[[^]\[]*\]\([^()]*\)/)) {
    link = substr(rest, RSTART, RLENGTH)
    line = line substr(rest, 1, RSTART - 1) judged(link)
    rest = substr(rest, RSTART + RLENGTH)
  }
  if (mode == "text") print line rest
}

# The link itself, or its text where it leads to nothing.
function judged(link,    text, target) {
  text = link
  sub(/^!?\[/, "", text)
  sub(/\]\([^()]*\)$/, "", text)
  target = link
  sub(/^.*\]\(/, "", target)
  sub(/[ #].*$/, "", target)
  sub(/\)$/, "", target)
  if (target == "" || target ~ /^[a-z]+:/ || path(target) in there) return link
  if (mode == "check") printf "%s:%d: no %s in the archive\n", FILENAME, FNR, target
  return text
}

# The target's path from the root: "docs/adr/../../conf" is "conf".
function path(target,    parts, count, i, depth, kept, whole) {
  whole = FILENAME
  sub(/[^\/]*$/, "", whole)
  count = split(whole target, parts, "/")
  for (i = 1; i <= count; i++) {
    if (parts[i] == "" || parts[i] == ".") continue
    if (parts[i] == ".." && depth > 0 && kept[depth] != "..") depth--
    else kept[++depth] = parts[i]
  }
  whole = depth ? kept[1] : "."
  for (i = 2; i <= depth; i++) whole = whole "/" kept[i]
  return whole
}
