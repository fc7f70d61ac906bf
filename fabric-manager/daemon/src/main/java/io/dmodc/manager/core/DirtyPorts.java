package io.dmodc.manager.core;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ports that must be looked at again, once each: switch by switch in the order in which these were named first, and by
 * number. As {@link DirtySet}, in one bit a port.
 */
final class DirtyPorts {
    /** Looks at one port. */
    interface Visitor {
        void visit(PortPlace port);
    }

    private Map<Long, BitSet> dirty = new LinkedHashMap<>();

    // Who names a port mostly names the next one of the same switch.
    private long lastGuid;
    private @Nullable BitSet last;

    /** A number that no port has names none, whoever says so. */
    void add(long guid, int port) {
        if (port >= 1 && port <= FabricView.PORT_MAX) {
            of(guid).set(port);
        }
    }

    void addAll(Collection<PortPlace> ports) {
        ports.forEach(port -> add(port.guid(), port.port()));
    }

    /** The ports 1 to this number. */
    void addFirst(long guid, int count) {
        if (count > 0) {
            of(guid).set(1, count + 1);
        }
    }

    private BitSet of(long guid) {
        BitSet ports = last;
        if (ports == null || guid != lastGuid) {
            ports = dirty.computeIfAbsent(guid, any -> new BitSet());
            lastGuid = guid;
            last = ports;
        }
        return ports;
    }

    boolean isEmpty() {
        return dirty.isEmpty();
    }

    boolean contains(PortPlace port) {
        BitSet ports = dirty.get(port.guid());
        return ports != null && ports.get(port.port());
    }

    /** Looks at all of them; none may be added meanwhile. */
    void forEach(Visitor visitor) {
        visit(dirty, visitor);
    }

    /** The same, and they are not dirty any more; those added meanwhile are. */
    void takeAll(Visitor visitor) {
        Map<Long, BitSet> taken = dirty;
        clear();
        visit(taken, visitor);
    }

    private static void visit(Map<Long, BitSet> ports, Visitor visitor) {
        ports.forEach((guid, numbers) -> {
            for (int port = numbers.nextSetBit(1); port >= 0; port = numbers.nextSetBit(port + 1)) {
                visitor.visit(new PortPlace(guid, port));
            }
        });
    }

    /** All of them were looked at. */
    void clear() {
        last = null;
        if (!dirty.isEmpty()) {
            dirty = new LinkedHashMap<>();
        }
    }
}
