// The fabric on two canvases: links and switches below, what the mouse and the path query mark above. Zoom stretches
// the width only, so all levels stay in sight. Only marks are drawn anew while the mouse moves; while a large fabric is
// zoomed, the last picture is stretched, and drawn anew when the hand rests.

const MARGIN = { top: 44, bottom: 74, side: 30 };
const SIZE_MAX = 15;
const NEAR_PX = 14;
const STROKE_CHUNK = 96;
const SLOW_MS = 25;
const REST_MS = 130;

export class Drawing {
  /** picked(switch or null) is called after a click. */
  constructor(place, picked) {
    this.place = place;
    this.fabric = place.querySelector("#fabric");
    this.marks = place.querySelector("#marks");
    this.tip = place.querySelector("#tip");
    this.levels = [];
    this.bundles = [];
    this.selected = null;
    this.path = [];
    this.transform = d3.zoomIdentity;
    this.zoom = d3.zoom().scaleExtent([1, 400]).on("zoom", (event) => this.zoomed(event.transform));
    d3.select(this.marks).call(this.zoom).on("dblclick.zoom", null);
    this.marks.addEventListener("pointermove", (event) => this.hover(event));
    this.marks.addEventListener("pointerleave", () => this.hover(null));
    this.marks.addEventListener("click", (event) => picked(this.nearest(event)));
    place.querySelector("#fit").addEventListener("click", () => this.fit());
    new ResizeObserver(() => this.resize()).observe(place);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
  }

  show(levels, bundles) {
    this.levels = levels;
    this.bundles = bundles;
    this.redraw();
  }

  select(s) {
    this.selected = s;
    this.remark();
  }

  /** Switches a packet passes, in order. */
  showPath(switches) {
    this.path = switches;
    this.remark();
  }

  fit() {
    d3.select(this.marks).call(this.zoom.transform, d3.zoomIdentity);
  }

  zoomed(transform) {
    this.transform = transform;
    if (!(this.lastDrawMs > SLOW_MS)) {
      this.redraw();
      return;
    }
    this.later("stretch", () => this.stretch());
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.redraw(), REST_MS);
  }

  /** The last picture, moved and stretched to where it belongs now. */
  stretch() {
    const { image, transform } = this.picture;
    const by = this.transform.k / transform.k;
    const ink = this.fabric.getContext("2d");
    ink.clearRect(0, 0, this.width, this.height);
    ink.drawImage(image, this.transform.x - transform.x * by, 0, this.width * by, this.height);
    this.marks.getContext("2d").clearRect(0, 0, this.width, this.height);
  }

  /** Keeps what was drawn, if drawing took long. */
  keep() {
    if (this.lastDrawMs > SLOW_MS) {
      const image = new OffscreenCanvas(this.fabric.width, this.fabric.height);
      image.getContext("2d").drawImage(this.fabric, 0, 0);
      this.picture = { image, transform: this.transform };
    }
  }

  resize() {
    const { width, height } = this.place.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    this.width = width;
    this.height = height;
    for (const canvas of [this.fabric, this.marks]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
    }
    this.zoom.translateExtent([[0, 0], [width, height]]).extent([[0, 0], [width, height]]);
    this.redraw();
  }

  redraw() {
    this.later("fabric", () => this.drawFabric());
    this.remark();
  }

  remark() {
    this.later("marks", () => this.drawMarks());
  }

  /** At most one drawing of each kind a frame. */
  later(kind, draw) {
    this.waiting ??= {};
    if (!this.waiting[kind]) {
      this.waiting[kind] = true;
      requestAnimationFrame(() => {
        this.waiting[kind] = false;
        draw();
      });
    }
  }

  at(s) {
    const inner = this.width - 2 * MARGIN.side;
    const steps = Math.max(this.levels.length - 1, 1);
    const tall = this.height - MARGIN.top - MARGIN.bottom;
    return {
      x: this.transform.applyX(MARGIN.side + s.x * inner),
      y: this.height - MARGIN.bottom - (s.level / steps) * tall,
    };
  }

  /** Distance of neighbours on a level, in pixels now. */
  spacing(level) {
    return ((this.width - 2 * MARGIN.side) / this.levels[level].length) * this.transform.k;
  }

  size(level) {
    return Math.max(2.5, Math.min(SIZE_MAX, this.spacing(level) * 0.72));
  }

  colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  }

  drawFabric() {
    const started = performance.now();
    const ink = this.fabric.getContext("2d");
    ink.clearRect(0, 0, this.width, this.height);
    this.places = new Map();
    this.levels.flat().forEach((s) => this.places.set(s, this.at(s)));
    this.drawLinks(ink);
    this.levels.forEach((level, rank) => this.drawLevel(ink, level, rank));
    const seen = [...this.places].filter(([, p]) => p.x > -20 && p.x < this.width + 20);
    this.tree = d3.quadtree(seen, ([, p]) => p.x, ([, p]) => p.y);
    this.lastDrawMs = performance.now() - started;
    this.keep();
  }

  /** Links with an end in sight, paler the more there are between two levels. */
  drawLinks(ink) {
    const seen = this.bundles.filter((b) => this.inSight(b.a) || this.inSight(b.b));
    const gaps = d3.group(seen.filter((b) => b.dead < b.cables.length), (b) => Math.max(b.a.level, b.b.level));
    ink.strokeStyle = this.colour("link");
    ink.lineWidth = 1;
    for (const alive of gaps.values()) {
      ink.globalAlpha = Math.max(0.05, Math.min(0.55, 5 / Math.sqrt(alive.length)));
      for (let from = 0; from < alive.length; from += STROKE_CHUNK) {
        this.stroke(ink, alive.slice(from, from + STROKE_CHUNK));
      }
    }
    ink.globalAlpha = 0.85;
    ink.strokeStyle = this.colour("dead");
    ink.setLineDash([5, 4]);
    this.stroke(ink, seen.filter((b) => b.dead > 0));
    ink.setLineDash([]);
    ink.globalAlpha = 1;
  }

  inSight(s) {
    const { x } = this.places.get(s);
    return x >= 0 && x <= this.width;
  }

  stroke(ink, bundles) {
    ink.beginPath();
    for (const { a, b } of bundles) {
      const p = this.places.get(a);
      const q = this.places.get(b);
      ink.moveTo(p.x, p.y);
      ink.lineTo(q.x, q.y);
    }
    ink.stroke();
  }

  drawLevel(ink, level, rank) {
    const size = this.size(rank);
    const labelled = this.spacing(rank) > 46;
    ink.textAlign = "center";
    ink.font = "11px system-ui, sans-serif";
    for (const s of level) {
      const p = this.places.get(s);
      if (p.x > -40 && p.x < this.width + 40) {
        this.drawSwitch(ink, s, p, size);
        if (labelled) {
          ink.fillStyle = this.colour("quiet");
          ink.fillText(s.name, p.x, rank === 0 ? p.y + size + 12 : p.y - size - 3, this.spacing(rank) - 6);
        }
      }
    }
    ink.textAlign = "left";
    ink.fillStyle = this.colour("quiet");
    const y = this.height - MARGIN.bottom - (rank / Math.max(this.levels.length - 1, 1))
      * (this.height - MARGIN.top - MARGIN.bottom);
    ink.fillText(rank === 0 ? `${level.length} leaves` : `level ${rank}: ${level.length}`, 12,
      rank === 0 ? y + size + 26 : y - size - 14);
  }

  /** By colour and by shape, for those who see colours differently. */
  drawSwitch(ink, s, { x, y }, size) {
    const half = size / 2;
    ink.fillStyle = this.colour(s.condition);
    ink.strokeStyle = ink.fillStyle;
    ink.lineWidth = Math.max(1.5, size / 6);
    if (s.condition === "dead") {
      const arm = Math.max(half, 4);
      ink.beginPath();
      ink.moveTo(x - arm, y - arm);
      ink.lineTo(x + arm, y + arm);
      ink.moveTo(x - arm, y + arm);
      ink.lineTo(x + arm, y - arm);
      ink.stroke();
    } else if (s.condition === "headless") {
      const arm = Math.max(half * 1.3, 5);
      ink.beginPath();
      ink.moveTo(x, y - arm);
      ink.lineTo(x + arm, y);
      ink.lineTo(x, y + arm);
      ink.lineTo(x - arm, y);
      ink.fill();
    } else {
      ink.fillRect(x - half, y - half, size, size);
    }
    if (s.condition !== "dead" && (!s.upToDate || s.flagged || s.agent === "silent")) {
      ink.strokeStyle = this.colour(s.flagged ? "dead" : s.agent === "silent" ? "headless" : "behind");
      ink.lineWidth = 2;
      ink.strokeRect(x - half - 2, y - half - 2, size + 4, size + 4);
    }
    if (s.cutOff) {
      ink.strokeStyle = this.colour("dead");
      ink.lineWidth = 2;
      ink.beginPath();
      ink.arc(x, y, Math.max(half, 4) + 5, 0, 2 * Math.PI);
      ink.stroke();
    }
  }

  drawMarks() {
    const ink = this.marks.getContext("2d");
    ink.clearRect(0, 0, this.width, this.height);
    if (!this.places) {
      return;
    }
    if (this.selected && this.places.has(this.selected)) {
      this.markSwitch(ink, this.selected);
    }
    this.markPath(ink);
    if (this.hovered && this.places.has(this.hovered)) {
      this.ring(ink, this.hovered, this.colour("text"), 1.5);
    }
  }

  markSwitch(ink, s) {
    for (const direction of ["up", "down"]) {
      ink.strokeStyle = this.colour(direction);
      ink.globalAlpha = 0.8;
      ink.lineWidth = 1.4;
      this.stroke(ink, s.bundles.filter((b) => b.dead < b.cables.length
        && ((b.a === s ? b.b : b.a).level > s.level) === (direction === "up")));
    }
    ink.globalAlpha = 1;
    this.ring(ink, s, this.colour("text"), 2.5);
  }

  ring(ink, s, colour, width) {
    const p = this.places.get(s);
    ink.strokeStyle = colour;
    ink.lineWidth = width;
    ink.beginPath();
    ink.arc(p.x, p.y, this.size(s.level) / 2 + 5, 0, 2 * Math.PI);
    ink.stroke();
  }

  markPath(ink) {
    const passed = this.path.filter((s) => this.places.has(s));
    ink.strokeStyle = this.colour("path");
    ink.lineWidth = 3.5;
    ink.lineJoin = "round";
    ink.beginPath();
    passed.forEach((s, i) => {
      const p = this.places.get(s);
      i === 0 ? ink.moveTo(p.x, p.y) : ink.lineTo(p.x, p.y);
    });
    ink.stroke();
    passed.forEach((s) => this.ring(ink, s, this.colour("path"), 3));
  }

  nearest(event) {
    const box = this.marks.getBoundingClientRect();
    const found = this.tree?.find(event.clientX - box.left, event.clientY - box.top, NEAR_PX);
    return found ? found[0] : null;
  }

  hover(event) {
    const s = event && event.buttons === 0 ? this.nearest(event) : null;
    if (s !== this.hovered) {
      this.hovered = s;
      this.marks.classList.toggle("over", s !== null);
      this.remark();
    }
    this.tip.hidden = s === null;
    if (s !== null) {
      const p = this.places.get(s);
      this.tip.textContent = about(s);
      this.tip.style.left = `${Math.min(p.x + 14, this.width - this.tip.offsetWidth - 8)}px`;
      this.tip.style.top = `${Math.max(p.y - this.tip.offsetHeight - 10, 6)}px`;
    }
  }
}

function about(s) {
  const dead = s.bundles.reduce((sum, b) => sum + b.dead, 0);
  const lines = [s.name, s.condition + (s.agent === "connected" ? "" : `, agent ${s.agent}`)];
  lines.push(`${s.liveLinks} live links${dead > 0 ? `, ${dead} dead` : ""}${s.nodes > 0 ? `, ${s.nodes} nodes` : ""}`);
  if (s.cutOff) {
    lines.push("cut off");
  }
  return lines.join("\n");
}
