package io.dmodc.manager.recording;

import io.dmodc.manager.core.FabricRules;
import io.dmodc.manager.core.RebalanceRule;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.recording.proto.Rules;
import io.dmodc.topology.GroupOrder;
import io.dmodc.topology.NodeTypes;
import io.dmodc.topology.pgft.PgftShape;
import io.dmodc.topology.rates.SlowLinkUse;
import java.util.Arrays;

/** Bounds and waiting times of the core as messages. */
final class RulesCodec {
    private RulesCodec() {}

    static Rules encode(FabricRules rules) {
        PgftShape design = rules.design();
        return Rules.newBuilder()
                .setAckTimeoutNanos(rules.ackTimeoutNanos())
                .setPushTries(rules.pushTries())
                .setDrainNanos(rules.drainNanos())
                .setHoldDownNanos(rules.holdDownNanos())
                .setHoldDownMaxNanos(rules.holdDownMaxNanos())
                .setFlapMemoryNanos(rules.flapMemoryNanos())
                .setSettleNanos(rules.settleNanos())
                .setDiscoveryQuietNanos(rules.discoveryQuietNanos())
                .setDiscoveryTimeoutNanos(rules.discoveryTimeoutNanos())
                .setConnectedPercent(rules.connectedPercent())
                .setMembershipQuietNanos(rules.membershipQuietNanos())
                .setRingSeed(rules.ringSeed())
                .addAllDomains(rules.domains().lines())
                .setPlaneOrder(rules.groupOrder() == GroupOrder.PLANE)
                .addAllNodeTypes(rules.nodeTypes().lines())
                .setDesign(design == null ? "" : design.toString())
                .setRebalance(rules.rebalance().policy().text())
                .setRebalanceBlocks(rules.rebalance().blocksMost())
                .setAvoidSlowLinks(rules.slowLinks() == SlowLinkUse.AVOID)
                .build();
    }

    /** @throws IllegalArgumentException in one line when domains, node types, design or rebalance cannot be read */
    static FabricRules decode(Rules in) {
        return new FabricRules(
                in.getAckTimeoutNanos(),
                in.getPushTries(),
                in.getDrainNanos(),
                in.getHoldDownNanos(),
                in.getHoldDownMaxNanos(),
                in.getFlapMemoryNanos(),
                in.getSettleNanos(),
                in.getDiscoveryQuietNanos(),
                in.getDiscoveryTimeoutNanos(),
                in.getConnectedPercent(),
                in.getMembershipQuietNanos(),
                in.getRingSeed(),
                SwitchDomains.parse("recorded domains", in.getDomainsList()),
                in.getPlaneOrder() ? GroupOrder.PLANE : GroupOrder.GUID,
                NodeTypes.parse("recorded node types", in.getNodeTypesList()),
                in.getDesign().isEmpty() ? null : PgftShape.parse(in.getDesign()),
                rebalance(in),
                in.getAvoidSlowLinks() ? SlowLinkUse.AVOID : SlowLinkUse.IGNORE);
    }

    /** Before entries could be moved there was no word for it. */
    private static RebalanceRule rebalance(Rules in) {
        if (in.getRebalance().isEmpty()) {
            return RebalanceRule.STANDARD;
        }
        return Arrays.stream(RebalanceRule.Policy.values())
                .filter(policy -> policy.text().equals(in.getRebalance()))
                .map(policy -> new RebalanceRule(policy, in.getRebalanceBlocks()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "recorded rebalance '" + in.getRebalance() + "'; expected off, on-demand or quiet"));
    }
}
