package io.dmodc.agent.linux;

import io.dmodc.agent.plane.Destination;
import io.dmodc.agent.plane.TableChange;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TableVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel is to hold, what it holds, and so what is to be written next: entries that a dead port moved before all others, then
 * routes that are new, then those that lead elsewhere, then those that go. So a destination that has a route keeps one while a table
 * is written. What stands behind them, for the kernel to take when a port loses its carrier, is written when all of this is ({@link StandingRoutes}); only
 * where an address is to have no route it goes before that does, or packets would go by it.
 *
 * <p>A route over a port without an interface, or whose interface is down by an administrator, cannot be held by the kernel. It waits here
 * and counts as held: nothing could leave there. It is written when the port is there again.
 *
 * <p>Pure, and used by one thread. Memory is some 300 bytes for each address.
 */
final class RouteBook {
    private static final int NO_ROUTE = Byte.toUnsignedInt(SouthboundProtocol.NO_ROUTE);

    /** In the kernel there is none of ours. */
    private static final int ABSENT = 0;

    /** What there is to do, most urgent first. */
    private enum Urgency {
        REPAIR,
        ADD,
        REPLACE,
        /** The standing route of an address that is to have none. */
        BARE,
        DELETE
    }

    private final int portCount;
    private final RouteOwners owners = new RouteOwners();
    private final LocalRepair repair = new LocalRepair();
    private final IntPredicate hasRoute = repair::hasRoute;
    private final StandingRoutes standing;

    /** Port of each of our routes in the kernel; one that leads over none of our ports counts as over {@link #STRAY}. */
    private final Map<RouteAddress, Integer> held = new HashMap<>();

    /** Whose the route of an address is that is not ours. */
    private final Map<RouteAddress, String> foreign = new HashMap<>();

    /** Why an address has no route of ours, or an old one; until it is looked at again. */
    private final Map<RouteAddress, String> refused = new HashMap<>();

    private final Map<Urgency, Set<RouteAddress>> due = new EnumMap<>(Urgency.class);

    /** In which of them an address is. */
    private final Map<RouteAddress, Urgency> urgencies = new HashMap<>();

    /** Ports whose interface takes routes. */
    private final BitSet writable = new BitSet();

    /** A table was installed since the start, so what it does not name has no claim any more. */
    private boolean tableKnown;

    /** Routes of entries that the kernel held in part when it was read, so that they are told as none: they stay until the next table. */
    private final Set<RouteAddress> parts = new HashSet<>();

    /** The kernel is being read. */
    private boolean reading;

    private boolean removedMeanwhile;

    /** Addresses whose routes changed since that began: what was read of them may be older. */
    private final Set<RouteAddress> changedMeanwhile = new HashSet<>();

    /** By port, what the switch at its far end withdrew. */
    private Map<Integer, Set<RouteAddress>> withdrawals = Map.of();

    /** The same by indices of the table. */
    private @Nullable BitSet[] withdrawn = {};

    /** How it stands with the route of an address. */
    enum RouteState {
        /** The table has none. */
        UNROUTED,
        /** It is still to be written, or the kernel refused it. */
        DUE,
        WRITTEN
    }

    /** Over an interface that is no port. */
    static final int STRAY = -1;

    /** @param standing whether a second route stands behind those of entries with alternatives */
    RouteBook(int portCount, boolean standing) {
        this.portCount = portCount;
        this.standing = new StandingRoutes(
                standing,
                owners,
                repair,
                writable::get,
                foreign::containsKey,
                address -> wanted(address) == held.getOrDefault(address, ABSENT));
        for (Urgency urgency : Urgency.values()) {
            due.put(urgency, new LinkedHashSet<>());
        }
    }

    /** Begins with what a run before wrote. */
    void restore(HeldTable last) {
        for (int index = 0; index < last.addresses().length; index++) {
            owners.set(index, last.addresses()[index], address -> {});
        }
        withdrawn = indices(withdrawals);
        repair.restore(last.entries(), last.moves(), withdrawn);
    }

    /** Returns what a later run is to begin with. */
    HeldTable remembered(TableVersion version) {
        RouteAddress[][] addresses = new RouteAddress[owners.size()][];
        for (int index = 0; index < addresses.length; index++) {
            addresses[index] = owners.of(index);
        }
        return new HeldTable(version, repair.entries(), repair.moves(), addresses);
    }

    /** The kernel is read from now on, until {@link #kernelHolds}, while routes are written as always. A reading that began before counts no more. */
    void beginReading() {
        reading = true;
        removedMeanwhile = false;
        changedMeanwhile.clear();
    }

    /**
     * Returns whether an IPv6 route has gone since {@link #beginReading}. The kernel tells such routes by their number in the order of their prefixes when they
     * changed meanwhile, so that one that is there may be missing in what was read.
     */
    boolean isRemovedMeanwhile() {
        return removedMeanwhile;
    }

    /**
     * Takes in what the kernel held at some time since {@link #beginReading}.
     *
     * @param ours port of each of our routes; {@link #STRAY} where that is none of our ports
     * @param behind likewise of what stands behind them
     * @param others whose route it is, of addresses with a route of somebody else
     */
    void kernelHolds(
            Map<RouteAddress, Integer> ours, Map<RouteAddress, Integer> behind, Map<RouteAddress, String> others) {
        takeRead(ours, held, changedMeanwhile);
        foreign.clear();
        foreign.putAll(others);
        refused.clear();
        due.values().forEach(Set::clear);
        urgencies.clear();
        standing.kernelHolds(behind, changedMeanwhile);
        reading = false;
        changedMeanwhile.clear();
        owners.addresses().forEach(this::touch);
        touchHeld();
    }

    /** Makes routes what was read, but for those that changed meanwhile. */
    static void takeRead(Map<RouteAddress, Integer> read, Map<RouteAddress, Integer> held, Set<RouteAddress> changed) {
        held.keySet().retainAll(changed);
        read.forEach((address, port) -> {
            if (!changed.contains(address)) {
                held.put(address, port);
            }
        });
    }

    private void changedNow(RouteAddress address) {
        if (reading) {
            changedMeanwhile.add(address);
        }
    }

    /**
     * Returns the table that the kernel forwards with, and takes it for the one that is wanted.
     *
     * @return entries, read only; those of the table wanted until now when nothing differs, also where a repair moved some, or is still to
     */
    byte[] adoptKernel() {
        byte[] wanted = repair.entries();
        byte[] read = wanted.clone();
        for (int index = 0; index < read.length; index++) {
            int actual = isPartOfNone(index) ? NO_ROUTE : actualPort(index);
            if (actual == NO_ROUTE) {
                ownAddresses(index).filter(this::isHeld).forEach(parts::add);
            }
            if (actual != repair.port(index)) {
                read[index] = (byte) actual;
            }
        }
        if (!Arrays.equals(read, wanted)) {
            if (isOnlyLost(wanted, read)) {
                repair.lose(read);
            } else {
                repair.table(read, new BitSet(), Alternatives.NONE, withdrawn);
            }
            standing.table(wanted, new BitSet(), repair.alternatives());
            owners.addresses().forEach(this::touch);
        }
        return repair.entries();
    }

    /** An entry without a route leads no packet round: the alternatives of the others are what they were. */
    private static boolean isOnlyLost(byte[] wanted, byte[] read) {
        return IntStream.range(0, read.length)
                .allMatch(index -> read[index] == wanted[index] || Byte.toUnsignedInt(read[index]) == NO_ROUTE);
    }

    /** An entry that is told as none, of which the kernel has one address and not the other: it was told so when that was read, perhaps by a run before. */
    private boolean isPartOfNone(int index) {
        return repair.port(index) == NO_ROUTE
                && ownAddresses(index).anyMatch(this::isHeld)
                && !ownAddresses(index).allMatch(this::isHeld);
    }

    private boolean isHeld(RouteAddress address) {
        int port = held.getOrDefault(address, ABSENT);
        return port != ABSENT && port != STRAY;
    }

    private Stream<RouteAddress> ownAddresses(int index) {
        return Arrays.stream(owners.of(index)).filter(address -> isOwn(index, address));
    }

    private boolean isOwn(int index, RouteAddress address) {
        int owner = owners.ownerOf(address, hasRoute);
        return owner == index || owner == RouteOwners.NOBODY;
    }

    /** By the first address that tells; one that is wanted is held where it cannot be, or is somebody else's of the same table. */
    private int actualPort(int index) {
        int wanted = repair.port(index);
        for (RouteAddress address : owners.of(index)) {
            int port = held.getOrDefault(address, ABSENT);
            boolean waits = port == ABSENT && wanted != NO_ROUTE && !writable.get(wanted);
            int actual = isHeld(address) ? port : NO_ROUTE;
            if (isOwn(index, address) && !waits && actual != wanted) {
                return actual;
            }
        }
        return wanted;
    }

    /** Wants another table from now on. */
    void table(TableChange change) {
        boolean first = !tableKnown;
        tableKnown = true;
        BitSet fresh = new BitSet();
        BitSet touched = (BitSet) change.changed().clone();
        byte[] before = repair.entries();
        byte[] entries = change.table().entries();
        Set<RouteAddress> loose = Set.copyOf(parts);
        parts.clear();
        for (int index = touched.nextSetBit(0); index >= 0; index = touched.nextSetBit(index + 1)) {
            RouteAddress[] addresses = addresses(change, index);
            if (owners.set(index, addresses, this::touch)) {
                fresh.set(index);
            }
        }
        withdrawn = indices(withdrawals);
        touched.or(repair.table(entries, fresh, change.alternatives(), withdrawn));
        touch(touched);
        loose.forEach(this::touch);
        standing.table(before, fresh, change.alternatives());
        if (first) {
            touchHeld();
        }
    }

    private void touchHeld() {
        held.keySet().forEach(this::touch);
        standing.addresses().forEach(this::touch);
    }

    /** Of an index that nobody has said anything of, what was written before counts; one without a route needs no address. */
    private RouteAddress[] addresses(TableChange change, int index) {
        byte[] entries = change.table().entries();
        if (index >= entries.length || entries[index] == SouthboundProtocol.NO_ROUTE) {
            return RouteAddress.NONE;
        }
        Destination destination = change.destinations().at(index);
        return destination == null ? owners.of(index) : RouteAddress.of(destination.addresses());
    }

    /** The kernel took all routes over a port away, as it does when the interface goes down or is deleted. */
    void flushed(int port) {
        List<RouteAddress> gone = removeOver(port, held);
        gone.forEach(this::touch);
        gone.addAll(standing.flushed(port));
        gone.forEach(this::changedNow);
        removedMeanwhile |= gone.stream().anyMatch(address -> !address.isIpv4());
    }

    /** Removes the routes over a port, and returns their addresses. */
    static List<RouteAddress> removeOver(int port, Map<RouteAddress, Integer> held) {
        List<RouteAddress> gone = new ArrayList<>();
        held.forEach((address, at) -> {
            if (at == port) {
                gone.add(address);
            }
        });
        gone.forEach(held::remove);
        return gone;
    }

    /** The interface of a port takes routes, or takes none any more. */
    void writable(int port, boolean now) {
        if (writable.get(port) != now) {
            writable.set(port, now);
            owners.addresses().forEach(this::touch);
            standing.lookAgain();
        }
    }

    /**
     * Says which ports carry nothing, and for which addresses others do not.
     *
     * @param told by port, what the switch at its far end withdrew; another object when it is anything else. Does not change
     */
    void dead(BitSet ports, Map<Integer, Set<RouteAddress>> told) {
        if (told != withdrawals) {
            withdrawals = told;
            withdrawn = indices(told);
            standing.lookAgain();
        }
        moved(repair.dead(ports, withdrawn));
        standing.dead(ports);
    }

    /** A port carries what it is not known to carry nothing of, whatever a run before knew. */
    void trust(int port) {
        moved(repair.trust(port));
        standing.lookAgain();
    }

    private void moved(BitSet moved) {
        for (int index = moved.nextSetBit(0); index >= 0; index = moved.nextSetBit(index + 1)) {
            for (RouteAddress address : owners.of(index)) {
                touch(address);
                Urgency urgency = urgencies.get(address);
                if (urgency == Urgency.REPLACE || urgency == Urgency.ADD) {
                    forget(address);
                    put(Urgency.REPAIR, address);
                }
            }
        }
    }

    /** An index may stand for another destination with the next table; an address is one as long as it is withdrawn. */
    private @Nullable BitSet[] indices(Map<Integer, Set<RouteAddress>> told) {
        @Nullable BitSet[] all = new BitSet[told.isEmpty() ? 0 : portCount + 1];
        told.forEach((port, addresses) -> {
            BitSet gone = new BitSet();
            for (RouteAddress address : addresses) {
                for (int index : owners.claimers(address)) {
                    gone.set(index);
                }
            }
            all[port] = gone.isEmpty() ? null : gone;
        });
        return all;
    }

    /**
     * Returns addresses that nothing is led to any more, in the order of their entries.
     *
     * @param from entries of which ports of the table count
     * @param limit of those returned
     */
    Set<RouteAddress> unreached(IntPredicate from, int limit) {
        Set<RouteAddress> addresses = new LinkedHashSet<>();
        BitSet stranded = repair.stranded();
        for (int index = stranded.nextSetBit(0); index >= 0; index = stranded.nextSetBit(index + 1)) {
            if (from.test(Byte.toUnsignedInt(repair.entries()[index]))) {
                for (RouteAddress address : owners.of(index)) {
                    if (ownerOf(address) == index && addresses.size() < limit) {
                        addresses.add(address);
                    }
                }
            }
        }
        return addresses;
    }

    /** Returns how it stands with the route of an address. */
    RouteState routeState(RouteAddress address) {
        return ownerOf(address) == RouteOwners.NOBODY
                ? RouteState.UNROUTED
                : urgencies.containsKey(address) || refused.containsKey(address) ? RouteState.DUE : RouteState.WRITTEN;
    }

    /** Returns the ports of entries that a run before moved, or had no other port for. */
    BitSet restoredPorts() {
        return repair.restoredPorts();
    }

    /** Returns what became of the entries that the table has at a port which carries nothing, or nothing for some. */
    LocalRepair.Count repaired(int port) {
        return repair.count(port);
    }

    /** Returns whether any entry has an IPv6 address. */
    boolean hasIpv6() {
        return owners.hasIpv6();
    }

    private void touch(BitSet indices) {
        for (int index = indices.nextSetBit(0); index >= 0; index = indices.nextSetBit(index + 1)) {
            for (RouteAddress address : owners.of(index)) {
                touch(address);
            }
        }
    }

    /** Puts an address where it belongs by what is wanted of it and what the kernel holds. */
    private void touch(RouteAddress address) {
        forget(address);
        refused.remove(address);
        int wanted = wanted(address);
        int present = held.getOrDefault(address, ABSENT);
        boolean needless = tableKnown && !parts.contains(address);
        if (wanted == NO_ROUTE && standing.holds(address) && needless) {
            put(Urgency.BARE, address);
            return;
        }
        if (wanted == present) {
            return;
        }
        boolean isPort = wanted >= 1 && wanted <= portCount;
        if (wanted == NO_ROUTE || (isPort && !writable.get(wanted))) {
            if (present != ABSENT && needless) {
                put(Urgency.DELETE, address);
            }
        } else if (!isPort) {
            refused.put(address, "there is no port " + wanted);
        } else if (foreign.containsKey(address)) {
            refused.put(address, "the kernel has " + foreign.get(address) + " for it, which is not touched");
        } else {
            put(present == ABSENT ? Urgency.ADD : Urgency.REPLACE, address);
        }
    }

    private int wanted(RouteAddress address) {
        int owner = owners.ownerOf(address, hasRoute);
        return owner == RouteOwners.NOBODY ? NO_ROUTE : repair.port(owner);
    }

    private void put(Urgency urgency, RouteAddress address) {
        of(urgency).add(address);
        urgencies.put(address, urgency);
    }

    private void forget(RouteAddress address) {
        Urgency urgency = urgencies.remove(address);
        if (urgency != null) {
            of(urgency).remove(address);
        }
    }

    private Set<RouteAddress> of(Urgency urgency) {
        return Objects.requireNonNull(due.get(urgency));
    }

    /** Returns how many routes are to be written. */
    int dueCount() {
        return urgencies.size();
    }

    /** Returns what is to be written next, of one urgency, without what is to stand behind; none: the kernel holds what it can. Nothing is taken off before {@link #done}. */
    List<RouteOp> next(int limit) {
        List<RouteOp> ops = new ArrayList<>();
        for (Urgency urgency : Urgency.values()) {
            Iterator<RouteAddress> addresses = of(urgency).iterator();
            while (ops.size() < limit && addresses.hasNext()) {
                ops.add(op(urgency, addresses.next()));
            }
            if (!ops.isEmpty()) {
                break;
            }
        }
        return ops;
    }

    /** A repair must not fail because the kernel lost or kept what it should not. */
    private RouteOp op(Urgency urgency, RouteAddress address) {
        return switch (urgency) {
            case REPAIR, REPLACE -> RouteOp.own(RouteOp.Kind.REPLACE, address, wanted(address));
            case ADD -> RouteOp.own(RouteOp.Kind.ADD, address, wanted(address));
            case BARE -> standing.away(address);
            case DELETE -> RouteOp.own(RouteOp.Kind.DELETE, address, held.getOrDefault(address, ABSENT));
        };
    }

    /** The kernel did it. */
    void done(RouteOp op) {
        changedNow(op.address());
        removedMeanwhile |= op.kind() == RouteOp.Kind.DELETE && !op.address().isIpv4();
        if (op.standing()) {
            standing.done(op);
        } else if (op.kind() == RouteOp.Kind.DELETE) {
            held.remove(op.address());
        } else {
            held.put(op.address(), op.port());
        }
        if (!op.standing() || isBare(op.address())) {
            touch(op.address());
        }
    }

    /** The kernel did not; it is not tried again before something else is wanted. */
    void refused(RouteOp op, String why) {
        if (op.standing() && !isBare(op.address())) {
            standing.refused(op);
            return;
        }
        forget(op.address());
        refused.put(op.address(), why);
    }

    private boolean isBare(RouteAddress address) {
        return urgencies.get(address) == Urgency.BARE;
    }

    /** Returns what stands behind the routes, and is to be written when nothing is due. */
    StandingRoutes standing() {
        return standing;
    }

    /** Returns the addresses of those that the kernel does not hold as wanted, and why. Read only. */
    Map<RouteAddress, String> refused() {
        return refused;
    }

    /** Returns the index whose route an address is, or would be; {@link RouteOwners#NOBODY} when nobody wants it. */
    int ownerOf(RouteAddress address) {
        return owners.ownerOf(address, hasRoute);
    }

    /** Returns the addresses that several entries say. Read only. */
    Set<RouteAddress> shared() {
        return owners.shared();
    }

    /** Returns the entries that say an address, ascending. Read only. */
    int[] claimers(RouteAddress address) {
        return owners.claimers(address);
    }

    /** Returns how many routes of ours the kernel holds. */
    int heldCount() {
        return held.size();
    }
}
