"""A forwarding plane whose ports are network interfaces: interface-plane.py PORT=INTERFACE,SWITCH,FAR PORT=HOST ...

What a port of a switch is, an interface of this network namespace is here: up while the kernel sees a carrier, down when
either end is set down, and gone when the cable is. `ip monitor link` tells, nothing is polled. The table is kept in
memory and forwards nothing. PORT=HOST is a host adapter with that GUID, always there. Lines: docs/exec-plane.md.
"""
import json, re, subprocess, sys, threading

LINE = re.compile(r"(Deleted )?\d+: ([^:@]+)[^<]*<([^>]*)>")
speaking = threading.Lock()
cables, hosts, known = {}, {}, {}


def say(**line):
    with speaking:
        print(json.dumps(line), flush=True)


def tell(name, up):
    """Says a port, if that is news."""
    if name in cables and known.get(name) != up:
        known[name] = up
        port, switch, far = cables[name]
        say(port=port, up=up, switch=switch, far=far)


def take(line):
    """Takes a line of ip: an interface with its flags, or one that is gone."""
    link = LINE.match(line)
    if link:
        flags = link[3].split(",")
        tell(link[2], not link[1] and "LOWER_UP" in flags and "NO-CARRIER" not in flags)


def watch(monitor):
    for line in monitor.stdout:
        take(line)


def ports(asked):
    # First the monitor, then the list: what changes in between is told twice, not never.
    monitor = subprocess.Popen(["ip", "-o", "monitor", "link"], stdout=subprocess.PIPE, text=True)
    for line in subprocess.check_output(["ip", "-o", "link", "show"], text=True).splitlines():
        take(line)
    for port, guid in hosts.items():
        say(port=port, up=True, host=guid)
    say(did="ports", id=asked["id"])
    threading.Thread(target=watch, args=(monitor,), daemon=True).start()
    return monitor


def main():
    for argument in sys.argv[1:]:
        port, what = argument.split("=")
        if "," in what:
            name, switch, far = what.split(",")
            cables[name] = int(port), switch, int(far)
        else:
            hosts[int(port)] = what
    table, head, monitor = {}, {}, None
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["do"] == "hello":
            say(did="hello")
        elif asked["do"] == "ports":
            monitor = ports(asked)
        elif asked["do"] == "read":
            for index in sorted(table):
                say(index=index, port=table[index])
            say(did="read", id=asked["id"], **head or {"entries": 0})
        elif asked["do"] == "install":
            for _ in range(asked["changes"]):
                change = json.loads(sys.stdin.readline())
                table[change["index"]] = change["port"]
            sys.stdin.readline()  # the commit
            head = {field: asked[field] for field in ("leader", "epoch", "entries")}
            say(did="install", id=asked["id"])
    if monitor:
        monitor.kill()


main()
