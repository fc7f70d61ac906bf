package io.dmodc.topology.ibnet;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.LinkRates;
import io.dmodc.topology.ibnet.NodeBlock.DamagedLine;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes cables of the ends a file names. First every silent end is completed from the other one and every line that
 * contradicts its far end is refused; then each switch port that is left becomes a change of the fabric.
 */
final class CablePairing {
    private final String source;
    private final Map<Long, NodeBlock> switches;
    private final Map<Long, NodeBlock> described;
    private final SkippedLines skipped;
    private final SkippedLines unusableLids = new SkippedLines();
    private final LinkRates rates;
    private final boolean cut;
    private final int lineCount;

    private final FabricViewBuilder fabric = new FabricViewBuilder();
    private final LidMap lids = new LidMap();
    private final Map<Long, NodeBlock> undescribed = new LinkedHashMap<>();
    private final Set<Long> aggregationNodes = new HashSet<>();
    private final Set<Long> hosts = new HashSet<>();
    private final Set<Long> portGuids = new HashSet<>();
    private int hostPortCount;

    /** What host ports have that tell none: it is the same all over a subnet. */
    private int hostLmc;

    private int switchEndCount;
    private int completedEndCount;
    private int loopBackEndCount;

    /** @param cut the file's last line has no line feed, as when the file was truncated */
    CablePairing(
            String source,
            Map<Long, NodeBlock> switches,
            Map<Long, NodeBlock> hosts,
            SkippedLines skipped,
            LinkRates rates,
            boolean cut,
            int lineCount) {
        this.source = source;
        this.switches = switches;
        this.described = hosts;
        this.skipped = skipped;
        this.rates = rates;
        this.cut = cut;
        this.lineCount = lineCount;
    }

    IbnetFabric connect() throws IbnetFormatException {
        findAggregation();
        hostLmc = hostLmc();
        for (NodeBlock node : switches.values()) {
            for (PortLine line : node.lines()) {
                pair(node, line);
            }
        }
        for (NodeBlock node : described.values()) {
            pairHost(node);
        }
        requireHostBlocks();
        requireNothingLost(switches.values());
        requireNothingLost(described.values());
        switches.values().forEach(this::see);
        for (NodeBlock node : switches.values()) {
            for (PortLine line : node.lines()) {
                cable(node, line);
            }
        }
        if (switchEndCount == 0 && hostPortCount == 0) {
            throw new IbnetFormatException(
                    source, lineCount, "no cable in the whole file; expected port lines (is it truncated?)");
        }
        return new IbnetFabric(fabric, lids, summary(), rates);
    }

    private void findAggregation() {
        for (NodeBlock host : described.values()) {
            PortLine line = host.port(1);
            NodeBlock far = line == null || !line.far().isSwitch()
                    ? null
                    : switches.get(line.far().guid());
            if (far != null && host.isInside(far)) {
                host.markAggregation();
            }
        }
    }

    private int hostLmc() {
        int lmc = 0;
        for (NodeBlock host : described.values()) {
            for (PortLine line : host.lines()) {
                lmc = line.lmc() <= LidMap.LMC_MAX ? Math.max(lmc, line.lmc()) : lmc;
            }
        }
        return lmc;
    }

    private void pairHost(NodeBlock host) throws IbnetFormatException {
        for (PortLine line : host.lines()) {
            if (line.far().isSwitch()) {
                pair(host, line);
            } else {
                refuse(host, line, host.id + " is cabled to " + line.far() + "; expected a switch");
            }
        }
    }

    /** Brings a line together with the line of its far end. */
    private void pair(NodeBlock node, PortLine line) throws IbnetFormatException {
        NodeBlock far = far(line);
        if (isAggregation(line)) {
            far.markAggregation();
        }
        if (far == node) {
            boolean alone = far.port(line.farPort()) == null;
            loopBackEndCount += line.port() == line.farPort() || alone ? 2 : 1;
            node.refuse(line);
            if (alone && far.has(line.farPort())) {
                PortLine back = line.reversed(line.far(), "");
                far.complete(back);
                far.refuse(back);
            }
        } else if (!far.has(line.farPort())) {
            refuse(node, line, far.id + ": port " + line.farPort() + " outside 1.." + far.portCount);
        } else {
            matchOrComplete(node, line, far);
        }
    }

    private static boolean isAggregation(PortLine line) {
        return !line.far().isSwitch() && NodeBlock.namesAggregation(line.farName());
    }

    private void matchOrComplete(NodeBlock node, PortLine line, NodeBlock far) {
        PortLine back = far.port(line.farPort());
        if (back == null) {
            far.complete(line.reversed(node.id, node.name));
            completedEndCount += undescribed.containsKey(far.id.guid()) && !far.id.isSwitch() ? 0 : 1;
        } else if (!back.leadsTo(node.id, line.port())) {
            refuse(
                    node,
                    line,
                    node.id + " port " + line.port() + ": " + far.id + " port " + line.farPort()
                            + " names another cable on line " + back.line());
        }
    }

    private NodeBlock far(PortLine line) throws IbnetFormatException {
        NodeBlock far =
                (line.far().isSwitch() ? switches : described).get(line.far().guid());
        if (far != null) {
            return far;
        }
        if (line.far().isSwitch()) {
            throw new IbnetFormatException(
                    source,
                    line.line(),
                    line.far()
                            + " has no block in the file; expected a block for each switch (is the file truncated?)");
        }
        return undescribed.computeIfAbsent(line.far().guid(), guid -> NodeBlock.undescribed(line));
    }

    /**
     * Host blocks follow all switches. So where some are there the switches are complete, and a host without one is
     * known from its switch; where none is, or the last line has no end, the file may have been cut off among them.
     */
    private void requireHostBlocks() throws IbnetFormatException {
        for (NodeBlock host : undescribed.values()) {
            if ((cut || described.isEmpty()) && !host.isAggregation()) {
                throw new IbnetFormatException(
                        source,
                        host.line,
                        host.id + " has no block in the file; expected blocks of hosts after those of the switches"
                                + " (is the file truncated?)");
            }
        }
    }

    /** What a damaged line said is told by the other end of its cable, or the fabric would lack that cable. */
    private void requireNothingLost(Collection<NodeBlock> nodes) throws IbnetFormatException {
        for (NodeBlock node : nodes) {
            DamagedLine lost = node.isAggregation() ? null : node.lost();
            if (lost != null) {
                throw new IbnetFormatException(
                        source, lost.line(), lost.problem() + ", and no other line tells of this cable of " + node.id);
            }
        }
    }

    private void see(NodeBlock node) {
        fabric.apply(new SwitchSeen(node.id.guid(), node.name, node.portCount));
        takeLid(node.id.guid(), node.address.lid(), Math.max(node.address.lmc(), 0), node.line);
    }

    private void cable(NodeBlock node, PortLine line) throws IbnetFormatException {
        if (line.far().isSwitch()) {
            ToSwitch to = new ToSwitch(line.far().guid(), line.farPort());
            fabric.apply(new PortSeen(node.id.guid(), line.port(), true, to));
            switchEndCount++;
        } else {
            cableHost(node, line);
        }
    }

    private void cableHost(NodeBlock node, PortLine line) throws IbnetFormatException {
        NodeBlock host = host(line.far().guid());
        PortLine own = host == null ? null : host.port(line.farPort());
        requireWholeLid(own, line);
        long portGuid = portGuid(line, own);
        if (!portGuids.add(portGuid)) {
            refuse(node, line, "host port " + Guid.format(portGuid) + " is cabled to another switch port already");
            return;
        }
        boolean aggregation = host != null && host.isAggregation();
        (aggregation ? aggregationNodes : hosts).add(line.far().guid());
        hostPortCount += aggregation ? 0 : 1;
        String name = host == null || host.name.isEmpty() ? line.farName() : host.name;
        int lmc = own == null || own.lmc() < 0 ? hostLmc : own.lmc();
        takeLid(portGuid, own == null || !usable(own.lid()) ? line.farLid() : own.lid(), lmc, line.line());
        HostAddresses addresses = HostAddresses.ofLid(lids.lidOf(portGuid));
        Host.Kind kind = aggregation ? Host.Kind.AGGREGATION : Host.Kind.HOST;
        Host seen = new Host(portGuid, line.far().guid(), line.farPort(), name, addresses, kind);
        fabric.apply(new PortSeen(node.id.guid(), line.port(), true, new ToHost(seen)));
    }

    /** A file that ends within an address still has a number there, of which digits may be missing. */
    private void requireWholeLid(@Nullable PortLine own, PortLine far) throws IbnetFormatException {
        if (!cut || own == null || own.line() != lineCount) {
            return;
        }
        if (usable(own.lid()) && usable(far.farLid()) && own.lid() != far.farLid()) {
            throw new IbnetFormatException(
                    source,
                    lineCount,
                    "the file ends within this line, with lid " + own.lid() + " where line " + far.line() + " has "
                            + far.farLid() + "; expected a whole one (is the file truncated?)");
        }
    }

    private static boolean usable(int lid) {
        return lid != LidMap.NONE && lid <= LidMap.LID_MAX;
    }

    private @Nullable NodeBlock host(long guid) {
        NodeBlock block = described.get(guid);
        return block == null ? undescribed.get(guid) : block;
    }

    private static long portGuid(PortLine line, @Nullable PortLine own) {
        if (own != null && own.portGuid() != 0) {
            return own.portGuid();
        }
        return line.farPortGuid() != 0 ? line.farPortGuid() : line.far().guid() + line.farPort() - 1;
    }

    private void takeLid(long guid, int lid, int lmc, int line) {
        if (lid > LidMap.LID_MAX) {
            unusableLids.add(line, "lid " + lid + " of " + Guid.format(guid));
        } else if (lid != LidMap.NONE && !LidMap.isRange(lid, lmc)) {
            skipped.add(
                    line,
                    "lid " + lid + " lmc " + lmc + " of " + Guid.format(guid) + "; expected lmc 0.." + LidMap.LMC_MAX
                            + " and a lid that is a multiple of 2^lmc; taken as missing");
        } else if (!lids.put(guid, lid, lid == LidMap.NONE ? 0 : lmc)) {
            skipped.add(line, "lid " + lid + " of " + Guid.format(guid) + " belongs to another GUID; taken as missing");
        }
    }

    private void refuse(NodeBlock node, PortLine line, String reason) {
        node.refuse(line);
        skipped.add(line.line(), reason);
    }

    private ImportSummary summary() {
        undescribed.values().removeIf(NodeBlock::isAggregation);
        return new ImportSummary(
                source,
                switches.size(),
                hosts.size(),
                hostPortCount,
                switchEndCount / 2,
                aggregationNodes.size(),
                completedEndCount,
                loopBackEndCount / 2,
                undescribed.size(),
                cut,
                unusableLids.count(),
                unusableLids.first(),
                skipped.count(),
                skipped.first());
    }
}
