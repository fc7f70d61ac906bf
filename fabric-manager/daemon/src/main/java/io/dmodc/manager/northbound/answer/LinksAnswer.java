package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.SwitchRecord;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Guid;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cables between switches, each once.
 *
 * @param total all cables known, listed or not
 * @param live how many of them are live
 */
public record LinksAnswer(long epoch, int total, int live, List<LinkAnswer> links) {
    /** A part of the list, taken from some of the switches. */
    public record Part(int total, int live, List<LinkAnswer> links) {}

    /**
     * Copies the cables of some switches out; on the loop thread, in O(ports). A cable belongs to the end with the lower GUID, or to
     * the end that speaks of it where the other does not.
     *
     * @param live only live or only dead ones; {@code null} for all
     */
    public static Part part(FabricState state, List<Long> guids, @Nullable Boolean live) {
        List<LinkAnswer> links = new ArrayList<>();
        int total = 0;
        int liveTotal = 0;
        for (long guid : guids) {
            SwitchRecord record = state.findSwitch(guid);
            for (int port = 1; record != null && port <= record.portCount(); port++) {
                if (state.cabling().neighbour(record.guid(), port) instanceof ToSwitch to
                        && owns(state, record.guid(), port, to)) {
                    boolean isLive = state.cabling().isLive(record.guid(), port);
                    total++;
                    liveTotal += isLive ? 1 : 0;
                    if (live == null || live == isLive) {
                        links.add(link(state, record, port, to, isLive));
                    }
                }
            }
        }
        return new Part(total, liveTotal, links);
    }

    private static boolean owns(FabricState state, long guid, int port, ToSwitch to) {
        int order = Long.compareUnsigned(guid, to.guid());
        if (order < 0 || (order == 0 && port <= to.port())) {
            return true;
        }
        SwitchRecord far = state.findSwitch(to.guid());
        boolean farSpeaksOfIt = far != null
                && to.port() <= far.portCount()
                && new ToSwitch(guid, port).equals(state.cabling().neighbour(to.guid(), to.port()));
        return !farSpeaksOfIt;
    }

    private static LinkAnswer link(FabricState state, SwitchRecord record, int port, ToSwitch to, boolean live) {
        CableEnd near = new CableEnd(Guid.format(record.guid()), record.name(), port);
        CableEnd far = CableEnd.of(state, to.guid(), to.port());
        boolean inOrder = Long.compareUnsigned(record.guid(), to.guid()) <= 0;
        return new LinkAnswer(
                inOrder ? near : far,
                inOrder ? far : near,
                live,
                state.heldDown(record.guid(), port) || state.heldDown(to.guid(), to.port()),
                state.unheard(record.guid(), port) || state.unheard(to.guid(), to.port()),
                Math.max(state.flapCount(record.guid(), port), state.flapCount(to.guid(), to.port())));
    }

    /** Puts parts together, in order. */
    public static LinksAnswer of(long epoch, List<Part> parts) {
        List<LinkAnswer> links = new ArrayList<>();
        parts.forEach(part -> links.addAll(part.links));
        return new LinksAnswer(
                epoch,
                parts.stream().mapToInt(Part::total).sum(),
                parts.stream().mapToInt(Part::live).sum(),
                links);
    }
}
