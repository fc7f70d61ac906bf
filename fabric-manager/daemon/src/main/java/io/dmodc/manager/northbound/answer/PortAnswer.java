package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import io.dmodc.topology.LinkRate;
import org.jspecify.annotations.Nullable;

/**
 * One port of a switch.
 *
 * @param port number on the metal
 * @param leads {@code up}, {@code down}, {@code across} (neither), {@code host} or {@code nowhere}
 * @param up what this end of the cable last said
 * @param live both ends say up, and routes may use the link
 * @param heldDown up on the metal but kept out of the routes because it flapped
 * @param conflict the far end, or another port with the same host, contradicts what this end says
 * @param flaps how often it went down lately
 * @param rate what this end says that its link carries; {@code null}: not known
 * @param slow the link is live, and carries less than most between the same two ranks
 * @param peer the far end, where it is a switch
 * @param host the far end, where it is a host
 */
public record PortAnswer(
        int port,
        String leads,
        boolean up,
        boolean live,
        boolean heldDown,
        boolean conflict,
        int flaps,
        @Nullable String rate,
        boolean slow,
        @Nullable CableEnd peer,
        @Nullable HostEnd host) {

    /**
     * A host at the far end.
     *
     * @param index node index, −1 until the next view is drawn
     */
    public record HostEnd(String guid, String name, int index) {}

    static PortAnswer of(FabricSnapshot fabric, SwitchSnapshot record, int port) {
        boolean conflict = record.disagrees(port);
        LinkRate rate = record.rate(port);
        Neighbour neighbour = conflict ? record.claim(port) : record.neighbour(port);
        return new PortAnswer(
                port,
                leads(fabric.view(), record.guid(), neighbour),
                record.saysUp(port),
                fabric.isLive(record, port),
                record.heldDown(port),
                conflict,
                record.flapCount(port),
                rate == null ? null : rate.toString(),
                record.slow(port) && fabric.isLive(record, port),
                neighbour instanceof ToSwitch to ? CableEnd.of(fabric, to.guid(), to.port()) : null,
                neighbour instanceof ToHost to ? host(fabric.view(), record.guid(), port, to.host()) : null);
    }

    private static HostEnd host(@Nullable FabricView view, long guid, int port, Host host) {
        int s = view == null ? -1 : view.switchOf(guid);
        int node = view == null || s < 0 || port > view.portCount(s) ? -1 : view.peerNode(s, port);
        return new HostEnd(Guid.format(host.portGuid()), host.name(), node);
    }

    /** By rank, so that a dead link keeps its direction. */
    private static String leads(@Nullable FabricView view, long guid, @Nullable Neighbour neighbour) {
        if (neighbour == null) {
            return "nowhere";
        }
        if (!(neighbour instanceof ToSwitch to)) {
            return "host";
        }
        int s = view == null ? -1 : view.switchOf(guid);
        int remote = view == null ? -1 : view.switchOf(to.guid());
        if (view == null || s < 0 || remote < 0) {
            return "across";
        }
        return view.isUp(s, remote) ? "up" : view.isDown(s, remote) ? "down" : "across";
    }
}
