package io.dmodc.agent.linux;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Which interface is which port, and what the ports can do. From any thread.
 *
 * <p>An interface that is renamed is the port of its new name. One that is not there is a port that is down.
 */
final class PortTable {
    /**
     * One port at one moment.
     *
     * @param index the kernel's number of its interface; 0: there is none
     * @param up its interface is there, and up: the kernel takes routes over it
     * @param carrier packets can leave
     * @param usable nobody has said that they get lost
     * @param generation grows whenever the kernel took away the routes over it
     * @param addresses grows whenever its interface got another MAC address: the kernel took away the neighbours
     */
    record Port(int index, boolean up, boolean carrier, boolean usable, int generation, int addresses) {
        static final Port ABSENT = new Port(0, false, false, true, 0, 0);

        /** Returns whether entries should lead over other ports. */
        boolean isDead() {
            return !carrier || !usable;
        }

        boolean isSame(Port other) {
            return index == other.index
                    && up == other.up
                    && carrier == other.carrier
                    && usable == other.usable
                    && generation == other.generation
                    && addresses == other.addresses;
        }
    }

    private final LinuxSettings settings;
    private final Map<Integer, LinkState> byIndex = new HashMap<>();

    /** Interfaces that something was told of since a reading of all began: what was read of them may be older. */
    private final Set<Integer> toldMeanwhile = new HashSet<>();

    private boolean reading;
    private final AtomicReferenceArray<Port> ports;

    PortTable(LinuxSettings settings) {
        this.settings = settings;
        Port[] absent = new Port[settings.portCount() + 1];
        Arrays.fill(absent, Port.ABSENT);
        ports = new AtomicReferenceArray<>(absent);
    }

    /** Waits for nobody. */
    Port port(int number) {
        return ports.get(number);
    }

    /** Returns whether any port has one. */
    boolean hasInterface() {
        for (int number = 1; number <= settings.portCount(); number++) {
            if (port(number).index() != 0) {
                return true;
            }
        }
        return false;
    }

    /** Takes in what is told of one interface, and returns the ports that changed. */
    synchronized BitSet see(LinkState link) {
        if (reading) {
            toldMeanwhile.add(link.index());
        }
        return take(link);
    }

    private BitSet take(LinkState link) {
        BitSet changed = new BitSet();
        LinkState before = byIndex.remove(link.index());
        if (link.there()) {
            byIndex.put(link.index(), before != null && link.mac().isEmpty() ? link.with(before.mac()) : link);
        }
        if (before != null && (!link.there() || !before.name().equals(link.name()))) {
            int port = settings.portOf(before.name());
            if (port > 0 && port(port).index() == link.index()) {
                set(port, new LinkState(0, before.name(), false, false, false, ""), false, changed);
            }
        }
        int port = settings.portOf(link.name());
        if (port > 0 && link.there()) {
            set(port, link, before != null && hasAnotherMac(before, link), changed);
        }
        return changed;
    }

    private static boolean hasAnotherMac(LinkState before, LinkState now) {
        return !before.mac().isEmpty() && !now.mac().isEmpty() && !before.mac().equals(now.mac());
    }

    /** All interfaces are read from now on, until {@link #seeAll}; one reading at a time. */
    synchronized void beginReading() {
        reading = true;
        toldMeanwhile.clear();
    }

    /** Takes all interfaces in, as they were at some time since {@link #beginReading}, and returns the ports that changed. */
    synchronized BitSet seeAll(List<LinkState> links) {
        BitSet changed = new BitSet();
        reading = false;
        Set<Integer> present = new HashSet<>();
        links.forEach(link -> present.add(link.index()));
        List.copyOf(byIndex.values()).stream()
                .filter(link -> !present.contains(link.index()) && !toldMeanwhile.contains(link.index()))
                .forEach(gone -> changed.or(take(new LinkState(gone.index(), gone.name(), false, false, false, ""))));
        links.stream().filter(link -> !toldMeanwhile.contains(link.index())).forEach(link -> changed.or(take(link)));
        return changed;
    }

    private void set(int number, LinkState link, boolean anotherMac, BitSet changed) {
        Port before = port(number);
        boolean flushed = before.up() && (!link.up() || link.index() != before.index());
        Port now = new Port(
                link.index(),
                link.up(),
                link.carrier(),
                before.usable(),
                before.generation() + (flushed ? 1 : 0),
                before.addresses() + (anotherMac ? 1 : 0));
        ports.set(number, now);
        changed.set(number, !now.isSame(before) || changed.get(number));
    }

    /** Somebody who hears hellos says whether packets get through; returns whether that is new. */
    synchronized boolean usable(int number, boolean usable) {
        Port before = port(number);
        ports.set(
                number,
                new Port(
                        before.index(),
                        before.up(),
                        before.carrier(),
                        usable,
                        before.generation(),
                        before.addresses()));
        return before.usable() != usable;
    }
}
