#!/usr/bin/env -S python3 -u
"""An agent for one switch, written from docs/southbound-protocol.md: agent.py PORTS TABLE MANAGER [KEYS [WAIT]]

It joins, tells its ports, takes tables and acknowledges them. It asks for nothing optional and is in no ring. PORTS and TABLE are
the files of switch.py, MANAGER is HOST:PORT, KEYS the directory of connection.py, WAIT the longest between sessions, in seconds.
"""
import os, struct, sys, time
from connection import Client
from protobuf import Schema
from switch import Switch

PROTO = Schema(os.path.join(os.path.dirname(__file__), "../../../fabric-manager/southbound/src/main/protobuf/southbound.proto"))
MASK, P1, P2, P3 = (1 << 64) - 1, 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
WAIT_LONG = "GARBAGE", "OVERSIZE", "WRONG_VERSION", "INVALID_HELLO", "INVALID_REPORT", "NOT_ACKNOWLEDGING"


def block_digest(number, entries):
    h = (number + 1) * P3 & MASK
    for word in struct.unpack("<8Q", entries.ljust(64, b"\xff")):
        h ^= word * P1 & MASK
        h = (h << 29 | h >> 35) * P2 & MASK
    h = (h ^ h >> 32) * P1 & MASK
    return h ^ h >> 29


def digest(table):
    h = len(table) * P1 & MASK
    h = (h ^ h >> 32) * P2 & MASK
    return (h ^ h >> 29) + sum(block_digest(i // 64, table[i:i + 64]) for i in range(0, len(table), 64)) & MASK


def rule(kept, text, reason="MALFORMED"):
    """Of a push: what is not there, or does not fit into a byte, breaks one without this."""
    if not kept:
        raise ValueError(text, reason)


def applied(routes, present):
    """What a push of routes makes of the table that is present."""
    count, patterns, free = routes["entry_count"], [], 0
    rule(count <= 1 << 19, "too many entries")
    rule(routes["complete"] or digest(present) == routes["base_digest"], "a difference against another table", "BASE_MISMATCH")
    table = bytearray((b"" if routes["complete"] else present[:count]).ljust((count + 63) // 64 * 64, b"\xff"))
    for piece in routes["pieces"]:
        raw = piece["raw"] if "raw" in piece else expanded(piece["runs"], patterns, count)
        rule(len(raw["entries"]) == 64 * len(raw["block"]), "raw blocks of another length")
        for i, block in enumerate(raw["block"]):
            rule(free <= block and 64 * block < count, "a block outside the table, or out of order")
            table[64 * block:64 * block + 64], free = raw["entries"][64 * i:64 * i + 64], block + 1
    rule(not table[count:].strip(b"\xff"), "entries behind the table")
    rule(digest(table[:count]) == routes["result_digest"], "the result has another digest", "DIGEST_MISMATCH")
    return bytes(table[:count])


def expanded(runs, patterns, count):
    """Runs as raw blocks. Patterns are added to those of earlier pieces: ports, divider, phase, ports of all up to it."""
    at, blocks = 64 * runs["first_block"], range(runs["first_block"], runs["first_block"] + runs["block_count"])
    rule(blocks and 64 * blocks[-1] < count and len(runs["run"]) % 2 == 0, "no blocks, blocks outside the table, or odd runs")
    for said in runs["patterns"]:
        ports, divider, rest = said["ports"], said["divider"] or 1, b""
        if not ports:
            rest = patterns[said["base"]][0]
            for keep in said["without"]:
                rule(keep < len(rest), "leaves out more than there is")
                ports, rest = ports + rest[:keep], rest[keep + 1:]
        ports += rest
        patterns.append((ports, divider, said["phase"], len(ports) + (patterns[-1][3] if patterns else 0)))
        rule(patterns[-1][3] <= 4 * count, "too many ports in patterns")
        rule(divider <= count and said["phase"] < divider * len(ports), "divider or phase of a pattern, or no ports")
    entries = bytearray()
    for columns, source in zip(runs["run"][::2], runs["run"][1::2]):
        rule(0 < columns <= count - at, "runs longer than the table")
        ports, divider, phase, _ = (bytes([source // 2]), 1, 0, 1) if source % 2 else patterns[source // 2]
        entries += bytes(ports[(c + phase) // divider % len(ports)] for c in range(at, at + columns))
        at += columns
    rule(at == min(64 * blocks[-1] + 64, count), "runs longer or shorter than the blocks")
    return {"block": blocks, "entries": entries.ljust(64 * len(blocks), b"\xff")}


class Agent(Client):
    def __init__(self, ports, table, manager, keys="", wait=10):
        super().__init__(manager, keys, float(wait))
        self.switch, self.incarnation = Switch(PROTO, ports, table), int(time.time())
        self.table, self.epochs, self.obeyed, self.keep_alive_frame = b"", {}, 0, PROTO.encode("AgentFrame", {"keep_alive": {}})

    def state(self):
        return {**self.epochs, "entry_count": len(self.table), "digest": digest(self.table)}

    def hello(self):
        return {**self.switch.hello(), "incarnation": self.incarnation, "table": self.state(), "leader_epoch": self.obeyed}

    def opened(self):
        self.sequence, self.ports, self.keep_alive_seconds = 0, {}, 5 / 3
        self.send(PROTO.encode("AgentFrame", {"hello": self.hello()}))

    def take(self, body):
        (name, message), = PROTO.decode("ManagerFrame", body).items()
        rule(name == "refusal" or self.welcomed != (name == "welcome"), "%s out of order" % name)
        getattr(self, "take_" + name, lambda message: None)(message)

    def take_welcome(self, welcome):
        rule(welcome["protocol"] == 2 and self.obeyed <= welcome["leader_epoch"] < 1 << 31, "a Welcome of an old leader")
        rule(100 <= welcome["keep_alive_millis"] <= 60000 and welcome["max_frame_bytes"] >= 65536, "a Welcome out of bounds")
        self.obeyed, self.keep_alive_seconds = welcome["leader_epoch"], welcome["keep_alive_millis"] / 1000
        self.welcomed, self.wait = True, self.SHORTEST_WAIT
        print("welcome by leader epoch %d" % self.obeyed)
        self.idle(True)

    def take_refusal(self, refusal):
        self.wait = 10 if refusal["reason"] in WAIT_LONG else self.wait
        raise OSError("refused, %s: %s" % (refusal["reason"], refusal["text"]))

    def idle(self, complete=False, asked=()):
        """Tells of all ports, or of those asked for and those that changed."""
        before, self.ports = self.ports, self.switch.ports()
        changed = {number for number in {*before, *self.ports} if before.get(number) != self.ports.get(number)}
        numbers = sorted(self.ports if complete else {*changed, *asked})
        if complete or numbers:
            self.sequence += 1
            ports = [self.ports.get(number, {"number": number}) for number in numbers]
            report = {"sequence": self.sequence, "complete": complete, "ports": ports}
            self.send(PROTO.encode("AgentFrame", {"port_report": report}))

    def take_port_query(self, query):
        self.idle(not query["ports"], [number for number in query["ports"] if 1 <= number <= self.switch.hello()["port_count"]])

    def take_table_push(self, push):
        epochs, tables = {name: push[name] for name in ("leader_epoch", "fabric_epoch")}, push["tables"]
        try:
            rule(push["leader_epoch"] < 1 << 31 and push["fabric_epoch"] <= 1 << 62, "an epoch out of range")
            rule(push["leader_epoch"] >= self.obeyed, "leader epoch %d was obeyed" % self.obeyed, "OLD_LEADER")
            self.obeyed = push["leader_epoch"]
            rule(len(tables) < 2, "two tables")
            rule(all("turns" not in table for table in tables), "the switch does not forward by input class", "UNSUPPORTED")
            for routes in [table["routes"] for table in tables]:
                if epochs != self.epochs or routes["result_digest"] != digest(self.table):
                    self.table = applied(routes, self.table)
                    self.switch.forward_by(self.table)
                    how = digest(self.table), "whole" if routes["complete"] else "a difference"
                    print("table %d/%d of %d entries digest 0x%016x in force, %s" % (*epochs.values(), len(self.table), *how))
            self.epochs = epochs
            answer = {"table_ack": {**epochs, "digest": digest(self.table)}}
        except (LookupError, ValueError) as wrong:
            text, reason = (*wrong.args, "MALFORMED")[:2]
            answer = {"table_refusal": {**epochs, "reason": reason, "text": str(text), "table": self.state()}}
        self.send(PROTO.encode("AgentFrame", answer))


if __name__ == "__main__":
    Agent(*sys.argv[1:]).run()
