# Draws opensm-risk.tsv: awk -F'\t' -f opensm-risk.awk opensm-risk.tsv >opensm-risk.svg
# Columns: fabric, whose tables, all-to-all, median of permutations, mean of shifts. "#" starts a remark.

/^#/ { next }
$1 != fabric {
  fabric = $1
  y += 16
  body = body sprintf("<text x='16' y='%d' font-weight='bold'>%s</text>\n", y += 22, fabric)
}
{
  y += 26
  fill = $2 ~ /^Dmodc/ ? "#2f6f4f" : "#8a94a6"
  body = body sprintf("<text x='186' y='%d' text-anchor='end'>%s</text>\n", y, $2)
  body = body sprintf("<rect x='196' y='%d' width='%.1f' height='17' fill='%s'/>\n", y - 13, $5 * 26, fill)
  body = body sprintf("<text x='%.1f' y='%d'>%.2f <tspan fill='#667'>  all-to-all %d, permutations %d</tspan></text>\n", 202 + $5 * 26, y, $5, $3, $4)
}
END {
  height = y + 40
  printf "<svg xmlns='http://www.w3.org/2000/svg' width='860' height='%d' viewBox='0 0 860 %d' font-family='sans-serif' font-size='14' fill='#1d2733'>\n", height, height
  printf "<rect width='860' height='%d' fill='#fff'/>\n%s", height, body
  printf "<text x='16' y='%d' fill='#667' font-size='12'>Bars: how many times longer the steps of an all-to-all collective take than on a perfect network (mean of all shifts); 1.00 is the best there is.</text>\n</svg>\n", height - 14
}
