// The words around the drawing: status line, details of a switch, hops of a path, events. Text only ever enters the
// page as text, never as markup: names come from the fabric.

const EVENTS_SHOWN = 300;
const ALARMS_SHOWN = 100;

/** Makes an element with properties and children. */
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

export function micros(value) {
  if (value === undefined) {
    return "–";
  }
  if (value < 1000) {
    return `${value} µs`;
  }
  return value < 1_000_000 ? `${(value / 1000).toFixed(1)} ms` : `${(value / 1_000_000).toFixed(2)} s`;
}

function fact(name, text, look = "") {
  return make("div", {}, make("dt", { textContent: name }), make("dd", { textContent: text, className: look }));
}

export function showStatus(status) {
  const { switches, lastEpoch: last } = status;
  const busy = status.discovering || status.computing || status.outstanding > 0;
  document.querySelector("#lamp").className = `lamp ${status.alarms > 0 ? "alarm" : busy ? "busy" : "calm"}`;
  document.title = status.alarms > 0 ? `(${status.alarms}) Fabric` : "Fabric";
  const facts = [
    fact("state", state(status), busy ? "busy" : ""),
    fact("epoch", String(status.epoch)),
    fact("switches", of(switches), switches.down > 0 ? "alarm" : ""),
  ];
  if (switches.headless > 0) {
    facts.push(fact("headless", String(switches.headless), "warn"));
  }
  if (status.agents.flagged > 0) {
    facts.push(fact("flagged agents", String(status.agents.flagged), "alarm"));
  }
  facts.push(fact("links", of(status.links), status.links.down > 0 ? "warn" : ""));
  facts.push(fact("hosts", of(status.hosts), status.hosts.down > 0 ? "warn" : ""));
  if (status.cutOff.length > 0) {
    facts.push(fact("cut off", names(status.cutOff), "alarm"));
  }
  if (status.withoutPath) {
    facts.push(fact("no legal path", status.withoutPath, "warn"));
  }
  if (last) {
    facts.push(fact(`epoch ${last.epoch}: ${last.stage}`, epochTimes(last), last.stage === "refused" ? "alarm" : ""));
    if (last.change !== "") {
      facts.push(fact("change of tables", last.change, last.change.startsWith("not provable") ? "warn" : ""));
    }
  }
  facts.push(...intentFacts(status.intent));
  if (status.congestion) {
    facts.push(fact(`congestion of epoch ${status.congestion.epoch}`, congestion(status.congestion)));
  }
  document.querySelector("#facts").replaceChildren(...facts);
  document.querySelector("#empty").hidden = switches.total > 0;
}

/** What operators want to hold; nothing where there is nothing. */
function intentFacts({ pause, engine, rebalance, drained }) {
  const facts = [];
  if (pause) {
    const until = pause.until ? ` until ${date(pause.until)}` : "";
    const but = pause.faultsEndIt ? " unless they mend something" : "";
    facts.push(fact("paused", `by ${said(pause)}${until}: no tables are sent${but}`, "warn"));
  }
  if (engine) {
    facts.push(fact("engine", `${engine.name}, chosen by ${said(engine)}`));
  }
  if (rebalance) {
    facts.push(fact("moved entries", `${rebalance.entries.toLocaleString("en")} of ${rebalance.switches} switches, by ${said(rebalance)}`));
  }
  if (drained.length > 0) {
    const safe = drained.filter((one) => one.safe).length;
    facts.push(fact("drained", `${names(drained.map((one) => one.name))}; ${safe} of ${drained.length} safe to unplug`));
  }
  return facts;
}

function said({ by, why, since }) {
  return `${by}${why === "" ? "" : ` (${why})`} since ${date(since)}`;
}

function date(time) {
  return new Date(time).toLocaleString("en-GB");
}

/** The means of the patterns looked at; 1 is the best there is where a fabric has full bisection. */
function congestion({ allToAll, permutations, shifts, hottest }) {
  const worst = hottest.length > 0 ? `; hottest ${hottest[0].name} port ${hottest[0].port}` : "";
  return `all-to-all ${allToAll}, permutations ${permutations.mean.toFixed(2)}, shifts ${shifts.mean.toFixed(2)}${worst}`;
}

/** How many live of how many there should be. */
function of({ live, expected }) {
  const all = expected.toLocaleString("en");
  return live === expected ? all : `${live.toLocaleString("en")} of ${all}`;
}

function state(status) {
  if (status.discovering) {
    return "discovering";
  }
  if (status.computing) {
    return "computing";
  }
  if (status.outstanding > 0) {
    return `${status.outstanding} ${status.outstanding === 1 ? "table" : "tables"} under way`;
  }
  return "at rest";
}

/** Alarms that stand for themselves, the worse first and those last that somebody takes care of, each with how many it explains; the switch of one can be picked. */
export function showAlarms(alarms, pick) {
  const explained = new Map();
  alarms.forEach(({ parent }) => explained.set(parent, (explained.get(parent) ?? 0) + 1));
  const shown = alarms.filter((alarm) => alarm.parent === undefined)
    .sort((a, b) => (a.acknowledged !== undefined) - (b.acknowledged !== undefined)
      || (b.severity === "alarm") - (a.severity === "alarm"))
    .slice(0, ALARMS_SHOWN);
  const section = document.querySelector("#alarms");
  section.hidden = shown.length === 0;
  section.querySelector("ol").replaceChildren(...shown.map((alarm) => alarmLine(alarm, explained.get(alarm.id), pick)));
}

function alarmLine(alarm, under, pick) {
  const since = make("time", { textContent: clock(alarm.since), dateTime: alarm.since, title: alarm.since });
  const text = under === undefined ? alarm.text : `${alarm.text} (${under} more under it)`;
  const guid = alarm.object.switch;
  const words = guid === undefined ? text : make("a", { textContent: text, href: "#", onclick: (event) => {
    event.preventDefault();
    pick(guid);
  } });
  const known = alarm.acknowledged;
  const note = known === undefined ? [] : [make("span", {
    className: "hint", textContent: ` ${known.by}: ${known.why}`, title: `acknowledged ${known.at}`,
  })];
  return make("li", { className: known === undefined ? alarm.severity : "" }, since, words, ...note);
}

function names(list) {
  return list.length <= 3 ? list.join(", ") : `${list.slice(0, 3).join(", ")} and ${list.length - 3} more`;
}

function epochTimes(epoch) {
  const parts = [`route ${micros(epoch.routeMicros)}`, `check ${micros(epoch.checkMicros)}`];
  if (epoch.restoredMicros !== undefined) {
    parts.push(`restored ${micros(epoch.restoredMicros)}`);
  }
  if (epoch.totalMicros !== undefined) {
    parts.push(`push ${micros(epoch.pushMicros)}`, `in all ${micros(epoch.totalMicros)}`);
  }
  return parts.join(" · ");
}

/** pick(guid) is called for a peer that was clicked. */
export function showSwitch(detail, pick) {
  const place = document.querySelector("#details");
  if (!detail) {
    place.replaceChildren(
      make("h2", { textContent: "Switch" }),
      make("p", { className: "hint", textContent: "Click a switch in the drawing." }));
    return;
  }
  const s = detail.switch;
  const parts = [
    make("h2", { textContent: s.name }),
    make("p", { className: "guid", textContent: s.guid }),
    make("p", { textContent: condition(s), className: s.condition === "connected" ? "" : "warn-text" }),
    make("p", { className: "hint", textContent: tableText(detail.table) }),
  ];
  if (s.cutOff) {
    parts.push(make("p", { className: "alarm-text", textContent: "cut off: other leaves cannot reach it" }));
  }
  const titles = { up: "Up", down: "Down", across: "Across", host: "Nodes" };
  for (const [leads, title] of Object.entries(titles)) {
    const ports = detail.ports.filter((port) => port.leads === leads);
    if (ports.length > 0) {
      parts.push(make("h3", { textContent: heading(title, leads, ports) }));
      parts.push(make("table", {}, make("tbody", {}, ...ports.map((port) => row(port, pick)))));
    }
  }
  place.replaceChildren(...parts);
}

// What hellos through a switch without an agent say of it.
const FORWARDING = {
  proved: "hellos come through it",
  untestable: "not known to forward: no hellos through it",
  unanswered: "not known to forward: hellos through it are lost",
  hung: "hung",
};

function condition(s) {
  const agent = s.agent === "connected" ? "agent connected" : `agent ${s.agent}`;
  const forwarding = FORWARDING[s.forwarding];
  return `${s.condition}, ${agent}${s.flagged ? ", flagged" : ""}${forwarding ? `, ${forwarding}` : ""}`;
}

function tableText(table) {
  if (table.entries === 0) {
    return "no table yet";
  }
  const held = table.ackedEpoch > 0 ? `holds a table acked in epoch ${table.ackedEpoch}` : "holds no known table";
  return table.upToDate ? `${held}, up to date` : `${held}${table.pushInFlight ? ", a newer one is under way" : ", out of date"}`;
}

function heading(title, leads, ports) {
  const live = ports.filter((port) => (leads === "host" ? port.up : port.live)).length;
  return `${title}: ${live} of ${ports.length} ${leads === "host" ? "up" : "live"}`;
}

function row(port, pick) {
  const peer = make("td");
  if (port.peer) {
    const link = make("a", { textContent: port.peer.name, href: "#" });
    link.addEventListener("click", (event) => {
      event.preventDefault();
      pick(port.peer.guid);
    });
    peer.append(link, ` port ${port.peer.port}`);
  } else {
    peer.textContent = `${port.host.name}${port.host.index >= 0 ? `, index ${port.host.index}` : ""}`;
  }
  const good = !port.conflict && (port.host ? port.up : port.live);
  const flaps = port.flaps > 0 ? `, ${port.flaps} flap${port.flaps > 1 ? "s" : ""}` : "";
  const look = good && !port.slow ? "hint" : "alarm-text";
  const rate = port.rate ? `, ${port.rate}${port.slow ? ", slow" : ""}` : "";
  const text = (good ? "up" : port.conflict ? "contradicted" : port.heldDown ? "held down" : port.up ? "far end down" : "down") + flaps + (good ? rate : "");
  return make("tr", {}, make("td", { textContent: String(port.port) }), peer,
    make("td", { textContent: text, className: look }));
}

export function showHops(path) {
  const list = make("ol", {}, ...path.hops.map((hop) =>
    make("li", { textContent: `${hop.name} ${hop.port > 0 ? `port ${hop.port}` : "–"} → ${hop.next || "nowhere"}${hop.held ? " (by an older table)" : hop.acked ? "" : " (not acked)"}` })));
  const end = make("p", { textContent: path.end, className: path.delivered ? "hint" : "alarm-text" });
  document.querySelector("#hops").replaceChildren(list, end);
}

export function showPathError(text) {
  const line = text === "" ? [] : [make("p", { textContent: text, className: "alarm-text" })];
  document.querySelector("#hops").replaceChildren(...line);
}

/** Newest on top. */
export function addEvent(event) {
  addLine(make("li", { className: event.severity, title: `event ${event.number}, epoch ${event.epoch}` },
    make("time", { textContent: clock(event.time), dateTime: event.time }), event.text));
}

function clock(time) {
  return new Date(time).toLocaleTimeString("en-GB");
}

export function addLost(count) {
  addLine(make("li", { className: "lost", textContent: `${count} events were forgotten before they could be shown` }));
}

function addLine(line) {
  const list = document.querySelector("#events");
  list.prepend(line);
  while (list.childElementCount > EVENTS_SHOWN) {
    list.lastElementChild.remove();
  }
}

export function showConnection(connected) {
  const line = document.querySelector("#connection");
  line.hidden = connected;
  line.textContent = "The manager does not answer; what you see is old.";
}
