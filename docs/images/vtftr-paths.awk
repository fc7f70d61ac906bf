# Draws vtftr-paths.txt: awk -f vtftr-paths.awk vtftr-paths.txt >vtftr-paths.svg
# grid ROWS COLUMNS; dead ROW COLUMN; leaf ROW COLUMN LABEL; path COLOUR ROW,COLUMN ... where what follows "|" is on channel 1.

function x(c) { return 130 + c * 120 }
function y(r) { return 80 + r * 90 }
/^#/ { next }
$1 == "grid" { rows = $2; columns = $3 }
$1 == "dead" { dead[$2, $3] = 1 }
$1 == "leaf" { label[$2, $3] = $4 }
$1 == "path" {
  count++
  dash = ""
  shift = (count - 2) * 7
  for (i = 3; i <= NF; i++) {
    if ($i == "|") { dash = " stroke-dasharray='7 5'"; continue }
    split($i, to, ",")
    if (i > 3) {
      paths = paths sprintf("<line x1='%d' y1='%d' x2='%d' y2='%d' stroke='%s' stroke-width='3' marker-end='url(#end)'%s/>\n", \
        x(from[2]) + shift, y(from[1]) + shift, x(to[2]) + shift, y(to[1]) + shift, $2, dash)
    }
    from[1] = to[1]; from[2] = to[2]
  }
}
END {
  width = x(columns - 1) + 80; height = y(rows - 1) + 110
  printf "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' font-family='sans-serif' font-size='14' fill='#1d2733'>\n", width, height, width, height
  printf "<rect width='%d' height='%d' fill='#fff'/>\n", width, height
  print "<defs><marker id='end' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='5' markerHeight='5' orient='auto'><path d='M0 0 8 4 0 8z' fill='context-stroke'/></marker></defs>"
  for (r = 0; r < rows; r++) {
    printf "<line x1='70' y1='%d' x2='%d' y2='%d' stroke='#c8d0db' stroke-width='2'/>\n", y(r), x(columns - 1), y(r)
    printf "<rect x='14' y='%d' width='62' height='26' rx='4' fill='#e8edf4'/><text x='45' y='%d' text-anchor='middle'>row %d</text>\n", y(r) - 13, y(r) + 5, r
  }
  for (c = 0; c < columns; c++) {
    printf "<line x1='%d' y1='40' x2='%d' y2='%d' stroke='#c8d0db' stroke-width='2'/>\n", x(c), x(c), y(rows - 1)
    printf "<rect x='%d' y='14' width='76' height='26' rx='4' fill='#e8edf4'/><text x='%d' y='32' text-anchor='middle'>column %d</text>\n", x(c) - 38, x(c), c
  }
  for (r = 0; r < rows; r++) for (c = 0; c < columns; c++) {
    bad = (r, c) in dead
    printf "<rect x='%d' y='%d' width='56' height='40' rx='5' fill='%s' stroke='%s'/>\n", x(c) - 28, y(r) - 20, bad ? "#f3d6d3" : "#fff", bad ? "#b3261e" : "#66758a"
    printf "<text x='%d' y='%d' font-size='11' fill='#667'>%d%d%s</text>\n", x(c) - 24, y(r) - 7, r, c, bad ? " dead" : ""
    if ((r, c) in label) printf "<text x='%d' y='%d' text-anchor='end' font-weight='bold'>%s</text>\n", x(c) + 25, y(r) + 16, label[r, c]
  }
  printf "%s", paths
  printf "<text x='14' y='%d' fill='#667'>Each line: up to the root of a row or column and down again, one routing.</text>\n", height - 38
  printf "<text x='14' y='%d' fill='#667'>Solid: virtual channel 0. Dashed: channel 1, after the turn from a column to a row.</text>\n</svg>\n", height - 18
}
