"""A fabric as ibnetdiscover prints it: its switches and cables, what can be broken in it, and the directed paths through it."""
import re

NODE = re.compile(r'^(Switch|Ca)\s+(\d+)\s+"([SH]-[0-9a-f]+)"\s*# "(.*?)"')
PORT = re.compile(r'^\[(\d+)\](?:\([0-9a-f]+\))?\s+"([SH]-[0-9a-f]+)"\[(\d+)\]')
OWN_PORT = re.compile(r"^\[(\d+)\]\([0-9a-f]+\)")
FAR_PORT = re.compile(r'"H-([0-9a-f]+)"\[(\d+)\]\([0-9a-f]+\)')


def as_simulated(file):
    """ibsim gives each port of an adapter the adapter's GUID plus the port's number, whatever the text says: so the text says that, too."""
    with open(file, encoding="utf-8", errors="replace") as text:
        lines = text.readlines()
    node = None
    with open(file, "w", encoding="utf-8") as out:
        for line in lines:
            if found := NODE.match(line):
                node = found[3]
            if node and node[0] == "H":
                line = OWN_PORT.sub(lambda at: f"[{at[1]}]({int(node[2:], 16) + int(at[1]):016x})", line)
            out.write(FAR_PORT.sub(lambda at: f'"H-{at[1]}"[{at[2]}]({int(at[1], 16) + int(at[2]):016x})', line))


class Fabric:
    """Nodes are named as in the text, S-<GUID> and H-<GUID>; `cables` leads from (node, port) to (node, port)."""

    def __init__(self, file):
        self.file, self.names, self.switches, self.cables, self.ports = file, {}, [], {}, 0
        node = None
        for line in open(file, encoding="utf-8", errors="replace"):
            if found := NODE.match(line):
                kind, ports, node, self.names[node] = found.groups()
                self.ports += int(ports) + 1
                if kind == "Switch":
                    self.switches.append(node)
            elif found := PORT.match(line):
                self.cables[node, int(found[1])] = found[2], int(found[3])
        self.hosts = [each for each in self.names if each[0] == "H" and "Aggregation Node" not in self.names[each]]
        self.links = {each: [] for each in self.names}
        for (one, port), (other, _) in self.cables.items():
            self.links[one].append((port, other))

    def uplink(self):
        """The last one of the leaf in the middle: (leaf, port). A switch with less than half of the most hosts is no leaf."""
        known = set(self.hosts)
        hosts = {each: sum(other in known for _, other in self.links[each]) for each in self.switches}
        most = max(hosts.values())
        leaves = [each for each in self.switches if 2 * hosts[each] > most and len(self.up(each)) > 1]
        if not leaves:
            raise SystemExit(f"compare: {self.file}: no leaf has two uplinks; expected one where a cable can be lost")
        leaf = leaves[len(leaves) // 2]
        return leaf, self.up(leaf)[-1]

    def up(self, switch):
        return sorted(port for port, other in self.links[switch] if other[0] == "S")

    def paths(self, start, cut=(), dead=None):
        """Directed paths from the host to all switches that are reached: port by port, shortest first."""
        paths, queue = {}, [(start, ())]
        seen = {start}
        for node, path in queue:
            if node[0] == "S":
                paths[node] = path
            elif node != start:
                continue
            for port, other in self.links[node]:
                if other not in seen and other != dead and (node, port) not in cut:
                    seen.add(other)
                    queue.append((other, path + (port,)))
        return paths

    def without(self, file, cut=(), dead=None):
        """Writes the fabric that is left."""
        node = None
        with open(file, "w", encoding="utf-8") as out:
            for line in open(self.file, encoding="utf-8", errors="replace"):
                if found := NODE.match(line):
                    node = found[3]
                found = PORT.match(line)
                if node == dead and (found or line.startswith("Switch")):
                    continue
                if not found or ((node, int(found[1])) not in cut and found[2] != dead):
                    out.write(line)
        return file
