package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.plane.Destination;
import io.dmodc.agent.plane.Destinations;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.TableChange;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.TableVersion;
import io.dmodc.topology.HostAddresses;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The book against a slow twin that shares nothing with it, over tables, alternatives, ports that die, return, or lose their routes,
 * withdrawals, readings, restarts and a kernel that refuses: after each step the kernel holds what the twin says, and whenever there was time for it
 * also behind the entries' routes. On the way no address loses its last route before it must.
 */
class RouteBookTwinTest {
    private static final int PORTS = 6;
    private static final int INDICES = 24;
    private static final int ADDRESSES = 20;
    private static final int STEPS = 400;
    private static final int NO_ROUTE = 255;

    /** What is wanted, entry by entry, as the documentation says it. */
    private static final class Twin {
        int[] entries = {};
        final Map<Integer, Integer> moves = new HashMap<>();

        /** Moves of a run before whose ports nobody trusts yet. */
        final Set<Integer> restored = new HashSet<>();

        final Map<Integer, Set<Integer>> addresses = new HashMap<>();
        final Set<Integer> dead = new HashSet<>();

        /** Addresses by port. */
        final Map<Integer, Set<Integer>> withdrawn = new HashMap<>();

        final Set<Integer> up = new HashSet<>();
        List<Set<Integer>> alternatives = List.of();
        boolean alternativesGoWithEntries;

        boolean carries(int d, int port) {
            Set<Integer> gone = withdrawn.getOrDefault(port, Set.of());
            return !dead.contains(port)
                    && addresses.getOrDefault(d, Set.of()).stream().noneMatch(gone::contains);
        }

        boolean leads(int d) {
            Integer moved = moves.get(d);
            boolean own = carries(d, entries[d]) && !restored.contains(d);
            return own || (moved != null && carries(d, moved));
        }

        /** Of entries at odd ports. */
        Set<RouteAddress> unreached() {
            Set<RouteAddress> all = new HashSet<>();
            for (int address = FIRST_ADDRESS; address < FIRST_ADDRESS + ADDRESSES; address++) {
                for (int d = 0; d < entries.length; d++) {
                    if (entries[d] != NO_ROUTE
                            && addresses.getOrDefault(d, Set.of()).contains(address)) {
                        if (entries[d] % 2 == 1 && !leads(d)) {
                            all.add(RouteAddress.ipv4(address));
                        }
                        break;
                    }
                }
            }
            return all;
        }
        /** Behind these stands what was no alternative when alternatives went with a table last, or their entry changed since. */
        final Set<RouteAddress> outdated = new HashSet<>();

        boolean standing = true;

        void settle() {
            for (int d = 0; d < entries.length; d++) {
                int own = entries[d];
                boolean away = moves.containsKey(d);
                boolean lost = own != NO_ROUTE && !carries(d, own);
                if (alternativesGoWithEntries && (lost || restored.contains(d))) {
                    move(d);
                }
                if (away && (!moves.containsKey(d) || !carries(d, moves.get(d)))) {
                    restored.remove(d);
                }
                if (!lost && !restored.contains(d)) {
                    moves.remove(d);
                }
            }
        }

        private void move(int d) {
            TreeSet<Integer> set = new TreeSet<>(d < alternatives.size() ? alternatives.get(d) : Set.of());
            Integer now = moves.get(d);
            if (now != null && set.contains(now) && carries(d, now)) {
                return;
            }
            int choice = choice(d, now == null ? entries[d] : now);
            if (choice != NO_ROUTE) {
                moves.put(d, choice);
            } else if (now != null && !set.contains(now)) {
                moves.remove(d);
            }
        }

        void forgetMove(int d) {
            moves.remove(d);
            restored.remove(d);
        }

        /** The alternative for its place among all but the table's own; if that is dead, one of the living, for its place among these. */
        int choice(int d, int now) {
            List<Integer> others =
                    new ArrayList<>(new TreeSet<>(d < alternatives.size() ? alternatives.get(d) : Set.of()));
            others.removeIf(port -> port == entries[d]);
            List<Integer> living = new ArrayList<>(others);
            living.removeIf(port -> port == now || !carries(d, port));
            if (living.isEmpty()) {
                return NO_ROUTE;
            }
            int first = others.get(d % others.size());
            return living.contains(first) ? first : living.get(d / others.size() % living.size());
        }

        /** What is to stand behind the routes, where that stood until now. */
        Map<RouteAddress, Integer> standing(Map<RouteAddress, Integer> until) {
            Map<RouteAddress, Integer> routes = new HashMap<>();
            for (int d = entries.length - 1; d >= 0; d--) {
                for (int address : addresses.getOrDefault(d, Set.of())) {
                    RouteAddress key = RouteAddress.ipv4(address);
                    if (entries[d] != NO_ROUTE && standing) {
                        int stays = outdated.contains(key) ? NO_ROUTE : until.getOrDefault(key, NO_ROUTE);
                        int choice = alternativesGoWithEntries ? choice(d, port(d)) : NO_ROUTE;
                        routes.put(key, choice == NO_ROUTE ? stays : choice);
                    }
                }
            }
            routes.values().removeIf(port -> port == NO_ROUTE);
            return routes;
        }

        /** Another table, or other alternatives: what of that which stands may not stay. */
        void judge(Map<RouteAddress, Integer> behind, Set<Integer> changed) {
            if (!alternativesGoWithEntries) {
                for (int d : changed) {
                    addresses.getOrDefault(d, Set.of()).forEach(address -> outdated.add(RouteAddress.ipv4(address)));
                }
                return;
            }
            outdated.clear();
            for (int d = entries.length - 1; d >= 0; d--) {
                for (int address : addresses.getOrDefault(d, Set.of())) {
                    RouteAddress key = RouteAddress.ipv4(address);
                    if (entries[d] != NO_ROUTE) {
                        boolean right = d < alternatives.size()
                                && alternatives.get(d).contains(behind.getOrDefault(key, NO_ROUTE));
                        outdated.remove(key);
                        if (!right) {
                            outdated.add(key);
                        }
                    }
                }
            }
        }

        int port(int d) {
            return d >= entries.length ? NO_ROUTE : moves.getOrDefault(d, entries[d]);
        }

        /** Port by address, of those that the kernel can hold. */
        Map<RouteAddress, Integer> routes() {
            Map<RouteAddress, Integer> routes = new HashMap<>();
            for (int d = entries.length - 1; d >= 0; d--) {
                for (int address : addresses.getOrDefault(d, Set.of())) {
                    if (entries[d] != NO_ROUTE) {
                        routes.put(RouteAddress.ipv4(address), port(d));
                    }
                }
            }
            routes.values().removeIf(port -> !up.contains(port));
            return routes;
        }
    }

    private static final int FIRST_ADDRESS = 0x0a640001;

    private final Twin twin = new Twin();
    private Map<Integer, Set<RouteAddress>> withdrawals = Map.of();
    private final Map<RouteAddress, Integer> kernel = new HashMap<>();
    private final Map<RouteAddress, Integer> behind = new HashMap<>();
    private RouteBook book = new RouteBook(PORTS, true);
    private SplittableRandom random = new SplittableRandom();
    private InstalledTable installed = InstalledTable.NONE;
    private Alternatives alternatives = Alternatives.NONE;
    private final int[] said = new int[INDICES];
    private boolean refuses;
    private long epoch;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233})
    void shouldHoldWhatTheTwinSays(long seed) {
        System.out.println("seed " + seed);
        random = new SplittableRandom(seed);
        Arrays.setAll(said, d -> d % ADDRESSES);
        for (int port = 1; port <= PORTS; port++) {
            carrier(port, true);
        }
        for (int step = 0; step < STEPS; step++) {
            String what = step();
            write();
            String where = "seed " + seed + ", step " + step + ": " + what;
            assertThat(kernel).as(where).isEqualTo(twin.routes());
            assertThat(routed()).as("%s: nothing stands alone", where).containsAll(behind.keySet());
            if (random.nextInt(3) > 0) {
                Map<RouteAddress, Integer> expected = twin.standing(behind);
                writeStanding(Integer.MAX_VALUE);
                assertThat(behind).as(where).isEqualTo(expected);
            } else {
                writeStanding(random.nextInt(3));
            }
            for (int port = 1; port <= PORTS; port++) {
                assertThat(book.repaired(port)).as("%s", what).isEqualTo(count(port));
            }
            assertThat(book.unreached(port -> port % 2 == 1, ADDRESSES))
                    .as("seed %d, step %d: %s", seed, step, what)
                    .isEqualTo(twin.unreached());
        }
    }

    private String step() {
        int chance = random.nextInt(100);
        int port = 1 + random.nextInt(PORTS);
        if (chance < 15) {
            return newTable();
        } else if (chance < 25) {
            return withdrawal(port);
        } else if (chance < 40) {
            return newAlternatives();
        } else if (chance < 60) {
            boolean dead = random.nextBoolean();
            carrier(port, !dead || !twin.up.contains(port));
            return (dead ? "carrier or hellos lost at " : "back: ") + port;
        } else if (chance < 70) {
            return down(port);
        } else if (chance < 80) {
            up(port);
            return "up " + port;
        } else if (chance < 84) {
            return readSlowly();
        } else if (chance < 88) {
            if (random.nextBoolean() && !behind.isEmpty()) {
                behind.remove(behind.keySet().iterator().next());
            }
            book.kernelHolds(kernel, behind, Map.of());
            assertThat(book.adoptKernel()).isEqualTo(installed.entries());
            return "read";
        } else if (chance < 92) {
            return restart();
        } else if (chance < 95) {
            book.trust(port);
            twin.restored.removeIf(d -> twin.entries[d] == port);
            twin.settle();
            return "trusted " + port;
        }
        refuses = true;
        try {
            newTable();
            write();
            writeStanding(Integer.MAX_VALUE);
        } finally {
            refuses = false;
        }
        book.kernelHolds(kernel, behind, Map.of());
        byte[] read = book.adoptKernel();
        adopt(read);
        return "a kernel that refused";
    }

    /** Things happen while the kernel is read, of which each route may be seen as it was before any of them or after: nobody else wrote, so nothing is missing. */
    private String readSlowly() {
        write();
        Map<RouteAddress, Integer> ours = new HashMap<>(kernel);
        Map<RouteAddress, Integer> standing = new HashMap<>(behind);
        book.beginReading();
        StringBuilder what = new StringBuilder("read while");
        for (int i = random.nextInt(4); i >= 0; i--) {
            int port = 1 + random.nextInt(PORTS);
            switch (random.nextInt(4)) {
                case 0 -> what.append(' ').append(newTable());
                case 1 -> what.append(' ').append(newAlternatives());
                case 2 -> what.append(' ').append(down(port));
                default -> {
                    carrier(port, true);
                    what.append(" up ").append(port);
                }
            }
            write();
            writeStanding(random.nextInt(3));
        }
        book.kernelHolds(seen(ours, kernel), seen(standing, behind), Map.of());
        assertThat(book.dueCount()).as("%s", what).isZero();
        return what.toString();
    }

    private Map<RouteAddress, Integer> seen(Map<RouteAddress, Integer> before, Map<RouteAddress, Integer> after) {
        Map<RouteAddress, Integer> seen = new HashMap<>();
        Set<RouteAddress> all = new HashSet<>(before.keySet());
        all.addAll(after.keySet());
        for (RouteAddress address : all) {
            Integer port = (random.nextBoolean() ? before : after).get(address);
            if (port != null) {
                seen.put(address, port);
            }
        }
        return seen;
    }

    private void carrier(int port, boolean alive) {
        if (alive) {
            up(port);
            twin.dead.remove(port);
        } else {
            twin.dead.add(port);
        }
        book.dead(dead(), withdrawals);
        twin.settle();
    }

    private String withdrawal(int port) {
        Set<Integer> gone = new HashSet<>();
        for (int i = random.nextInt(2 * ADDRESSES) - ADDRESSES; i > 0; i--) {
            gone.add(FIRST_ADDRESS + random.nextInt(ADDRESSES + 2));
        }
        twin.withdrawn.put(port, gone);
        Map<Integer, Set<RouteAddress>> now = new HashMap<>();
        twin.withdrawn.forEach((at, addresses) -> {
            Set<RouteAddress> said = new HashSet<>();
            addresses.forEach(address -> said.add(RouteAddress.ipv4(address)));
            now.put(at, said);
        });
        withdrawals = now;
        book.dead(dead(), withdrawals);
        twin.settle();
        return "withdrawn at " + port + ": " + gone;
    }

    private BitSet dead() {
        BitSet dead = new BitSet();
        twin.dead.forEach(dead::set);
        return dead;
    }

    private void up(int port) {
        book.writable(port, true);
        twin.up.add(port);
    }

    private String down(int port) {
        kernel.values().removeIf(at -> at == port);
        behind.values().removeIf(at -> at == port);
        book.flushed(port);
        book.writable(port, false);
        twin.up.remove(port);
        carrier(port, false);
        return "down " + port;
    }

    private String newTable() {
        int length = random.nextInt(INDICES / 2, INDICES + 1);
        int[] ports = new int[length];
        BitSet changed = new BitSet();
        for (int d = 0; d < length; d++) {
            boolean same = d < twin.entries.length && random.nextInt(3) > 0;
            ports[d] = same ? twin.entries[d] : random.nextInt(8) == 0 ? NO_ROUTE : 1 + random.nextInt(PORTS);
        }
        for (int d = 0; d < INDICES; d++) {
            int was = d < twin.entries.length ? twin.entries[d] : NO_ROUTE;
            int is = d < length ? ports[d] : NO_ROUTE;
            changed.set(d, was != is);
        }
        if (random.nextBoolean()) {
            int d = random.nextInt(INDICES);
            said[d] = random.nextInt(ADDRESSES);
            changed.set(d);
        }
        install(ports, changed, "table");
        return "table " + Arrays.toString(ports) + ", changed " + changed;
    }

    private String newAlternatives() {
        Alternatives.Builder builder = new Alternatives.Builder(TableDigest.of(installed.entries()));
        List<Set<Integer>> sets = new ArrayList<>();
        BitSet all = new BitSet();
        for (int d = 0; d < twin.entries.length; d++) {
            TreeSet<Integer> set = new TreeSet<>();
            for (int port = 1; port <= PORTS; port++) {
                if (port == twin.entries[d] || random.nextInt(3) == 0) {
                    set.add(port);
                }
            }
            byte[] bytes = new byte[set.size()];
            int at = 0;
            for (int port : set) {
                bytes[at++] = (byte) port;
            }
            sets.add(set.size() < 2 ? Set.of() : set);
            builder.run(d + 1, bytes);
            all.set(d, twin.entries[d] != NO_ROUTE);
        }
        alternatives = builder.build();
        twin.alternatives = sets;
        install(twin.entries, all, "alternatives");
        return "alternatives " + sets;
    }

    private void install(int[] ports, BitSet changed, String what) {
        byte[] entries = new byte[ports.length];
        for (int d = 0; d < ports.length; d++) {
            entries[d] = (byte) ports[d];
        }
        InstalledTable table =
                what.equals("table") ? new InstalledTable(new TableVersion(1, ++epoch), entries) : installed;
        Destinations destinations = Destinations.of(
                INDICES, d -> new Destination(d + 1, "n" + d, new HostAddresses(0, FIRST_ADDRESS + said[d], 0, 0, 0)));
        Set<Integer> differing = new HashSet<>();
        for (int d = changed.nextSetBit(0); d >= 0; d = changed.nextSetBit(d + 1)) {
            boolean route = d < ports.length && ports[d] != NO_ROUTE;
            Set<Integer> now = route ? Set.of(FIRST_ADDRESS + said[d]) : Set.of();
            Set<Integer> before = twin.addresses.put(d, now);
            if (!now.equals(before == null ? Set.of() : before)) {
                twin.forgetMove(d);
                differing.add(d);
            }
        }
        for (int d = 0; d < Math.max(ports.length, twin.entries.length); d++) {
            if (d >= ports.length || d >= twin.entries.length || ports[d] != twin.entries[d]) {
                twin.forgetMove(d);
                differing.add(d);
            }
        }
        twin.entries = ports;
        twin.alternativesGoWithEntries =
                alternatives.entryCount() > 0 && alternatives.routesDigest() == TableDigest.of(entries);
        book.table(new TableChange(installed, table, changed, destinations, alternatives));
        installed = table;
        twin.judge(behind, differing);
        twin.settle();
    }

    private String restart() {
        boolean settled = book.standing().isSettled();
        boolean was = twin.standing;
        twin.standing = random.nextInt(4) > 0;
        HeldTable held = book.remembered(installed.version());
        book = new RouteBook(PORTS, twin.standing);
        if (random.nextBoolean()) {
            book.dead(dead(), withdrawals);
        }
        book.restore(held);
        for (int d = 0; d < twin.entries.length; d++) {
            if (twin.entries[d] != NO_ROUTE && (twin.moves.containsKey(d) || !twin.leads(d))) {
                twin.restored.add(d);
            }
        }
        twin.up.forEach(port -> book.writable(port, true));
        book.kernelHolds(kernel, behind, Map.of());
        assertThat(book.adoptKernel()).isEqualTo(installed.entries());
        alternatives = Alternatives.NONE;
        twin.alternativesGoWithEntries = false;
        book.dead(dead(), withdrawals);
        assertThat(book.dueCount()).as("nothing differs after a restart").isZero();
        twin.outdated.clear();
        twin.settle();
        if (settled && was == twin.standing) {
            assertThat(writeStanding(Integer.MAX_VALUE))
                    .as("nor behind the routes")
                    .isZero();
        }
        return "restart";
    }

    /** What was read counts from now on, and nothing that was told of other routes; what is only lost leads nowhere. */
    private void adopt(byte[] read) {
        if (!Arrays.equals(read, installed.entries())) {
            int[] ports = new int[read.length];
            Set<Integer> differing = new HashSet<>();
            for (int d = 0; d < read.length; d++) {
                ports[d] = Byte.toUnsignedInt(read[d]);
                if (ports[d] != twin.entries[d]) {
                    twin.forgetMove(d);
                    differing.add(d);
                }
            }
            twin.entries = ports;
            if (differing.stream().anyMatch(d -> ports[d] != NO_ROUTE)) {
                twin.alternativesGoWithEntries = false;
                alternatives = Alternatives.NONE;
            }
            installed = new InstalledTable(installed.version(), read);
            twin.judge(behind, differing);
            twin.settle();
        }
    }

    private LocalRepair.Count count(int port) {
        int moved = 0;
        int stranded = 0;
        for (int d = 0; d < twin.entries.length; d++) {
            if (twin.entries[d] == port && (!twin.carries(d, port) || twin.restored.contains(d))) {
                boolean led = twin.leads(d);
                moved += led ? 1 : 0;
                stranded += led ? 0 : 1;
            }
        }
        return new LocalRepair.Count(moved, stranded);
    }

    /** Does as the kernel does, some lines at a time; none that takes the last route of an address away before it must go. */
    private void write() {
        List<RouteOp.Kind> order = new ArrayList<>();
        for (List<RouteOp> ops = book.next(5); !ops.isEmpty(); ops = book.next(5)) {
            for (RouteOp op : ops) {
                order.add(op.kind());
                if (refuses && random.nextInt(4) == 0) {
                    book.refused(op, "the kernel is out of memory");
                    continue;
                }
                if (op.standing()) {
                    assertThat(op.kind()).isEqualTo(RouteOp.Kind.DELETE);
                    assertThat(routed()).doesNotContain(op.address());
                }
                kernelDoes(op);
            }
        }
        int lastAdd = order.lastIndexOf(RouteOp.Kind.ADD);
        int firstDelete = order.indexOf(RouteOp.Kind.DELETE);
        assertThat(firstDelete < 0 || firstDelete > lastAdd)
                .as("deleted before added: %s", order)
                .isTrue();
    }

    private void kernelDoes(RouteOp op) {
        Map<RouteAddress, Integer> routes = op.standing() ? behind : kernel;
        switch (op.kind()) {
            case ADD -> {
                assertThat(routes).doesNotContainKey(op.address());
                routes.put(op.address(), op.port());
            }
            case REPLACE -> routes.put(op.address(), op.port());
            case DELETE -> assertThat(routes.remove(op.address())).isEqualTo(op.port());
        }
        twin.outdated.removeIf(address -> op.standing() && address.equals(op.address()));
        book.done(op);
    }

    /** Addresses that an entry leads to, whether the kernel can hold it or not. */
    private Set<RouteAddress> routed() {
        Set<RouteAddress> routed = new HashSet<>();
        twin.addresses.forEach((d, some) -> {
            if (d < twin.entries.length && twin.entries[d] != NO_ROUTE) {
                some.forEach(address -> routed.add(RouteAddress.ipv4(address)));
            }
        });
        return routed;
    }

    /** Writes some pieces of what stands behind, and returns how many lines; each is right, and what is wrong goes before what is missing. */
    private int writeStanding(int pieces) {
        int lines = 0;
        boolean added = false;
        for (int piece = 0; piece < pieces; piece++) {
            List<RouteOp> ops = book.standing().next(5);
            if (ops.isEmpty() && book.standing().isSettled()) {
                break;
            }
            for (RouteOp op : ops) {
                lines++;
                assertThat(op.standing()).isTrue();
                assertThat(added && op.kind() != RouteOp.Kind.ADD)
                        .as("%s behind what is new", op)
                        .isFalse();
                added = op.kind() == RouteOp.Kind.ADD;
                if (op.kind() != RouteOp.Kind.DELETE) {
                    assertThat(kernel).as("%s stands alone", op).containsKey(op.address());
                    assertThat(isRight(op)).as("%s", op).isTrue();
                }
                if (refuses && random.nextInt(4) == 0) {
                    book.refused(op, "the kernel is out of memory");
                } else {
                    kernelDoes(op);
                }
            }
        }
        return lines;
    }

    /** The manager named that port for the first entry with this address, and for no other table. */
    private boolean isRight(RouteOp op) {
        for (int d = 0; d < twin.entries.length; d++) {
            for (int address : twin.addresses.getOrDefault(d, Set.of())) {
                if (twin.entries[d] != NO_ROUTE && RouteAddress.ipv4(address).equals(op.address())) {
                    return twin.alternativesGoWithEntries
                            && twin.alternatives.get(d).contains(op.port());
                }
            }
        }
        return false;
    }
}
