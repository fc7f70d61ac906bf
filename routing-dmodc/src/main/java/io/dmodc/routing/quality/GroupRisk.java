package io.dmodc.routing.quality;

import io.dmodc.routing.Parallel;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Congestion risk when every node of one group sends to every other of another, which may be the same.
 *
 * @param senders nodes of the first group that take part
 * @param receivers nodes of the second that do
 * @param pairs ordered pairs of two nodes
 * @param unroutedPairs those whose route does not arrive; they send nothing
 * @param stages ports between switches, in the order packets meet them
 */
public record GroupRisk(int senders, int receivers, long pairs, long unroutedPairs, List<Stage> stages) {
    private static final int[] NOBODY = {};

    /**
     * The ports of one direction between two ranks.
     *
     * @param risk highest, of {@link CongestionRisk}'s definition
     * @param portsUsed how many carry some of the flows
     */
    public record Stage(PortStage stage, int risk, int portsUsed) {}

    public GroupRisk {
        stages = List.copyOf(stages);
    }

    static GroupRisk of(ArrivingRoutes routes, BitSet from, BitSet to, Parallel parallel, Progress progress) {
        int[] receivers = Arrays.stream(routes.node).filter(to::get).toArray();
        int[] sending = Arrays.stream(routes.node).filter(from::get).toArray();
        int[] senders = new int[routes.hosts.length];
        for (int d : sending) {
            senders[routes.home[d]]++;
        }
        int[] senderSwitches =
                Arrays.stream(routes.source).filter(s -> senders[s] > 0).toArray();
        AllToAll flows = new AllToAll(routes.trees, receivers, senders, parallel, progress);
        routes.trees.forEach(receivers, parallel, flows::counting);
        flows.complete();
        long unrouted = 0;
        long pairs = 0;
        for (int d : receivers) {
            int itself = from.get(d) ? 1 : 0;
            pairs += sending.length - itself;
            for (int s : routes.unroutedPairs() > 0 ? senderSwitches : NOBODY) {
                unrouted += routes.arrives(s, d) ? 0 : senders[s] - (s == routes.home[d] ? itself : 0);
            }
        }
        List<Stage> stages = IntStream.range(0, routes.channels.stages.size())
                .mapToObj(i -> stage(routes.channels, i, flows))
                .toList();
        return new GroupRisk(sending.length, receivers.length, pairs, unrouted, stages);
    }

    private static Stage stage(Channels channels, int i, AllToAll flows) {
        int from = channels.start[i];
        int to = channels.start[i + 1];
        int used = (int) IntStream.range(from, to)
                .filter(channel -> flows.destinations(channel) > 0)
                .count();
        return new Stage(channels.stages.get(i), flows.risk(from, to), used);
    }

    /** Risk of the worst port between switches; 0 if there are no flows through any. */
    public int risk() {
        return stages.stream().mapToInt(Stage::risk).max().orElse(0);
    }

    /** Ports between switches that carry some of the flows. */
    public int portsUsed() {
        return stages.stream().mapToInt(Stage::portsUsed).sum();
    }
}
