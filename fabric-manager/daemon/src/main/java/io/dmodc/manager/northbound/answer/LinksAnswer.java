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
    /**
     * Which cables are listed; {@code null} is any.
     *
     * @param name of a switch at either end
     * @param after where the list begins
     * @param limit most cables listed
     */
    public record Wanted(
            Predicate<String> name,
            LinkAnswer.@Nullable State state,
            @Nullable Boolean live,
            LinkPlace after,
            int limit) {
        private boolean has(FabricSnapshot fabric, Cable cable) {
            return after.isBefore(cable.near.guid(), cable.port)
                    && (live == null || live == cable.live)
                    && (state == null || state == cable.state(fabric))
                    && (name.test(cable.near.name())
                            || name.test(cable.there(fabric).name()));
        }
    }

    /** A cable by the port it was found at. */
    private record Cable(SwitchSnapshot near, int port, ToSwitch to, boolean live) {
        @Nullable
        SwitchSnapshot far(FabricSnapshot fabric) {
            return fabric.findSwitch(to.guid());
        }

        CableEnd there(FabricSnapshot fabric) {
            return CableEnd.of(fabric, to.guid(), to.port());
        }

        boolean heldDown(FabricSnapshot fabric) {
            SwitchSnapshot far = far(fabric);
            return near.heldDown(port) || (far != null && far.heldDown(to.port()));
        }

        LinkAnswer.State state(FabricSnapshot fabric) {
            IntentSnapshot intent = fabric.intent();
            boolean drained = intent.isDrained(new PortPlace(near.guid(), port))
                    || intent.isDrained(new PortPlace(to.guid(), to.port()))
                    || intent.isDrained(new PortPlace(near.guid(), 0))
                    || intent.isDrained(new PortPlace(to.guid(), 0));
            return LinkAnswer.state(live, heldDown(fabric), drained);
        }

        LinkPlace place() {
            return new LinkPlace(near.guid(), port);
        }
    }

    /**
     * The list of a moment: O(ports). A cable belongs to the end with the lower GUID, or to the end that speaks of it where the
     * other does not.
     */
    public static LinksAnswer of(FabricSnapshot fabric, Wanted wanted) {
        List<Cable> cables = new ArrayList<>();
        for (SwitchSnapshot near : fabric.switches()) {
            for (int port = 1; port <= near.portCount(); port++) {
                if (near.neighbour(port) instanceof ToSwitch to
                        && owns(fabric, near, port, to)
                        && !forgotten(fabric, near, port, to)) {
                    cables.add(new Cable(near, port, to, fabric.isLive(near, port)));
                }
            }
        }
        Page<Cable> page = Page.of(cables.stream().filter(cable -> wanted.has(fabric, cable)), wanted.limit);
        Cable last = page.last();
        return new LinksAnswer(
                fabric.epoch(),
                cables.size(),
                (int) cables.stream().filter(Cable::live).count(),
                page.rows().stream().map(cable -> link(fabric, cable)).toList(),
                last == null ? null : last.place().toString());
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

    private static LinkAnswer link(FabricSnapshot fabric, Cable cable) {
        SwitchSnapshot near = cable.near;
        int port = cable.port;
        ToSwitch to = cable.to;
        SwitchSnapshot far = cable.far(fabric);
        CableEnd here = new CableEnd(Guid.format(near.guid()), near.name(), port);
        CableEnd there = cable.there(fabric);
        boolean inOrder = Long.compareUnsigned(near.guid(), to.guid()) <= 0;
        return new LinkAnswer(
                inOrder ? here : there,
                inOrder ? there : here,
                EnumWords.of(cable.state(fabric)),
                cable.live,
                cable.heldDown(fabric),
                near.unheard(port) || (far != null && far.unheard(to.port())),
                near.disagrees(port),
                Math.max(near.flapCount(port), far == null ? 0 : far.flapCount(to.port())),
                rate(near.rate(port), far == null ? null : far.rate(to.port())),
                cable.live && near.slow(port),
                cable.live && near.leftOut(port));
    }

    private static @Nullable String rate(@Nullable LinkRate near, @Nullable LinkRate far) {
        LinkRate slower = LinkRate.slower(near, far);
        return slower == null ? null : slower.toString();
    }
}
