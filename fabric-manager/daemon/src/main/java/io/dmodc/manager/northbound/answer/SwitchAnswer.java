package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.PortPlace;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One switch in a list.
 *
 * @param condition {@code connected}, {@code headless}, {@code dead} or unattached
 * @param forwarding what hellos through it say while it has no agent: {@code unasked}, {@code proved}, {@code untestable} where no
 *     plane carries any, {@code unanswered}, or {@code hung}
 * @param attached false for one that nothing ties to the fabric
 * @param rank distance up from the leaves; left out while unknown
 * @param plane number of the plane it is in, by which port groups are counted; left out for leaves, and where it has none
 * @param cutOff true for a leaf that some other leaf cannot reach
 * @param nodes how many are cabled to it
 * @param firstNode the lowest of their indices; left out without any
 * @param liveLinks live links to other switches, as of the last view drawn
 * @param agent {@code connected}, {@code silent} or {@code gone}
 * @param incarnation how often its agent started, or when; grows with each start
 * @param bypassed routes lead around it, because it is headless and holds a table that no longer fits
 * @param drained routes lead around it, because an operator wants it
 * @param flagged its agent left all pushes of a table unanswered
 * @param ackedEpoch epoch of the table it is known to hold, 0 for none
 * @param upToDate it holds the table it should
 */
public record SwitchAnswer(
        String guid,
        String name,
        String condition,
        String forwarding,
        boolean attached,
        @Nullable Integer rank,
        @Nullable Integer plane,
        boolean leaf,
        boolean cutOff,
        int ports,
        int nodes,
        @Nullable Integer firstNode,
        int liveLinks,
        String agent,
        long incarnation,
        boolean bypassed,
        boolean drained,
        boolean flagged,
        long ackedEpoch,
        boolean upToDate) {

    /** @param cutOff names of the cut-off leaves */
    static SwitchAnswer of(FabricSnapshot fabric, SwitchSnapshot record, Set<String> cutOff) {
        FabricView view = fabric.works();
        int s = view == null ? -1 : view.switchOf(record.guid());
        Place place = view == null || s < 0 ? Place.NONE : Place.of(view, s);
        boolean leaf = view != null && s >= 0 && view.isLeaf(s);
        return new SwitchAnswer(
                Guid.format(record.guid()),
                record.name(),
                EnumWords.of(record.condition()),
                EnumWords.of(record.forwarding()),
                record.condition() != Condition.UNATTACHED,
                place.rank,
                place.plane,
                leaf,
                leaf && cutOff.contains(record.name()),
                record.portCount(),
                place.nodes,
                place.firstNode,
                place.liveLinks,
                agent(record),
                Integer.toUnsignedLong(record.incarnation()),
                record.bypassed(),
                fabric.intent().isDrained(new PortPlace(record.guid(), 0)),
                record.flagged(),
                record.ackedEpoch(),
                record.upToDate());
    }

    private static String agent(SwitchSnapshot record) {
        if (!record.agentConnected()) {
            return "gone";
        }
        return record.agentSilent() ? "silent" : "connected";
    }

    /** What the last view says of a switch. */
    private record Place(
            @Nullable Integer rank,
            @Nullable Integer plane,
            int nodes,
            @Nullable Integer firstNode,
            int liveLinks) {
        static final Place NONE = new Place(null, null, 0, null, 0);

        static Place of(FabricView view, int s) {
            int nodes = 0;
            int first = Integer.MAX_VALUE;
            int liveLinks = 0;
            for (int port = 1; port <= view.portCount(s); port++) {
                int node = view.peerNode(s, port);
                nodes += node >= 0 ? 1 : 0;
                first = node >= 0 ? Math.min(first, node) : first;
                liveLinks += view.peerSwitch(s, port) >= 0 ? 1 : 0;
            }
            int rank = view.rank(s);
            int plane = rank > 0 && view.hasPlanes() ? view.plane(s) : Integer.MAX_VALUE;
            return new Place(
                    rank < 0 ? null : rank,
                    plane == Integer.MAX_VALUE ? null : plane,
                    nodes,
                    nodes == 0 ? null : first,
                    liveLinks);
        }
    }
}
