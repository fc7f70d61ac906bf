package io.dmodc.routing.engines;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/** What of tables can be compared with those of a real {@code opensm}: entries that differ, or a checksum of all. */
final class TableSum {
    private TableSum() {}

    /** CRC-32 of the entries of all live switches, by rows: first to nodes, then to switches. */
    static long of(FabricView view, LftSet nodeTables, LftSet switchTables) {
        CRC32 crc = new CRC32();
        for (int s : liveSwitches(view)) {
            comparedNodes(view).forEach(node -> crc.update(nodeTables.port(s, node)));
            IntStream.range(0, view.switchCount()).forEach(to -> crc.update(switchTables.port(s, to)));
        }
        return crc.getValue();
    }

    /** Entries to nodes and to switches that differ, at the switches asked for. */
    static long differing(
            FabricView view,
            IntPredicate asked,
            LftSet nodes,
            LftSet otherNodes,
            LftSet switches,
            LftSet otherSwitches) {
        long differing = 0;
        for (int s : IntStream.of(liveSwitches(view)).filter(asked).toArray()) {
            differing += comparedNodes(view)
                    .filter(node -> nodes.port(s, node) != otherNodes.port(s, node))
                    .count();
            differing += IntStream.range(0, view.switchCount())
                    .filter(to -> switches.port(s, to) != otherSwitches.port(s, to))
                    .count();
        }
        return differing;
    }

    /** How many entries {@link #differing} looks at. */
    static long entries(FabricView view, IntPredicate asked) {
        return IntStream.of(liveSwitches(view)).filter(asked).count()
                * (comparedNodes(view).count() + view.switchCount());
    }

    static int[] liveSwitches(FabricView view) {
        return IntStream.range(0, view.switchCount()).filter(view::alive).toArray();
    }

    /** Where a host's port has the host's own GUID, ibsim gives it another, and the dump cannot be read. */
    private static IntStream comparedNodes(FabricView view) {
        return IntStream.range(0, view.nodeCount())
                .filter(node -> view.nodeSwitch(node) >= 0 && hasOwnPortGuid(Objects.requireNonNull(view.host(node))));
    }

    private static boolean hasOwnPortGuid(Host host) {
        return host.portGuid() != host.hostGuid();
    }
}
