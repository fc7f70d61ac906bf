package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.IntentSnapshot;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Guid;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.PortPlace;
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
    /** A cable, and the port it was found at. */
    record Found(long guid, int port, LinkAnswer link) {}

    /**
     * The list of a moment: O(ports). A cable belongs to the end with the lower GUID, or to the end that speaks of it where the
     * other does not.
     *
     * @param after where the list begins
     * @param limit most cables listed
     */
    public static LinksAnswer of(FabricSnapshot fabric, Predicate<LinkAnswer> wanted, LinkPlace after, int limit) {
        List<Found> cables = new ArrayList<>();
        for (SwitchSnapshot near : fabric.switches()) {
            for (int port = 1; port <= near.portCount(); port++) {
                if (near.neighbour(port) instanceof ToSwitch to
                        && owns(fabric, near, port, to)
                        && !forgotten(fabric, near, port, to)) {
                    cables.add(new Found(near.guid(), port, link(fabric, near, port, to)));
                }
            }
        }
        Page<Found> page =
                Page.of(cables.stream().filter(found -> wanted.test(found.link) && after.isBefore(found)), limit);
        Found last = page.last();
        return new LinksAnswer(
                fabric.epoch(),
                cables.size(),
                (int) cables.stream().filter(found -> found.link.live()).count(),
                page.rows().stream().map(Found::link).toList(),
                last == null ? null : new LinkPlace(last.guid, last.port).toString());
    }

    /** A port that is down remembers its last neighbour, also one that was forgotten since. */
    private static boolean forgotten(FabricSnapshot fabric, SwitchSnapshot near, int port, ToSwitch to) {
        return !near.saysUp(port) && fabric.findSwitch(to.guid()) == null && !fabric.expects(to.guid());
    }

    private static boolean owns(FabricSnapshot fabric, SwitchSnapshot near, int port, ToSwitch to) {
        int order = Long.compareUnsigned(near.guid(), to.guid());
        if (order < 0 || (order == 0 && port <= to.port())) {
            return true;
        }
        SwitchSnapshot far = fabric.findSwitch(to.guid());
        return far == null || !new ToSwitch(near.guid(), port).equals(far.neighbour(to.port()));
    }

    private static LinkAnswer link(FabricSnapshot fabric, SwitchSnapshot near, int port, ToSwitch to) {
        CableEnd here = new CableEnd(Guid.format(near.guid()), near.name(), port);
        CableEnd there = CableEnd.of(fabric, to.guid(), to.port());
        SwitchSnapshot far = fabric.findSwitch(to.guid());
        boolean inOrder = Long.compareUnsigned(near.guid(), to.guid()) <= 0;
        boolean live = fabric.isLive(near, port);
        boolean heldDown = near.heldDown(port) || (far != null && far.heldDown(to.port()));
        IntentSnapshot intent = fabric.intent();
        boolean drained = intent.isDrained(new PortPlace(near.guid(), port))
                || intent.isDrained(new PortPlace(to.guid(), to.port()))
                || intent.isDrained(new PortPlace(near.guid(), 0))
                || intent.isDrained(new PortPlace(to.guid(), 0));
        return new LinkAnswer(
                inOrder ? here : there,
                inOrder ? there : here,
                EnumWords.of(LinkAnswer.state(live, heldDown, drained)),
                live,
                heldDown,
                near.unheard(port) || (far != null && far.unheard(to.port())),
                near.disagrees(port),
                Math.max(near.flapCount(port), far == null ? 0 : far.flapCount(to.port())),
                rate(near.rate(port), far == null ? null : far.rate(to.port())),
                live && near.slow(port),
                live && near.leftOut(port));
    }

    private static @Nullable String rate(@Nullable LinkRate near, @Nullable LinkRate far) {
        LinkRate slower = LinkRate.slower(near, far);
        return slower == null ? null : slower.toString();
    }
}
