package io.dmodc.agent.linux;

import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.SouthboundProtocol;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * What stands behind the routes of entries: a second one to the same address, over the port that {@link LocalRepair} would move the entry to, with a
 * worse metric. A kernel that loses the carrier of the first port goes on by it from one packet to the next, before anybody could write.
 *
 * <p>An entry without a living alternative gets none; what stands over one that died stays, as nothing better is known. While the
 * alternatives go with another table, what stands for entries that are as they were stays untouched, and goes for those that are not.
 *
 * <p>Nothing is listed to be done: the table is looked through from its beginning after each change, {@value #LOOKS_MAX} entries at a time, first for what
 * stands wrong, then for what is missing. So a change costs nothing before its routes are written. Pure; used by one thread. Some 100 bytes for
 * each standing route.
 */
final class StandingRoutes {
    /** Entries looked at in one call. */
    static final int LOOKS_MAX = 4096;

    private static final int NO_ROUTE = Byte.toUnsignedInt(SouthboundProtocol.NO_ROUTE);

    /** None stands, or is to stand. */
    private static final int NONE = 0;

    private final boolean wanted;
    private final RouteOwners owners;
    private final LocalRepair repair;
    private final IntPredicate writable;
    private final Predicate<RouteAddress> foreign;
    private final Predicate<RouteAddress> inPlace;

    /** Port of each of ours in the kernel; {@link RouteBook#STRAY}: none of our ports. */
    private final Map<RouteAddress, Integer> held = new HashMap<>();

    /** The kernel refused them; not tried again before it is read. */
    private final Set<RouteAddress> refused = new HashSet<>();

    /** What stands and is no alternative by those that went with a table last, or whose entry has changed since. */
    private final Set<RouteAddress> outdated = new HashSet<>();

    private Alternatives told = Alternatives.NONE;

    private BitSet dead = new BitSet();
    private int next;
    private boolean adding;

    /**
     * Begins with none.
     *
     * @param wanted false: what stands is taken away
     * @param writable whether the interface of a port takes routes
     * @param foreign whether somebody else has a route for an address
     * @param inPlace whether the kernel holds the entry's own route of an address as it should
     */
    StandingRoutes(
            boolean wanted,
            RouteOwners owners,
            LocalRepair repair,
            IntPredicate writable,
            Predicate<RouteAddress> foreign,
            Predicate<RouteAddress> inPlace) {
        this.wanted = wanted;
        this.owners = owners;
        this.repair = repair;
        this.writable = writable;
        this.foreign = foreign;
        this.inPlace = inPlace;
    }

    /** Something changed that matters to any of them. */
    void lookAgain() {
        next = 0;
        adding = false;
    }

    /** Takes in what was read of the kernel: port of each, but for those that changed meanwhile. */
    void kernelHolds(Map<RouteAddress, Integer> read, Set<RouteAddress> changed) {
        RouteBook.takeRead(read, held, changed);
        outdated.retainAll(held.keySet());
        refused.clear();
        lookAgain();
    }

    /**
     * The table is another one, or other alternatives were told.
     *
     * @param before entries until now
     * @param fresh indices that stand for something else
     * @param alternatives as last told
     */
    void table(byte[] before, BitSet fresh, Alternatives alternatives) {
        BitSet changed = (BitSet) fresh.clone();
        byte[] entries = repair.entries();
        for (int index = 0; index < entries.length && before != entries; index++) {
            changed.set(index, changed.get(index) || index >= before.length || before[index] != entries[index]);
        }
        if (repair.isMatching() && (alternatives != told || !changed.isEmpty())) {
            outdated.clear();
            held.keySet().stream().filter(address -> !isAlternative(address)).forEach(outdated::add);
        } else if (!repair.isMatching()) {
            changed.stream()
                    .mapToObj(owners::of)
                    .flatMap(Arrays::stream)
                    .filter(this::holds)
                    .forEach(outdated::add);
        }
        told = alternatives;
        lookAgain();
    }

    private boolean isAlternative(RouteAddress address) {
        int owner = owners.ownerOf(address, repair::hasRoute);
        return owner != RouteOwners.NOBODY && repair.isAlternative(owner, held.getOrDefault(address, NONE));
    }

    /** The kernel took all over a port away; returns for which addresses one stood there. */
    List<RouteAddress> flushed(int port) {
        List<RouteAddress> gone = RouteBook.removeOver(port, held);
        outdated.retainAll(held.keySet());
        lookAgain();
        return gone;
    }

    /** Says which ports carry nothing. */
    void dead(BitSet ports) {
        if (!dead.equals(ports)) {
            dead = (BitSet) ports.clone();
            lookAgain();
        }
    }

    /** Returns whether one stands for an address. */
    boolean holds(RouteAddress address) {
        return held.containsKey(address);
    }

    /** Returns the addresses for which one stands. Read only. */
    Set<RouteAddress> addresses() {
        return held.keySet();
    }

    /** Returns how many the kernel refused since it was read. */
    int refusedCount() {
        return refused.size();
    }

    /** Returns whether the whole table was looked through since something changed. */
    boolean isSettled() {
        return adding && next >= owners.size();
    }

    /** Returns what is to be written next, each once; none: look whether it {@link #isSettled}. */
    List<RouteOp> next(int limit) {
        List<RouteOp> ops = new ArrayList<>();
        for (int looks = 0; looks < LOOKS_MAX && ops.size() < limit && !isSettled(); looks++) {
            if (next >= owners.size()) {
                next = 0;
                adding = true;
            }
            for (RouteAddress address : owners.of(next)) {
                look(next, address, ops);
            }
            next++;
        }
        return ops;
    }

    private void look(int index, RouteAddress address, List<RouteOp> ops) {
        int stands = held.getOrDefault(address, NONE);
        if (adding != (stands == NONE) || !repair.hasRoute(index) || refused.contains(address)) {
            return;
        }
        if (owners.ownerOf(address, repair::hasRoute) != index) {
            return;
        }
        int port = port(index, address, stands);
        if (port == NONE && stands != NONE) {
            ops.add(away(address));
        } else if (port != stands && inPlace.test(address)) {
            RouteOp.Kind kind = stands == NONE ? RouteOp.Kind.ADD : RouteOp.Kind.REPLACE;
            ops.add(RouteOp.standing(kind, address, port));
        }
    }

    private int port(int index, RouteAddress address, int stands) {
        if (!wanted || foreign.test(address)) {
            return NONE;
        }
        int port = repair.portNext(index);
        if (port != NO_ROUTE && writable.test(port)) {
            return port;
        }
        return stands == RouteBook.STRAY || outdated.contains(address) ? NONE : stands;
    }

    /** Returns how one is taken away. */
    RouteOp away(RouteAddress address) {
        return RouteOp.standing(RouteOp.Kind.DELETE, address, held.getOrDefault(address, NONE));
    }

    /** The kernel did it. */
    void done(RouteOp op) {
        outdated.remove(op.address());
        if (op.kind() == RouteOp.Kind.DELETE) {
            held.remove(op.address());
        } else {
            held.put(op.address(), op.port());
        }
    }

    /** The kernel did not. */
    void refused(RouteOp op) {
        refused.add(op.address());
    }

    /** Returns how many stand in the kernel. */
    int heldCount() {
        return held.size();
    }
}
