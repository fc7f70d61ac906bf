#!/usr/bin/env -S python3 -u
"""agent.py, and what docs/southbound-protocol.md leaves to the agent: what the indices of a table stand for, and alternatives.

A line of the table has, behind index and port, GUID, LID, IPv4, IPv6, MAC and name of the destination, and the ports that it can
be reached by as well.
"""
import ipaddress
import struct
import sys

from agent import MASK, Agent, block_digest, digest, rule

ADDRESS_BYTES = (("ipv4", 4), ("ipv6", 16), ("mac", 6))


def addresses_of(destination):
    return {"lid": 0, "ipv4": b"", "ipv6": b"", "mac": b"", **destination.get("addresses", {})}


def destination_adds(destination):
    """What one destination adds to the digest of all."""
    addresses = addresses_of(destination)
    data = struct.pack("<QH", destination["port_guid"], addresses["lid"])
    data += b"".join(addresses[kind].ljust(size, b"\0") for kind, size in ADDRESS_BYTES) + destination["name"].encode()
    blocks = [data[:64]] + [data[64:]] * (len(data) > 64)
    return sum(block_digest(2 * destination["index"] + i, block) for i, block in enumerate(blocks))


def is_within_bounds(destination):
    addresses = addresses_of(destination)
    return (destination["index"] < 1 << 19 and destination["port_guid"] and addresses["lid"] <= 49151
            and all(len(addresses[kind]) in (0, size) for kind, size in ADDRESS_BYTES)
            and len(destination["name"].encode()) <= 64)


def shown(destination):
    addresses = addresses_of(destination)
    ips = [str(ipaddress.ip_address(addresses[kind])) if addresses[kind] else "-" for kind in ("ipv4", "ipv6")]
    words = [addresses["lid"] or "-", *ips, addresses["mac"].hex(":") or "-", destination["name"]]
    return "0x%016x %s" % (destination["port_guid"], " ".join(map(str, words)))


def alternatives_digest(routes_digest, sets):
    """Of a list of port sets by index, as runs of equal ones."""
    ends = [i + 1 for i in range(len(sets)) if i + 1 == len(sets) or sets[i] != sets[i + 1]]
    data = b"".join(struct.pack("<IB", end, len(sets[end - 1])) + sets[end - 1] for end in ends)
    return digest(struct.pack("<Q", routes_digest) + data) if sets else 0


def alternatives_of(told, present):
    """The list of port sets that a table of them says."""
    rule(told["entry_count"] <= 1 << 19 and len(told["run"]) % 2 == 0, "entries or runs of alternatives")
    for ports in told["ports"]:
        ascending = all(a < b for a, b in zip(ports, ports[1:]))
        rule(len(ports) > 1 and 1 <= ports[0] and ports[-1] <= 254 and ascending, "a set of ports")
    sets = []
    for count, source in zip(told["run"][::2], told["run"][1::2]):
        rule(0 < count <= told["entry_count"] - len(sets) and source < 2 + len(told["ports"]), "a run of alternatives")
        kept = [] if told["complete"] else present[len(sets):len(sets) + count]
        sets += [told["ports"][source - 2] if source > 1 else b""] * count if source else kept + [b""] * (count - len(kept))
    rule(len(sets) == told["entry_count"], "runs of alternatives end too early")
    rule(alternatives_digest(told["routes_digest"], sets) == told["result_digest"], "alternatives have another digest")
    return sets


class AgentWithDestinations(Agent):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.destinations, self.destinations_digest = {}, 0
        self.alternatives, self.alternatives_digest = [], 0
        self.parts = None
        self.switch.note = self.note

    def note(self, index):
        destination = shown(self.destinations[index]) if index in self.destinations else "-"
        ports = ",".join(map(str, self.alternatives[index])) if index < len(self.alternatives) else ""
        return " %s %s" % (destination, ports or "-")

    def hello(self):
        return {**super().hello(), "destinations": True, "destinations_digest": self.destinations_digest,
                "alternatives": True, "alternatives_digest": self.alternatives_digest}

    def opened(self):
        self.parts = None
        super().opened()

    def take_destinations(self, frame):
        """Several frames make one: fitting is what they must have in common, parts what there is of them."""
        fitting = (frame["fabric_epoch"], frame["result_digest"], frame["complete"], frame["base_digest"])
        if self.parts is None:
            if not frame["complete"] and frame["base_digest"] != self.destinations_digest:
                self.forget_destinations("a difference against other destinations")
            start = ({}, -1, 0) if frame["complete"] else (dict(self.destinations), -1, self.destinations_digest)
            self.parts = (fitting, *start)
        first, held, last, sum_of = self.parts
        for destination in frame["changed"]:
            index = destination["index"]
            if index <= last or not is_within_bounds(destination):
                self.forget_destinations("a destination out of bounds")
            sum_of += destination_adds(destination) - (destination_adds(held[index]) if index in held else 0)
            held[index], last = destination, index
        if frame["fabric_epoch"] > 1 << 62 or first != fitting or not frame["more"] and sum_of & MASK != frame["result_digest"]:
            self.forget_destinations("destinations that do not fit each other, or their digest")
        self.parts = (first, held, last, sum_of) if frame["more"] else None
        if not frame["more"]:
            self.destinations, self.destinations_digest = held, frame["result_digest"]
            print("destinations %d told, %d held, digest 0x%016x" % (len(frame["changed"]), len(held), frame["result_digest"]))
            self.switch.forward_by(self.table)

    def forget_destinations(self, why):
        self.destinations, self.destinations_digest, self.wait = {}, 0, 10
        raise ValueError(why)

    def take_table_push(self, push):
        if self.parts is not None:
            self.forget_destinations("a table between destinations")
        in_range = self.obeyed <= push["leader_epoch"] < 1 << 31 and push["fabric_epoch"] <= 1 << 62
        if in_range and len(push["tables"]) == 1 and "alternatives" in push["tables"][0]:
            self.obeyed = push["leader_epoch"]
            self.take_alternatives(push["tables"][0]["alternatives"])
        else:
            super().take_table_push(push)

    def take_alternatives(self, told):
        before, held, wait = self.alternatives, self.alternatives_digest, self.wait
        self.alternatives, self.alternatives_digest, self.wait = [], 0, 10  # unless it goes well
        rule(told["complete"] or told["base_digest"] == held, "a difference against other alternatives")
        self.alternatives, self.alternatives_digest, self.wait = alternatives_of(told, before), told["result_digest"], wait
        print("alternatives of %d told, %s, for the routes of digest 0x%016x"
              % (told["entry_count"], "whole" if told["complete"] else "a difference", told["routes_digest"]))
        self.switch.forward_by(self.table)


if __name__ == "__main__":
    AgentWithDestinations(*sys.argv[1:]).run()
