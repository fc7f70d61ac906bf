package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.SwitchRecord;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Guid;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Cables between switches, each once.
 *
 * @param total all cables known, listed or not
 * @param live how many of them are live
 * @param next where the list goes on, when there are more
 */
public record LinksAnswer(
        long epoch,
        int total,
        int live,
        List<LinkAnswer> links,
        @Nullable String next) {
    /** A part of the list, taken from some of the switches, in order. */
    public record Part(int total, int live, List<Found> found) {}

    /** A cable that is wanted, and the port it was found at. */
    public record Found(long guid, int port, LinkAnswer link) {}

    /**
     * Copies the cables of some switches out; on the loop thread, in O(ports). A cable belongs to the end with the lower GUID, or to
     * the end that speaks of it where the other does not.
     */
    public static Part part(FabricState state, List<Long> guids, Predicate<LinkAnswer> wanted) {
        List<Found> found = new ArrayList<>();
        int total = 0;
        int live = 0;
        for (long guid : guids) {
            SwitchRecord record = state.findSwitch(guid);
            for (int port = 1; record != null && port <= record.portCount(); port++) {
                if (state.cabling().neighbour(record.guid(), port) instanceof ToSwitch to
                        && owns(state, record.guid(), port, to)
                        && !forgotten(state, record.guid(), port, to)) {
                    LinkAnswer link = link(state, record, port, to);
                    total++;
                    live += link.live() ? 1 : 0;
                    if (wanted.test(link)) {
                        found.add(new Found(guid, port, link));
                    }
                }
            }
        }
        return new Part(total, live, found);
    }

    /** A port that is down remembers its last neighbour, also one that was forgotten since. */
    private static boolean forgotten(FabricState state, long guid, int port, ToSwitch to) {
        return !state.cabling().saysUp(guid, port)
                && state.findSwitch(to.guid()) == null
                && !state.inventory().hasSwitch(to.guid());
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

    private static LinkAnswer link(FabricState state, SwitchRecord record, int port, ToSwitch to) {
        CableEnd near = new CableEnd(Guid.format(record.guid()), record.name(), port);
        CableEnd far = CableEnd.of(state, to.guid(), to.port());
        boolean inOrder = Long.compareUnsigned(record.guid(), to.guid()) <= 0;
        boolean live = state.cabling().isLive(record.guid(), port);
        boolean heldDown = state.heldDown(record.guid(), port) || state.heldDown(to.guid(), to.port());
        return new LinkAnswer(
                inOrder ? near : far,
                inOrder ? far : near,
                EnumWords.of(LinkAnswer.state(live, heldDown)),
                live,
                heldDown,
                state.unheard(record.guid(), port) || state.unheard(to.guid(), to.port()),
                state.disagrees(record.guid(), port),
                Math.max(state.flapCount(record.guid(), port), state.flapCount(to.guid(), to.port())));
    }

    /** Puts parts together, in order; at most {@code limit} cables that come after {@code after} in it. */
    public static LinksAnswer of(long epoch, List<Part> parts, LinkPlace after, int limit) {
        Page<Found> page = Page.of(
                parts.stream().flatMap(part -> part.found.stream()).filter(found -> after.isBefore(found)), limit);
        Found last = page.last();
        return new LinksAnswer(
                epoch,
                parts.stream().mapToInt(Part::total).sum(),
                parts.stream().mapToInt(Part::live).sum(),
                page.rows().stream().map(Found::link).toList(),
                last == null ? null : new LinkPlace(last.guid, last.port).toString());
    }
}
