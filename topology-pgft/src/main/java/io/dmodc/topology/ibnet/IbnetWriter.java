package io.dmodc.topology.ibnet;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.LinkRates;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Writes a view as {@code ibnetdiscover} would have printed it: live switches, live links, and the hosts on live
 * switches, with addresses on both ends and a width and speed on each port line, as ibsim wants them.
 *
 * <p>What is not known is filled in: vendor and device are Mellanox's for EDR (that of an aggregation node says what it
 * is, whatever it is called), a link without a rate is 4xEDR. A dead switch
 * and its hosts are not written, because nobody could have discovered them.
 */
public final class IbnetWriter {
    private static final LinkRate USUAL_RATE = new LinkRate(4, LinkRate.Speed.EDR);
    private static final String SWITCH_DEVICE = "0xcf08";
    private static final String HOST_DEVICE = "0x1017";
    private static final String AGGREGATION_DEVICE = "0xcf09";

    private final FabricView view;
    private final LidMap lids;
    private final LinkRates rates;
    private final Appendable out;

    private IbnetWriter(FabricView view, LidMap lids, LinkRates rates, Appendable out) {
        this.view = view;
        this.lids = lids;
        this.rates = rates;
        this.out = out;
    }

    /**
     * Writes all blocks: switches in index order, then hosts in the order of their first node index.
     *
     * @param lids known addresses; missing ones are dealt as {@link LidMap#completedFor} says
     */
    public static void write(FabricView view, LidMap lids, Appendable out) throws IOException {
        write(view, lids, new LinkRates(), out);
    }

    /**
     * The same with the rates of links that are known.
     *
     * @param rates what ports of switches say of their links
     */
    public static void write(FabricView view, LidMap lids, LinkRates rates, Appendable out) throws IOException {
        new IbnetWriter(view, lids.completedFor(view), rates, out).write();
    }

    private void write() throws IOException {
        out.append("#\n# Topology file: ")
                .append(Integer.toString(view.switchCount()))
                .append(" switches, ")
                .append(Integer.toString(view.hostCount()))
                .append(" host ports\n#\n");
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.alive(s)) {
                writeSwitch(s);
            }
        }
        for (List<Integer> nodes : nodesByHost().values()) {
            writeHost(nodes);
        }
    }

    private void writeSwitch(int s) throws IOException {
        long guid = view.switchGuid(s);
        writeKeys(SWITCH_DEVICE, guid);
        out.append("switchguid=")
                .append(Guid.format(guid))
                .append('(')
                .append(Guid.digits(guid))
                .append(")\nSwitch\t");
        out.append(Integer.toString(view.portCount(s)))
                .append(" \"S-")
                .append(Guid.digits(guid))
                .append("\"\t\t# ");
        writeName(view.switchName(s));
        out.append(" base port 0 lid ").append(lid(guid)).append(lmc(guid)).append('\n');
        for (int port = 1; port <= view.portCount(s); port++) {
            if (view.peerSwitch(s, port) >= 0) {
                writeLink(s, port);
            } else if (view.peerNode(s, port) >= 0) {
                writeHostLink(s, port, host(view.peerNode(s, port)));
            }
        }
    }

    private void writeLink(int s, int port) throws IOException {
        int peer = view.peerSwitch(s, port);
        writePort(port);
        out.append("\t\"S-").append(Guid.digits(view.switchGuid(peer))).append('"');
        writePort(view.peerPort(s, port));
        out.append("\t\t# ");
        writeName(view.switchName(peer));
        out.append(" lid ").append(lid(view.switchGuid(peer))).append(rate(s, port));
    }

    private void writeHostLink(int s, int port, Host host) throws IOException {
        writePort(port);
        out.append("\t\"H-").append(Guid.digits(host.hostGuid())).append('"');
        writePort(host.hostPort());
        out.append('(').append(Guid.digits(host.portGuid())).append(") \t\t# ");
        writeName(host.name());
        out.append(" lid ").append(lid(host.portGuid())).append(rate(s, port));
    }

    private Map<Long, List<Integer>> nodesByHost() {
        Map<Long, List<Integer>> nodes = new LinkedHashMap<>();
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.nodeSwitch(node) >= 0 && view.alive(view.nodeSwitch(node))) {
                nodes.computeIfAbsent(host(node).hostGuid(), guid -> new ArrayList<>(1))
                        .add(node);
            }
        }
        return nodes;
    }

    private void writeHost(List<Integer> nodes) throws IOException {
        Host first = host(nodes.get(0));
        int portCount =
                nodes.stream().mapToInt(node -> host(node).hostPort()).max().orElse(1);
        boolean aggregation = first.isAggregation();
        writeKeys(
                aggregation ? AGGREGATION_DEVICE : HOST_DEVICE,
                aggregation ? view.switchGuid(view.nodeSwitch(nodes.get(0))) : first.hostGuid());
        out.append("caguid=").append(Guid.format(first.hostGuid())).append("\nCa\t");
        out.append(Integer.toString(portCount)).append(" \"H-").append(Guid.digits(first.hostGuid()));
        out.append("\"\t\t# ");
        writeName(first.name());
        out.append('\n');
        for (int node : nodes) {
            writeHostPort(node, host(node));
        }
    }

    private void writeHostPort(int node, Host host) throws IOException {
        int s = view.nodeSwitch(node);
        writePort(host.hostPort());
        out.append('(').append(Guid.digits(host.portGuid())).append(") \t\"S-");
        out.append(Guid.digits(view.switchGuid(s))).append('"');
        writePort(view.nodePort(node));
        out.append("\t\t# lid ").append(lid(host.portGuid())).append(lmc(host.portGuid()));
        out.append(' ');
        writeName(view.switchName(s));
        out.append(" lid ").append(lid(view.switchGuid(s))).append(rate(s, view.nodePort(node)));
    }

    /** @param system GUID of the system it is part of */
    private void writeKeys(String device, long system) throws IOException {
        out.append("\nvendid=0x2c9\ndevid=").append(device).append("\nsysimgguid=");
        out.append(Guid.format(system)).append('\n');
    }

    private void writePort(int port) throws IOException {
        out.append('[').append(Integer.toString(port)).append(']');
    }

    /** A line feed in a name would end the line. */
    private void writeName(String name) throws IOException {
        out.append('"');
        for (int i = 0; i < name.length(); i++) {
            out.append(Character.isISOControl(name.charAt(i)) ? ' ' : name.charAt(i));
        }
        out.append('"');
    }

    /** As the port of the switch says, which ends the line. */
    private String rate(int s, int port) {
        return " " + rates.of(view.switchGuid(s), port).orElse(USUAL_RATE) + "\n";
    }

    private String lmc(long guid) {
        return " lmc " + lids.lmcOf(guid);
    }

    private String lid(long guid) {
        return Integer.toString(lids.lidOf(guid));
    }

    private Host host(int node) {
        return Objects.requireNonNull(view.host(node));
    }
}
