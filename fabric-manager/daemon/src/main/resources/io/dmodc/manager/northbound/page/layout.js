// Where each switch stands: leaves in the order of their nodes, every upper switch above the middle of those below it.
// Positions are fractions (x of the width; level 0 at the bottom), so a resize or zoom needs no new layout.

/** Cables between the same two switches are drawn as one line. */
export function bundles(links, byGuid) {
  const found = new Map();
  for (const link of links) {
    const a = byGuid.get(link.a.guid);
    const b = byGuid.get(link.b.guid);
    if (!a || !b || a === b) {
      continue;
    }
    const key = `${link.a.guid} ${link.b.guid}`;
    let bundle = found.get(key);
    if (!bundle) {
      bundle = { a, b, cables: [], dead: 0 };
      found.set(key, bundle);
      a.bundles.push(bundle);
      b.bundles.push(bundle);
    }
    bundle.cables.push(link);
    bundle.dead += link.live ? 0 : 1;
  }
  return [...found.values()];
}

/** Gives each switch its level and x; returns the levels, leaves first. */
export function arrange(switches) {
  const known = switches.filter((s) => s.rank !== undefined);
  const top = known.reduce((highest, s) => Math.max(highest, s.rank), 0);
  const levels = Array.from({ length: top + 1 }, () => []);
  for (const s of switches) {
    s.level = s.rank ?? 0;
    levels[s.level].push(s);
  }
  levels.forEach((level, rank) => {
    if (rank === 0) {
      level.sort((p, q) => (p.firstNode ?? Infinity) - (q.firstNode ?? Infinity) || byGuid(p, q));
    } else {
      level.forEach((s) => { s.middle = middleBelow(s); });
      level.sort((p, q) => p.middle - q.middle || byGuid(p, q));
    }
    level.forEach((s, i) => { s.x = (i + 0.5) / level.length; });
  });
  return levels;
}

/** Rounded, so that switches above the same ones stay in the order of their GUIDs. */
function middleBelow(s) {
  const below = s.bundles.map((b) => (b.a === s ? b.b : b.a)).filter((other) => other.level < s.level);
  const sum = below.reduce((total, other) => total + other.x, 0);
  return below.length === 0 ? 0.5 : Math.round((sum / below.length) * 1e6) / 1e6;
}

function byGuid(p, q) {
  return p.guid < q.guid ? -1 : p.guid > q.guid ? 1 : 0;
}
