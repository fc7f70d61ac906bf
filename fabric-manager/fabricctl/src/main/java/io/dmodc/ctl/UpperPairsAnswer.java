package io.dmodc.ctl;

import io.dmodc.routing.UpperPairs;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Switches with hosts that no legal path joins, one or both above the leaves, as JSON.
 *
 * @param count ordered pairs
 * @param examples the first of them, each once, those with a cut-off leaf left out
 * @param more pairs behind these
 * @param text the same in one line
 */
record UpperPairsAnswer(long count, List<Pair> examples, long more, String text) {

    record Pair(End upper, End other) {}

    record End(String guid, String name) {}

    /** {@code null} where there are none. */
    static @Nullable UpperPairsAnswer of(FabricView view, UpperPairs pairs) {
        if (pairs.isEmpty()) {
            return null;
        }
        List<Pair> examples = pairs.examples().stream()
                .map(pair -> new Pair(end(view, pair.upper()), end(view, pair.other())))
                .toList();
        return new UpperPairsAnswer(pairs.count(), examples, pairs.more(), pairs.text(s -> name(view, s)));
    }

    private static End end(FabricView view, int s) {
        return new End(Guid.format(view.switchGuid(s)), view.switchName(s));
    }

    private static String name(FabricView view, int s) {
        return view.switchName(s).isBlank() ? Guid.format(view.switchGuid(s)) : view.switchName(s);
    }
}
