"""ibsim with a fabric, a real opensm on its first host, the manager's bridge to it where wanted, and what the switches hold."""
import ctypes
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import time
from datetime import datetime

BLOCK, NO_ROUTE, START, QUIET = 64, 0xFF, 120, 1.0
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "../../../.."))
LIBC = ctypes.CDLL(None)
UNIT = ROOT + "/conf/examples/opensm/opensm.conf"
ACCEPTED = re.compile(r"\] epoch (\d+): .*: routed in ")
COMPLETE = re.compile(r"\] epoch (\d+) complete: ")
LOADED = re.compile(r"^(\S+) .*epoch \d+: .*computed (\d+) ms(?: before)?, written (\d+) ms,.* read back (\d+) ms")


def fail(text):
    raise SystemExit("compare: " + text)


def dies_with_us():
    """Nothing that was started outlives this program, however that ends."""
    LIBC.prctl(1, signal.SIGKILL)


def when(line):
    """Of a line of opensm's log, in seconds since 1970."""
    month, day, clock, micros = line.split(None, 4)[:4]
    at = datetime.strptime(f"{datetime.now().year} {month} {day} {clock}", "%Y %b %d %H:%M:%S")
    return at.timestamp() + int(micros) / 1e6


class Subnet:
    """One engine on one fabric. A context: all processes end with it."""

    def __init__(self, fabric, engine, directory, roots):
        self.fabric, self.engine, self.directory, self.roots = fabric, engine, directory, roots
        self.started, self.cut, self.dead = [], (), None
        self.environment = {**os.environ, "IBSIM_SOCKNAME": f"compare-{os.getpid()}", "SIM_HOST": fabric.hosts[0],
                            "OSM_TMP_DIR": directory, "OSM_CACHE_DIR": directory}

    def __enter__(self):
        try:
            self.simulate()
            self.manage()
            self.reader = self.start("tables.out", "ibsim-run", sys.executable, HERE + "/tables.py", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.lids = self.dealt()
            self.blocks = max(self.lids) // BLOCK + 1
            self.settle(0)
            return self
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        for process in reversed(self.started):
            process.kill()
        for process in self.started:
            process.wait()

    def path(self, name):
        return os.path.join(self.directory, name)

    def start(self, log, *words, **more):
        with open(self.path(log), "ab") as out:
            process = subprocess.Popen(words, env=self.environment, cwd=self.directory, preexec_fn=dies_with_us,
                                       **{"stdout": out, "stderr": out, **more})
        self.started.append(process)
        return process

    def simulate(self):
        nodes, switches = len(self.fabric.names), len(self.fabric.switches)
        self.console = self.start("ibsim.out", "ibsim", "-s", "-I", "-N", str(nodes + 10), "-S", str(switches + 10), "-P", str(self.fabric.ports + 10),
                                  "-L", "49152", self.fabric.file, stdin=subprocess.PIPE)
        self.wait("ibsim does not come up", lambda: self.has("ibsim.out", "simulator ready"), "ibsim.out")

    def manage(self):
        name, _, rooted = self.engine.partition("+")
        with open(self.path("opensm.conf"), "w") as out:
            out.write("force_log_flush TRUE\nmax_wire_smps 32\n" + ("sweep_on_trap FALSE\n" if name == "dmodc" else ""))
        loads = {"dmodc": "file,updn", "file": "file"}
        options = ["-R", loads[name], "-U", self.path("lfts.dump")] if name in loads else ["-R", name]
        if rooted:
            options += ["-a", self.roots]
        self.opensm = self.start("opensm.out", "ibsim-run", shutil.which("opensm"), "-F", self.path("opensm.conf"), "-f", self.path("opensm.log"),
                                 "-s", "10", *options)
        with open(self.path("opensm.pid"), "w") as out:
            out.write(str(self.opensm.pid))
        self.wait("opensm does not bring the subnet up", lambda: self.has("opensm.log", "SUBNET UP"), "opensm.out")
        self.manager = None
        if name == "dmodc":
            self.bridge()

    def bridge(self):
        device = "env LD_PRELOAD=" + simulated_device()
        sets = {"state-dir": self.path("state"), "southbound.listen": "127.0.0.1:0", "northbound.listen": "127.0.0.1:0",
                "links.hold-down": "0s", "discovery.quiet": "1s"}
        sets.update({"southbound.opensm." + key: value for key, value in {
            "dump": self.path("lfts.dump"), "log": self.path("opensm.log"), "sweep-on-change": "true", "pid-file": self.path("opensm.pid"),
            "discovery": f"{device} ibnetdiscover", "switch-look": f"{device} iblinkinfo -D {{path}} -n 0 -l", "roots": self.roots,
            "read-back": f"{device} dump_fts -n", "switch-read-back": f"{device} ibroute -n -D {{path}}", "sm-query": f"{device} sminfo", "command-timeout": "120s"}.items()})
        os.mkdir(self.path("state"))
        with open(UNIT) as unit:
            nice = re.search(r"^Nice=(.*)$", unit.read(), re.MULTILINE).group(1)
        self.manager = self.start("manager.out", "nice", "-n", nice, ROOT + "/fabric-manager/bin/fabric-manager", "run", "--config",
                                  ROOT + "/conf/examples/opensm/fabric-manager.yaml", *(f"--set={key}={value}" for key, value in sets.items()))
        self.wait("the manager's tables are not in force", lambda: self.loads(0), "manager.out")

    def has(self, file, text):
        return any(text in line for line in self.lines(file))

    def lines(self, file):
        if not os.path.exists(self.path(file)):
            return []
        with open(self.path(file), encoding="latin-1") as text:
            return [line for line in text if line.endswith("\n")]

    def wait(self, complaint, until, log):
        end = time.time() + START
        while not until():
            if self.started[-1].poll() is not None or time.time() > end:
                fail(f"{complaint}; its last line: " + " ".join(self.lines(log)[-1:]).strip())
            time.sleep(0.05)

    def dealt(self):
        """Who has which LID: all of a port with LMC."""
        lids = {}
        for line in self.lines("guid2lid"):
            if line.strip():
                guid, low, high = line.split()
                lids.update({lid: int(guid, 16) for lid in range(int(low, 16), int(high, 16) + 1)})
        return lids

    def ask(self, *order):
        pickle.dump(order, self.reader.stdin)
        self.reader.stdin.flush()
        try:
            return pickle.load(self.reader.stdout)
        except EOFError:
            fail("the switches cannot be read: " + " ".join(self.lines("tables.out")[-1:]).strip())

    def tables(self):
        """Of all switches that are reached: bytes, an entry a LID."""
        paths = self.fabric.paths(self.fabric.hosts[0], self.cut, self.dead)
        tables = dict(zip(paths, self.ask("read", [(path, self.blocks) for path in paths.values()])))
        silent = [each for each, table in tables.items() if table is None]
        if silent:
            fail(f"{self.engine}: {len(silent)} switches do not say what they hold, {self.fabric.names[silent[0]]} first")
        return tables

    def dead_entries(self, tables):
        """How many lead to a port that is dead now."""
        ends = [*self.cut, *(self.fabric.cables[end] for end in self.cut)]
        ends += [end for end, (other, _) in self.fabric.cables.items() if other == self.dead]
        return sum(tables[switch][lid] == port for switch, port in ends if switch in tables for lid in self.lids)

    def watch(self, blocks, seconds):
        """Waits for (switch, block) to be these bytes; in the order in which OpenSM writes: a block of all switches, then the next."""
        paths = self.fabric.paths(self.fabric.hosts[0], self.cut, self.dead)
        ordered = sorted(blocks, key=lambda each: (each[1], self.fabric.switches.index(each[0])) if len(blocks) < 1000 else each[1])
        return self.ask("watch", [(paths[switch], number, blocks[switch, number]) for switch, number in ordered], seconds)

    def break_(self, cut=(), dead=None):
        """Exactly this is broken from now on; returns when that was said."""
        orders = [f'ReLink "{switch}"[{port}]' for switch, port in self.cut if (switch, port) not in cut]
        orders += [f'Unlink "{switch}"[{port}]' for switch, port in cut if (switch, port) not in self.cut]
        orders += [f'ReLink "{self.dead}"'] if self.dead and not dead else []
        orders += [f'Unlink "{dead}"'] if dead and not self.dead else []
        self.cut, self.dead = cut, dead
        now = time.time()
        self.console.stdin.write("".join(order + "\n" for order in orders).encode())
        self.console.stdin.flush()
        return now

    def read_by_command(self):
        """How long the command takes with which the manager reads, for all switches."""
        begun = time.time()
        subprocess.run(["ibsim-run", "dump_fts", "-n"], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        return time.time() - begun

    def ups(self, since):
        """When the log said so after that."""
        return [at for at in (when(line) for line in self.lines("opensm.log") if "SUBNET UP" in line) if at > since]

    def engine_used(self):
        used = [line.split(":")[-1].split()[0] for line in self.lines("opensm.log") if "tables configured" in line]
        return used[-1] if used else "none"

    def loads(self, since):
        """Of the manager, after that: (read back at, ms it took from the fabric seen, of these until computed and until written)."""
        found = []
        for line in self.lines("manager.out"):
            if load := LOADED.match(line):
                at = datetime.fromisoformat(load[1]).timestamp()
                if at > since:
                    found.append((at, int(load[4]), int(load[2]), int(load[3])))
        return found

    def settle(self, since):
        """Until OpenSM was done after that, the manager had read back, and nothing more was logged for a while."""
        end = time.time() + START
        while True:
            files = [self.path(each) for each in ("opensm.log", "manager.out") if os.path.exists(self.path(each))]
            gone = [each.args[-1 if each is self.opensm else 0] for each in self.started if each.poll() is not None]
            if gone:
                fail(f"{self.engine}: {gone[0]} ended; " + " ".join(self.lines("manager.out")[-1:]).strip())
            quiet = time.time() - max(os.path.getmtime(each) for each in files)
            if quiet > QUIET and self.ups(since) and (not self.manager or (self.loads(since) and self.complete())):
                return
            if time.time() > end:
                fail(f"{self.engine}: no end within {START} s; SUBNET UP {len(self.ups(since))} times, read back {len(self.loads(since))} times")
            time.sleep(0.1)

    def complete(self):
        """The manager's last tables are in force, all rounds of them."""
        lines = "".join(self.lines("manager.out"))
        return ACCEPTED.findall(lines)[-1:] == COMPLETE.findall(lines)[-1:]

    def cpu(self):
        """Seconds of a processor that were used up so far: by opensm; by the manager and what it started."""
        return process_seconds(self.opensm.pid), process_seconds(self.manager.pid) + children_seconds(self.manager.pid) if self.manager else 0.0

    def write_dump(self, tables, file):
        """As OpenSM would: for fabricctl."""
        entries = [(f"0x{lid:04x} ", f" # portguid 0x{guid:016x}: ''\n", lid) for lid, guid in sorted(self.lids.items())]
        with open(file, "w") as out:
            for switch, table in tables.items():
                out.write(f"Unicast lids [0-{max(self.lids)}] of switch Lid 0 guid 0x{switch[2:]} ('{self.fabric.names[switch]}'):\n")
                out.write("".join(f"{head}{table[lid]:03d}{tail}" for head, tail, lid in entries if table[lid] != NO_ROUTE))
        return file


def process_seconds(pid):
    return time.clock_gettime((~pid << 3) | 2)


def children_seconds(pid):
    """Those that ended."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def simulated_device():
    """What ibsim-run loads before a program, without the shell around it."""
    with open(shutil.which("ibsim-run")) as script:
        return re.search(r"^sim_so=(\S+)", script.read(), re.M)[1]


def changed(before, after):
    """Blocks that are not what they were, of switches that are there in both: (switch, number) and the bytes."""
    return {(switch, at // BLOCK): table[at:at + BLOCK]
            for switch, table in after.items() if switch in before and table != before[switch]
            for at in range(0, len(table), BLOCK) if table[at:at + BLOCK] != before[switch][at:at + BLOCK]}
