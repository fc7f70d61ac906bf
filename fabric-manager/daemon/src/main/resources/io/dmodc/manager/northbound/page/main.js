// Keeps what is seen equal to what is: an event says that something changed, then the state is fetched again.

import { follow, get } from "./api.js";
import { Drawing } from "./drawing.js";
import { arrange, bundles } from "./layout.js";
import {
  addEvent, addLost, showAlarms, showConnection, showHops, showPathError, showStatus, showSwitch,
} from "./panels.js";

const REFRESH_MS = 700;
const IDLE_MS = 10_000;
const EVENTS_AT_START = 100;

const drawing = new Drawing(document.querySelector("#drawing"), (s) => pick(s?.guid ?? null));
let byGuid = new Map();
let links = { total: -1, links: [] };
let linksKey = "";
let selected = null;
let askedPath = null;
let timer = null;
let refreshing = false;
let again = false;

/** Refreshes soon, however many events come in until then. */
function refreshSoon() {
  if (refreshing) {
    again = true;
  } else if (timer === null) {
    timer = setTimeout(refresh, REFRESH_MS);
  }
}

async function refresh() {
  timer = null;
  refreshing = true;
  again = false;
  try {
    const status = await get("status");
    const { switches } = await get("switches");
    await refreshLinks(switches);
    draw(switches);
    showStatus(status);
    showAlarms(status.alarms + status.acknowledged === 0 ? [] : (await get("alarms")).alarms, pick);
    showConnection(true);
    await Promise.all([refreshSelected(), refreshPath()]);
  } catch (error) {
    showConnection(false);
  } finally {
    refreshing = false;
    if (again) {
      refreshSoon();
    }
  }
}

/** All cables once; after that only the dead ones, which are few, until cables are added or removed. */
async function refreshLinks(switches) {
  const key = `${switches.length} ${switches.reduce((sum, s) => sum + s.incarnation, 0)}`;
  const dead = linksKey === key ? await get("links?live=false") : null;
  if (dead === null || dead.total !== links.total) {
    links = await get("links");
    linksKey = key;
    return;
  }
  const now = new Map(dead.links.map((link) => [end(link), link]));
  links.links = links.links.map((link) => {
    const known = now.get(end(link));
    return known ?? (link.live ? link : { ...link, live: true, heldDown: false, conflict: false });
  });
}

function end(link) {
  return `${link.a.guid} ${link.a.port} ${link.b.guid} ${link.b.port}`;
}

function draw(switches) {
  switches.forEach((s) => { s.bundles = []; });
  byGuid = new Map(switches.map((s) => [s.guid, s]));
  const lines = bundles(links.links, byGuid);
  drawing.show(arrange(switches), lines);
  drawing.select(byGuid.get(selected) ?? null);
}

async function pick(guid) {
  selected = guid;
  drawing.select(byGuid.get(guid) ?? null);
  await refreshSelected();
}

async function refreshSelected() {
  const wanted = selected;
  const detail = wanted === null ? null : await get(`switches/${wanted}`).catch(unlessUnknown);
  if (wanted === selected) {
    selected = detail === null ? null : wanted;
    showSwitch(detail, pick);
  }
}

/** What was picked may have been forgotten or replaced since: the manager answers, there is no such switch. */
function unlessUnknown(error) {
  if (error.status !== 404) {
    throw error;
  }
  return null;
}

async function refreshPath() {
  if (askedPath === null) {
    drawing.showPath([]);
    return;
  }
  try {
    const path = await get(`path?${askedPath}`);
    showHops(path);
    drawing.showPath(path.hops.map((hop) => byGuid.get(hop.guid)).filter(Boolean));
  } catch (error) {
    drawing.showPath([]);
    showPathError(error.message);
  }
}

const form = document.querySelector("#path");
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const ends = new FormData(form);
  askedPath = new URLSearchParams({ from: ends.get("from").trim(), to: ends.get("to").trim() });
  refreshPath();
});
form.addEventListener("reset", () => {
  askedPath = null;
  showPathError("");
  refreshPath();
});

async function start() {
  try {
    const { last, events } = await get(`events?limit=${EVENTS_AT_START}`);
    events.forEach(addEvent);
    follow(last, {
      note(event) {
        addEvent(event);
        refreshSoon();
      },
      lost: addLost,
      state(connected) {
        showConnection(connected);
        if (connected) {
          refreshSoon();
        }
      },
    });
    await refresh();
    setInterval(() => document.hidden || refreshSoon(), IDLE_MS);
  } catch (error) {
    showConnection(false);
    setTimeout(start, IDLE_MS);
  }
}

start();
