package io.dmodc.agent.plane;

import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TableKind;
import io.dmodc.southbound.TableVersion;
import java.util.Arrays;

/**
 * A forwarding table in force.
 *
 * @param version who decided it, for which fabric
 * @param kind what its entries are
 * @param entries output ports, 255: no route; of turns, other things before them; nobody changes the array any more
 */
public record InstalledTable(TableVersion version, TableKind kind, byte[] entries) {
    /** A switch that never got a table. */
    public static final InstalledTable NONE = new InstalledTable(TableVersion.NONE, new byte[0]);

    /** A table of routes: output port by destination index, 255: no route. */
    public InstalledTable(TableVersion version, byte[] entries) {
        this(version, TableKind.ROUTES, entries);
    }

    /** Returns how many destinations it tells of. */
    public int destinationCount() {
        return kind.destinationCount(entries.length);
    }

    /** Returns whether it may lead to a destination: turns also by alternatives alone. */
    public boolean leadsTo(int destination) {
        return destination < destinationCount()
                && (kind == TableKind.TURNS || entries[destination] != SouthboundProtocol.NO_ROUTE);
    }

    /** Returns whether a switch forwards by both alike. */
    public boolean forwardsAs(InstalledTable other) {
        return kind == other.kind && Arrays.equals(entries, other.entries);
    }
}
