package io.dmodc.manager.core;

import io.dmodc.topology.FabricView;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Pairs of a switch with hosts and a destination that have a way by the cables, and none, or maybe none, by what switches hold. Immutable.
 *
 * @param count how many
 * @param first the first of them, {@value #NAMED} at most, by destination
 * @param because switch indices, ascending: they cannot be told anything, or do not take single entries, and may send packets to
 *     destinations of these pairs otherwise than they should
 */
public record LostPairs(long count, List<Pair> first, List<Integer> because) {
    /** Pairs that are kept by name. */
    public static final int NAMED = 8;

    /** All have a way. */
    public static final LostPairs NONE = new LostPairs(0, List.of(), List.of());

    /** Nobody knows, as these tables are not compared with what switches hold that cannot be told anything. */
    public static final LostPairs UNLOOKED = new LostPairs(-1, List.of(), List.of());

    /**
     * One of them.
     *
     * @param from switch index
     * @param node destination index
     */
    public record Pair(int from, int node) {}

    public LostPairs {
        first = List.copyOf(first);
        because = List.copyOf(because);
    }

    /**
     * One line for people.
     *
     * @param view the one whose indices these are
     */
    String text(FabricView view) {
        String pairs = first.stream()
                .map(pair -> view.switchName(pair.from) + " to " + EntryRefusals.name(view, pair.node))
                .collect(Collectors.joining(", "));
        String holders = because.stream().limit(NAMED).map(view::switchName).collect(Collectors.joining(", "));
        return (count == 1 ? "1 pair of a leaf and a host has" : count + " pairs of a leaf and a host have")
                + " no way, or may have none, by the tables of " + holders + more(because.size())
                + ", which cannot be told others: " + pairs + more(count);
    }

    private static String more(long all) {
        return all > NAMED ? " and " + (all - NAMED) + " more" : "";
    }
}
