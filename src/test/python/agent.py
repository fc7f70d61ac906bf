#!/usr/bin/env python3
"""An agent for one switch, written from docs/southbound-protocol.md and southbound.proto alone, with Python's standard library.

The switch is two files: the table it forwards with (--table; index, port, and GUID, LID, IPv4, IPv6, MAC, name of the destination,
ports it can be reached by as well), and its cables, which are read again and again (--ports, JSON):

    {"port-count": 4, "ports": [{"number": 1, "up": true, "host": "0xa0", "name": "n0", "ipv4": "10.0.0.1"},
                                {"number": 3, "up": true, "switch": "0x20", "port": 1}]}

That file is to be replaced, not written to. The agent takes no part in the heartbeat ring, and so never hears of a Revoke.
"""
import argparse, ipaddress, json, os, random, socket, ssl, struct, time

NONE, MAX_FRAME, MAX_ENTRIES, MASK = 255, 1 << 20, 1 << 19, (1 << 64) - 1

# --- southbound.proto: number of a field -> its name and kind; [kind] is repeated, a dictionary is a message
U32, U64, BOOL, FIXED, BYTES, TEXT, ANY = "u32 u64 bool fixed bytes text any".split()
ADDRESSES = {1: ("lid", U32), 2: ("ipv4", BYTES), 3: ("ipv6", BYTES), 4: ("mac", BYTES)}
STATE = {1: ("leader", U64), 2: ("fabric", U64), 3: ("entries", U32), 4: ("digest", FIXED)}
HELLO = {1: ("min", U32), 2: ("max", U32), 3: ("guid", FIXED), 4: ("name", TEXT), 5: ("port_count", U32), 6: ("incarnation", U32),
         7: ("table", STATE), 9: ("leader", U64), 12: ("destinations", BOOL), 13: ("destinations_digest", FIXED),
         14: ("alternatives", BOOL), 15: ("alternatives_digest", FIXED)}
SWITCH = {1: ("guid", FIXED), 2: ("port", U32)}
HOST = {1: ("port_guid", FIXED), 2: ("host_guid", FIXED), 3: ("host_port", U32), 4: ("name", TEXT), 5: ("addresses", ADDRESSES)}
PORT = {1: ("number", U32), 2: ("up", BOOL), 3: ("switch", SWITCH), 4: ("host", HOST)}
REFUSED = {1: ("leader", U64), 2: ("fabric", U64), 3: ("reason", U32), 4: ("text", TEXT), 5: ("table", STATE)}
AGENT_FRAME = {1: ("hello", HELLO), 2: ("report", {1: ("sequence", U64), 2: ("complete", BOOL), 3: ("ports", [PORT])}),
               3: ("ack", {1: ("leader", U64), 2: ("fabric", U64), 3: ("digest", FIXED)}), 4: ("refused", REFUSED), 6: ("keep_alive", {})}
PATTERN = {1: ("ports", BYTES), 2: ("divider", U32), 3: ("phase", U32), 4: ("base", U32), 5: ("without", [U32])}
RUNS = {1: ("first", U32), 2: ("count", U32), 3: ("patterns", [PATTERN]), 4: ("run", [U32])}
PIECE = {1: ("raw", {1: ("block", [U32]), 2: ("entries", BYTES)}), 2: ("runs", RUNS)}
ROUTES = {1: ("entries", U32), 2: ("complete", BOOL), 3: ("base", FIXED), 4: ("result", FIXED), 5: ("pieces", [PIECE])}
PORT_SETS = {1: ("routes", FIXED), 2: ("entries", U32), 3: ("complete", BOOL), 4: ("base", FIXED), 5: ("result", FIXED),
             6: ("ports", [BYTES]), 7: ("run", [U32])}
PUSH = {1: ("leader", U64), 2: ("fabric", U64), 3: ("tables", [{1: ("routes", ROUTES), 2: ("alternatives", PORT_SETS)}])}
DESTINATION = {1: ("index", U32), 2: ("guid", FIXED), 3: ("name", TEXT), 4: ("addresses", ADDRESSES)}
DESTINATIONS = {1: ("fabric", U64), 2: ("complete", BOOL), 3: ("base", FIXED), 4: ("result", FIXED), 5: ("changed", [DESTINATION]),
                6: ("more", BOOL)}
WELCOME = {1: ("protocol", U32), 2: ("leader", U64), 3: ("keep_alive", U32), 4: ("max_frame", U32)}
MANAGER_FRAME = {1: ("welcome", WELCOME), 2: ("refusal", {1: ("reason", U32), 2: ("text", TEXT)}), 3: ("membership", ANY),
                 4: ("push", PUSH), 5: ("query", {1: ("ports", [U32])}), 6: ("fault_ack", {}), 7: ("keep_alive", {}),
                 8: ("destinations", DESTINATIONS)}
REASONS = ("?", "GARBAGE", "OVERSIZE", "WRONG_VERSION", "DUPLICATE_GUID", "INVALID_HELLO", "INVALID_REPORT", "TOO_SLOW",
           "NOT_ACKNOWLEDGING", "SHUTTING_DOWN", "WRONG_CERTIFICATE")
OLD_LEADER, BASE_MISMATCH, DIGEST_MISMATCH, MALFORMED = 1, 2, 3, 4


# --- protobuf
ABSENT = {FIXED: 0, U32: 0, U64: 0, BOOL: False, BYTES: b"", TEXT: ""}  # other fields are in a message only if they were said


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])


def encode(schema, message):
    out = b""
    for number, (name, kind) in schema.items():
        for value in message.get(name, []) if isinstance(kind, list) else [message[name]] if name in message else []:
            kind_of_one = kind[0] if isinstance(kind, list) else kind
            if kind_of_one == FIXED:
                out += varint(number << 3 | 1) + struct.pack("<Q", value)
            elif kind_of_one in (U32, U64, BOOL):
                out += varint(number << 3) + varint(int(value))
            else:
                body = encode(kind_of_one, value) if isinstance(kind_of_one, dict) else value.encode() if kind_of_one == TEXT else value
                out += varint(number << 3 | 2) + varint(len(body)) + body
    return out


def take_varint(data, at):
    n = shift = 0
    while shift < 70 and at < len(data):
        n |= (data[at] & 127) << shift
        if data[at] < 128:
            return n & MASK, at + 1
        at, shift = at + 1, shift + 7
    raise ValueError("no varint")


def decode(schema, data):
    message = {name: [] if isinstance(kind, list) else ABSENT[kind]
               for name, kind in schema.values() if isinstance(kind, list) or isinstance(kind, str) and kind in ABSENT}
    at = 0
    while at < len(data):
        key, at = take_varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = take_varint(data, at)
        elif wire in (1, 2, 5) and number:
            size, at = (8, at) if wire == 1 else (4, at) if wire == 5 else take_varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            raise ValueError("no wire type of proto3")
        if at > len(data):
            raise ValueError("ends too early")
        name, kind = schema.get(number, (None, None))
        many, kind = isinstance(kind, list), kind[0] if isinstance(kind, list) else kind
        if kind in (U32, U64, BOOL) and (wire == 0 or wire == 2 and many):
            values, inside = ([value], 0) if wire == 0 else ([], 0)
            while wire == 2 and inside < len(value):
                n, inside = take_varint(value, inside)
                values.append(n)
            values = [n & 0xFFFFFFFF if kind == U32 else n != 0 if kind == BOOL else n for n in values]
        elif kind == FIXED and wire == 1:
            values = struct.unpack("<Q", value)
        elif kind is not None and kind not in (U32, U64, BOOL, FIXED) and wire == 2:
            values = [decode(kind, value) if isinstance(kind, dict) else value.decode() if kind == TEXT else value]
        else:
            continue  # not known to us
        message[name] = message[name] + list(values) if many else values[0]
    return message


# --- digests
def block(b, entries):
    p1, p2, p3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
    h = (b + 1) * p3 & MASK
    for word in struct.unpack("<8Q", entries.ljust(64, b"\xff")):
        h ^= word * p1 & MASK
        h = (h << 29 | h >> 35) * p2 & MASK
    h = (h ^ h >> 32) * p1 & MASK
    return h ^ h >> 29


def digest(table):
    h = len(table) * 0x9E3779B185EBCA87 & MASK
    h = (h ^ h >> 32) * 0xC2B2AE3D27D4EB4F & MASK
    return ((h ^ h >> 29) + sum(block(i // 64, table[i:i + 64]) for i in range(0, len(table), 64))) & MASK


def destination_adds(d):
    """What one destination adds to the digest of all."""
    a = d.get("addresses") or {}
    data = struct.pack("<QH", d["guid"], a.get("lid", 0))
    data += b"".join((a.get(kind) or b"").ljust(size, b"\0") for kind, size in (("ipv4", 4), ("ipv6", 16), ("mac", 6)))
    data += d["name"].encode()
    return block(2 * d["index"], data[:64]) + (block(2 * d["index"] + 1, data[64:]) if len(data) > 64 else 0)


def shown(d):
    a = d.get("addresses") or {}
    ips = [str(ipaddress.ip_address(a[kind])) if a.get(kind) else "-" for kind in ("ipv4", "ipv6")]
    mac = a["mac"].hex(":") if a.get("mac") else "-"
    return "0x%016x %s %s %s %s %s" % (d["guid"], a.get("lid") or "-", ips[0], ips[1], mac, d["name"])


# --- tables
class Refuse(Exception):
    """Of a push: a reason and a text."""


def rule(kept, text):
    if not kept:
        raise Refuse(MALFORMED, text)


def pattern_of(p, patterns, entry_count):
    ports = p["ports"]
    if not ports:
        rule(p["base"] < len(patterns), "base of a pattern is not there")
        rest, ports = patterns[p["base"]][0], b""
        for keep in p["without"]:
            rule(keep < len(rest), "leaves out more than there is")
            ports, rest = ports + rest[:keep], rest[keep + 1:]
        ports += rest
    divider = p["divider"] or 1
    rule(ports and divider <= entry_count and p["phase"] < divider * len(ports), "ports, divider or phase of a pattern")
    return ports, divider, p["phase"]


def applied(routes, present):
    """The table that a push says, or a Refuse."""
    count = routes["entries"]
    rule(count <= MAX_ENTRIES, "too many entries")
    if not routes["complete"] and digest(present) != routes["base"]:
        raise Refuse(BASE_MISMATCH, "difference against another table")
    table = bytearray((b"" if routes["complete"] else present[:count]).ljust(count, b"\xff"))
    next_block, patterns, blocks = 0, [], (count + 63) // 64
    for piece in routes["pieces"]:
        rule(len(piece) == 1, "a piece of no known encoding")
        if "raw" in piece:
            raw = piece["raw"]
            rule(len(raw["entries"]) == 64 * len(raw["block"]), "raw blocks of another length")
            for i, b in enumerate(raw["block"]):
                entries, end = raw["entries"][64 * i:64 * i + 64], min(64, count - 64 * b)
                rule(next_block <= b < blocks and not entries[end:].strip(b"\xff"), "raw block outside the table or out of order")
                table[64 * b:64 * b + end] = entries[:end]
                next_block = b + 1
            continue
        runs = piece["runs"]
        rule(next_block <= runs["first"] and runs["count"] and runs["first"] + runs["count"] <= blocks, "blocks of runs")
        next_block = runs["first"] + runs["count"]
        for p in runs["patterns"]:
            patterns.append(pattern_of(p, patterns, count))
            rule(sum(len(ports) for ports, _, _ in patterns) <= 4 * count, "too many ports in patterns")
        at, end = 64 * runs["first"], min(64 * next_block, count)
        rule(len(runs["run"]) % 2 == 0, "odd runs")
        for columns, source in zip(runs["run"][::2], runs["run"][1::2]):
            rule(0 < columns <= end - at, "runs longer than the blocks")
            if source % 2:
                rule(source <= 511, "a port above 255")
                table[at:at + columns] = bytes([source >> 1]) * columns
            else:
                rule(source >> 1 < len(patterns), "a pattern that is not there")
                ports, divider, phase = patterns[source >> 1]
                table[at:at + columns] = bytes(ports[(c + phase) // divider % len(ports)] for c in range(at, at + columns))
            at += columns
        rule(at == end, "runs shorter than the blocks")
    if digest(table) != routes["result"]:
        raise Refuse(DIGEST_MISMATCH, "the result has another digest")
    return bytes(table)


def alternatives_digest(routes, sets):
    """Of a list of port sets by index, as runs of equal ones."""
    ends = [i + 1 for i in range(len(sets)) if i + 1 == len(sets) or sets[i] != sets[i + 1]]
    data = b"".join(struct.pack("<IB", end, len(sets[end - 1])) + sets[end - 1] for end in ends)
    return digest(struct.pack("<Q", routes) + data) if sets else 0


def alternatives_of(told, present):
    """The list of port sets that a table of them says, or a Refuse."""
    rule(told["entries"] <= MAX_ENTRIES and len(told["run"]) % 2 == 0, "entries or runs of alternatives")
    for ports in told["ports"]:
        rule(len(ports) > 1 and 1 <= ports[0] and ports[-1] <= 254 and all(a < b for a, b in zip(ports, ports[1:])), "a set of ports")
    sets = []
    for count, source in zip(told["run"][::2], told["run"][1::2]):
        rule(0 < count <= told["entries"] - len(sets) and source < 2 + len(told["ports"]), "a run of alternatives")
        kept = [] if told["complete"] else present[len(sets):len(sets) + count]
        sets += [told["ports"][source - 2] if source > 1 else b""] * count if source else kept + [b""] * (count - len(kept))
    rule(len(sets) == told["entries"], "runs of alternatives end too early")
    rule(alternatives_digest(told["routes"], sets) == told["result"], "alternatives have another digest")
    return sets


def say(*what):
    print(*what, flush=True)


class Agent:
    def __init__(self, options):
        self.options, self.incarnation = options, int(time.time())
        self.table, self.leader, self.fabric, self.obeyed = b"", 0, 0, 0
        self.destinations, self.destinations_digest, self.alternatives, self.alternatives_digest = {}, 0, [], 0
        self.wait, self.cables = 0.1, self.read_cables()

    # --- the switch
    def read_cables(self):
        """Number of ports, and the ports that there is something to say of."""
        with open(self.options.ports) as file:
            said = json.load(file)
        ports = {}
        for port in said["ports"]:
            message = ports[port["number"]] = {"number": port["number"], "up": port["up"]}
            if "switch" in port:
                message["switch"] = {"guid": int(port["switch"], 0), "port": port["port"]}
            elif "host" in port:
                addresses = {"lid": port["lid"]} if "lid" in port else {}
                addresses.update({kind: ipaddress.ip_address(port[kind]).packed for kind in ("ipv4", "ipv6") if kind in port})
                addresses.update({"mac": bytes.fromhex(port["mac"].replace(":", ""))} if "mac" in port else {})
                message["host"] = {"port_guid": int(port["host"], 0), "host_guid": int(port["host"], 0), "host_port": 1,
                                   "name": port["name"], "addresses": addresses}
        return said["port-count"], ports

    def write_table(self):
        with open(self.options.table + ".new", "w") as file:
            for index, port in enumerate(self.table):
                d = self.destinations.get(index)
                others = ",".join(map(str, self.alternatives[index])) if index < len(self.alternatives) else ""
                file.write("%d %s %s %s\n" % (index, "-" if port == NONE else port, shown(d) if d else "-", others or "-"))
        os.replace(file.name, self.options.table)

    def state(self):
        return {"leader": self.leader, "fabric": self.fabric, "entries": len(self.table), "digest": digest(self.table)}

    # --- one session
    def send(self, **body):
        frame = encode(AGENT_FRAME, body)
        self.socket.settimeout(10)
        self.socket.sendall(struct.pack(">I", len(frame)) + frame)
        self.last_sent = time.monotonic()

    def connect(self):
        host, port = self.options.manager.rsplit(":", 1)
        self.socket, keys = socket.create_connection((host.strip("[]"), int(port)), 10), self.options.keys
        if keys:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.minimum_version = ssl.TLSVersion.TLSv1_3
            context.load_cert_chain(os.path.join(keys, "certificate.pem"), os.path.join(keys, "private-key.pem"))
            context.load_verify_locations(os.path.join(keys, "authority.pem"))
            self.socket = context.wrap_socket(self.socket, server_hostname=host.strip("[]"))

    def session(self):
        """Ends with a ValueError for what no manager may say, with an OSError when the connection ends."""
        self.connect()
        self.welcomed, self.sequence, self.told, self.parts, self.keep_alive = False, 0, None, None, 5 / 3
        # Without a detector it is in no ring.
        self.send(hello={"min": self.options.version, "max": self.options.version, "guid": self.options.guid,
                         "name": self.options.name, "port_count": self.cables[0], "incarnation": self.incarnation,
                         "table": self.state(), "leader": self.obeyed, "destinations": True,
                         "destinations_digest": self.destinations_digest, "alternatives": True,
                         "alternatives_digest": self.alternatives_digest})
        held, heard, begun = b"", time.monotonic(), 0
        while True:
            self.socket.settimeout(0.1)
            try:
                more = self.socket.recv(1 << 16)
                if not more:
                    raise OSError("the manager closed")
                begun = begun if held else time.monotonic()
                held += more
            except socket.timeout:
                pass
            while len(held) >= 4:
                size = int.from_bytes(held[:4], "big")
                if not 0 < size <= MAX_FRAME:
                    raise ValueError("a frame of %d bytes" % size)
                if len(held) < 4 + size:
                    break
                heard = begun = time.monotonic()
                self.take(decode(MANAGER_FRAME, held[4:4 + size]))
                held = held[4 + size:]
            now = time.monotonic()
            if now - heard > 3 * self.keep_alive or held and now - begun > 10:
                raise OSError("the manager is silent")
            if self.welcomed:
                self.tell_changes()
                if now - self.last_sent > self.keep_alive:
                    self.send(keep_alive={})

    def take(self, frame):
        if len(frame) != 1:
            raise ValueError("a frame without a body")
        (name, body), = frame.items()
        if name not in ("welcome", "refusal") and not self.welcomed or name == "welcome" and self.welcomed:
            raise ValueError("%s out of order" % name)
        getattr(self, "take_" + name, lambda body: None)(body)

    def take_welcome(self, welcome):
        low, high = self.options.version, self.options.version
        if not (low <= welcome["protocol"] <= high and welcome["leader"] < 1 << 31 and 100 <= welcome["keep_alive"] <= 60000
                and welcome["max_frame"] >= 65536):
            raise ValueError("a Welcome out of bounds")
        if welcome["leader"] < self.obeyed:
            raise ValueError("a Welcome of an old leader")
        self.welcomed, self.wait, self.obeyed, self.keep_alive = True, 0.1, welcome["leader"], welcome["keep_alive"] / 1000
        say("welcome by leader epoch %d" % self.obeyed)
        self.report(True, range(1, self.cables[0] + 1))

    def take_refusal(self, refusal):
        reason = REASONS[refusal["reason"]] if refusal["reason"] < len(REASONS) else "?"
        say("refused, %s: %s" % (reason, refusal["text"]))
        if reason in ("GARBAGE", "OVERSIZE", "WRONG_VERSION", "INVALID_HELLO", "INVALID_REPORT", "NOT_ACKNOWLEDGING"):
            self.wait = 10
        raise OSError("refused")

    def report(self, complete, numbers):
        ports = [self.cables[1].get(number, {"number": number}) for number in numbers]
        self.sequence, self.told = self.sequence + 1, self.cables[1]
        self.send(report={"sequence": self.sequence, "complete": complete, "ports": ports})
        say("ports told: %s" % ("all" if complete else " ".join(str(port["number"]) for port in ports)))

    def tell_changes(self):
        self.cables = self.read_cables()
        numbers = set(self.told) | set(self.cables[1])
        changed = sorted(n for n in numbers if self.told.get(n) != self.cables[1].get(n))
        if changed:
            self.report(False, changed)

    def take_query(self, query):
        self.tell_changes()
        there = sorted({number for number in query["ports"] if 1 <= number <= self.cables[0]})
        if there or not query["ports"]:
            self.report(not there, there or range(1, self.cables[0] + 1))

    def take_destinations(self, frame):
        same = (frame["fabric"], frame["result"], frame["complete"], frame["base"])
        if self.parts is None:
            if not frame["complete"] and frame["base"] != self.destinations_digest:
                self.forget_destinations("a difference against other destinations")
            self.parts = (same, {} if frame["complete"] else dict(self.destinations), -1,
                          0 if frame["complete"] else self.destinations_digest)
        first, held, last, sum_of = self.parts
        for d in frame["changed"]:
            a = d.get("addresses") or {"lid": 0}
            lengths = all(len(a.get(kind, b"")) in (0, size) for kind, size in (("ipv4", 4), ("ipv6", 16), ("mac", 6)))
            if not (last < d["index"] < MAX_ENTRIES and d["guid"] and a["lid"] <= 49151 and lengths and len(d["name"].encode()) <= 64):
                self.forget_destinations("a destination out of bounds")
            sum_of += destination_adds(d) - (destination_adds(held[d["index"]]) if d["index"] in held else 0)
            last = d["index"]
            held[last] = d
        if frame["fabric"] > 1 << 62 or first != same or not frame["more"] and sum_of & MASK != frame["result"]:
            self.forget_destinations("destinations that do not fit each other, or their digest")
        self.parts = (first, held, last, sum_of) if frame["more"] else None
        if not frame["more"]:
            self.destinations, self.destinations_digest = held, frame["result"]
            say("destinations %d told, %d held, digest 0x%016x" % (len(frame["changed"]), len(held), frame["result"]))
            self.write_table()

    def forget_destinations(self, why):
        self.destinations, self.destinations_digest = {}, 0
        raise ValueError(why)

    def take_push(self, push):
        if self.parts is not None:
            self.forget_destinations("a table between destinations")
        try:
            rule(push["leader"] < 1 << 31 and push["fabric"] <= 1 << 62, "an epoch out of range")
            if push["leader"] < self.obeyed:
                raise Refuse(OLD_LEADER, "leader epoch %d was obeyed" % self.obeyed)
            self.obeyed = push["leader"]
            if len(push["tables"]) == 1 and "alternatives" in push["tables"][0]:
                self.take_alternatives(push["tables"][0]["alternatives"])
                return
            another = any(table.get("routes", {}).get("result") != digest(self.table) for table in push["tables"])
            if another or (push["leader"], push["fabric"]) != (self.leader, self.fabric):
                rule(all("routes" in table for table in push["tables"]) and len(push["tables"]) < 2, "a kind twice, or unknown")
                for table in push["tables"]:
                    self.table = applied(table["routes"], self.table)
                self.leader, self.fabric = push["leader"], push["fabric"]
                self.write_table()
                how = "" if not push["tables"] else ", whole" if push["tables"][0]["routes"]["complete"] else ", a difference"
                say("table %d/%d of %d entries digest 0x%016x in force%s"
                    % (self.leader, self.fabric, len(self.table), digest(self.table), how))
            self.send(ack={"leader": self.leader, "fabric": self.fabric, "digest": digest(self.table)})
        except Refuse as refuse:
            say("table %d/%d refused: %s" % (push["leader"], push["fabric"], refuse.args[1]))
            self.send(refused={"leader": push["leader"], "fabric": push["fabric"], "reason": refuse.args[0],
                               "text": refuse.args[1], "table": self.state()})

    def take_alternatives(self, told):
        before, self.alternatives, held = self.alternatives, [], self.alternatives_digest
        self.alternatives_digest = 0
        if not told["complete"] and told["base"] != held:
            raise ValueError("a difference against other alternatives")
        try:
            self.alternatives = alternatives_of(told, before)
        except Refuse as wrong:
            raise ValueError(wrong.args[1])
        self.alternatives_digest = told["result"]
        say("alternatives of %d told%s, for the routes of digest 0x%016x"
            % (told["entries"], ", whole" if told["complete"] else ", a difference", told["routes"]))
        self.write_table()

    def run(self):
        while True:
            try:
                self.session()
            except (OSError, ValueError) as end:
                say("no session: %s" % end)
            if getattr(self, "socket", None):
                self.socket.close()
            time.sleep(self.wait * random.uniform(0.5, 1))
            self.wait = min(10, 2 * self.wait)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--guid", type=lambda text: int(text, 0), required=True)
    parser.add_argument("--name", default="")
    parser.add_argument("--manager", default="127.0.0.1:7470")
    parser.add_argument("--keys", help="directory with certificate.pem, private-key.pem, authority.pem; without: clear text")
    parser.add_argument("--ports", required=True)
    parser.add_argument("--table", required=True)
    parser.add_argument("--version", type=int, default=2)
    Agent(parser.parse_args()).run()
