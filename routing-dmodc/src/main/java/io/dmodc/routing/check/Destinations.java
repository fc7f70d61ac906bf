package io.dmodc.routing.check;

import io.dmodc.topology.FabricView;
import java.util.BitSet;
import java.util.Comparator;

/** The columns of a table as packets see them: where each destination is at present, and who sends to it. */
final class Destinations {
    /** Switch of each destination, −1 if that is dead or the destination nowhere. */
    final int[] home;

    final int[] exit;
    final boolean[] source;
    private final ColumnHomes columns;
    private final String kind;

    /**
     * Hosts and aggregation nodes; sources are the live switches that hosts are cabled to, and live leaves. What aggregation
     * nodes on spines would send is not looked at: engines that know no ranks turn it upwards on any fabric.
     */
    static Destinations nodes(FabricView view, ColumnHomes columns) {
        boolean[] source = new boolean[view.switchCount()];
        for (int target = 0; target < view.hostTargetCount(); target++) {
            int s = view.targetSwitch(target);
            source[s] = view.alive(s) && view.rank(s) >= 0;
        }
        return new Destinations("node ", view, columns, source);
    }

    /** Switches themselves, at port 0; every live one is a source. */
    static Destinations switches(FabricView view, ColumnHomes columns) {
        boolean[] source = new boolean[view.switchCount()];
        for (int s = 0; s < source.length; s++) {
            source[s] = view.alive(s) && view.rank(s) >= 0;
        }
        return new Destinations("switch ", view, columns, source);
    }

    private Destinations(String kind, FabricView view, ColumnHomes columns, boolean[] source) {
        this.kind = kind;
        this.columns = columns;
        this.source = source;
        home = new int[columns.count()];
        exit = new int[home.length];
        for (int d = 0; d < home.length; d++) {
            int s = columns.home(d) < 0 ? -1 : columns.homeSwitch(columns.home(d));
            home[d] = s >= 0 && view.alive(s) ? s : -1;
            exit[d] = columns.exit(d);
        }
    }

    /** Columns in the order in which a report tells of them: home by home, then what is nowhere. */
    int[] ordered(BitSet some) {
        return some.stream()
                .boxed()
                .sorted(Comparator.comparing(this::place))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private int place(int d) {
        return home[d] < 0 ? columns.homeCount() : columns.home(d);
    }

    /** A destination as people call it. */
    String name(FabricView view, int d) {
        return kind + (kind.equals("node ") ? Integer.toString(d) : FindingText.name(view, d));
    }
}
