package io.dmodc.manager.core;

import io.dmodc.topology.FabricView;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Pairs that have no way by what switches hold, as people were told of them. Immutable.
 *
 * @param text one line for people; empty when all have a way
 * @param first the first {@value LostPairs#NAMED} of them, by destination; switches by what stays when the view changes
 */
record ToldLostPairs(String text, long count, Set<Pair> first) {
    static final ToldLostPairs NONE = new ToldLostPairs("", 0, Set.of());

    /**
     * One of them.
     *
     * @param from GUID of a switch
     * @param node destination index
     */
    record Pair(long from, int node) {}

    /** @param view the one whose indices these are */
    static ToldLostPairs of(LostPairs lost, FabricView view) {
        Set<Pair> first = lost.first().stream()
                .map(pair -> new Pair(view.switchGuid(pair.from()), pair.node()))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        return lost.count() == 0 ? NONE : new ToldLostPairs(lost.text(view), lost.count(), first);
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Some are lost that were not before. Where there were more than those kept by name, one behind these counts only if there are more than before. */
    boolean hasMoreThan(ToldLostPairs before) {
        int last = before.first.stream().mapToInt(Pair::node).max().orElse(-1);
        boolean allNamed = before.count == before.first.size();
        return count > before.count
                || first.stream().anyMatch(pair -> !before.first.contains(pair) && (allNamed || pair.node < last));
    }
}
