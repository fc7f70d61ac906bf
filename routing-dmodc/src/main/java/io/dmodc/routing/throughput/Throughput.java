package io.dmodc.routing.throughput;

import io.dmodc.routing.traffic.Endpoints;
import io.dmodc.routing.traffic.TrafficPattern;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What tables carry under a pattern, as flows without queues: exact.
 *
 * <p>A flow goes the way of its packets; each link carries 1; rates are max-min fair: none can grow without another,
 * not larger one shrinking. In uniform traffic a source has a flow to each other node, and what one of them cannot send
 * does not hold up the others. Rates are of what a node's link carries; what does not arrive has rate 0.
 *
 * @param pattern name of the pattern
 * @param offered what each source asks for
 * @param flows how many there are: ordered pairs of nodes, of them {@code unroutedFlows} whose packets do not arrive
 * @param maxChannelLoad what the fullest channel between switches would bear if all sources sent at rate 1, of what it
 *     carries
 * @param mean rate of a source, mean of all
 * @param min rate of the source that sends least
 */
public record Throughput(
        String pattern,
        Fraction offered,
        long flows,
        long unroutedFlows,
        Fraction maxChannelLoad,
        Fraction mean,
        Fraction min) {

    /**
     * Counts loads and fills them up.
     *
     * @param nodes the same that {@code pattern} is of
     * @param offered in (0, 1]
     * @throws IllegalArgumentException in one line, if the pattern is of another number of nodes, has too many flows, or
     *     {@code offered} is outside its range
     */
    public static Throughput of(Endpoints nodes, TrafficPattern pattern, FlowRoutes routes, Fraction offered) {
        if (pattern.nodes() != nodes.count()) {
            throw new IllegalArgumentException("pattern of " + pattern.nodes() + " nodes; expected " + nodes.count());
        }
        if (offered.compareTo(Fraction.ZERO) <= 0 || offered.compareTo(Fraction.ONE) > 0) {
            throw new IllegalArgumentException("offered load " + offered + "; expected more than 0 and at most 1");
        }
        FlowGroups flows = new FlowGroups(nodes, pattern, routes);
        Fraction[] rates = rates(nodes, pattern, flows, new ProgressiveFilling(flows, offered));
        Fraction sum = Arrays.stream(rates).reduce(Fraction.ZERO, Fraction::plus);
        long most = Arrays.stream(flows.loads()).max().orElse(0);
        return new Throughput(
                pattern.name(),
                offered,
                pattern.isUniform() ? (long) nodes.count() * (nodes.count() - 1) : nodes.count(),
                flows.unroutedFlows(),
                Fraction.of(most, flows.capacity),
                sum.over(Math.max(1, rates.length)),
                Arrays.stream(rates).reduce(Fraction::min).orElse(Fraction.ZERO));
    }

    /** The highest rate of all sources at which no channel between switches is more than full; at most 1. */
    public Fraction saturation() {
        return maxChannelLoad.compareTo(Fraction.ONE) <= 0 ? Fraction.ONE : maxChannelLoad.inverse();
    }

    /** Rate of each position. */
    private static Fraction[] rates(
            Endpoints nodes, TrafficPattern pattern, FlowGroups flows, ProgressiveFilling filled) {
        Fraction[] rates = new Fraction[nodes.count()];
        if (!pattern.isUniform()) {
            Arrays.setAll(rates, i -> rate(flows, filled, i));
            return rates;
        }
        Fraction[] ofSwitch = IntStream.range(0, flows.source.length)
                .mapToObj(i -> sum(flows, filled, i * nodes.count(), (i + 1) * nodes.count()))
                .toArray(Fraction[]::new);
        Arrays.setAll(rates, d -> {
            int i = Arrays.binarySearch(flows.source, nodes.home(d));
            Fraction own = rate(flows, filled, i * nodes.count() + d);
            return ofSwitch[i].minus(own).over(flows.perSource);
        });
        return rates;
    }

    private static Fraction rate(FlowGroups flows, ProgressiveFilling filled, int group) {
        return flows.unrouted.get(group) ? Fraction.ZERO : filled.levels().get(filled.levelOf(group));
    }

    /** The rates of one flow each of neighbouring groups: counted by level first, since there are few of them. */
    private static Fraction sum(FlowGroups flows, ProgressiveFilling filled, int from, int to) {
        List<Fraction> levels = filled.levels();
        int[] count = new int[levels.size()];
        for (int group = from; group < to; group++) {
            if (!flows.unrouted.get(group)) {
                count[filled.levelOf(group)]++;
            }
        }
        Fraction sum = Fraction.ZERO;
        for (int level = 0; level < count.length; level++) {
            sum = count[level] == 0 ? sum : sum.plus(levels.get(level).times(count[level]));
        }
        return sum;
    }
}
