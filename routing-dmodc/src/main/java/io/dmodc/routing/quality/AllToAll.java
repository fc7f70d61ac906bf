package io.dmodc.routing.quality;

import io.dmodc.routing.Parallel;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;

/**
 * How many nodes send, and how many are sent to, through each channel when every node of some sends to every other of
 * some.
 *
 * <p>Exact, without walking each of the n² flows, by the {@link RouteTree} of each destination. Each channel of a tree has
 * one destination more, and at least as many sources as there are flows through it. As many as destinations are enough to
 * know its {@link #risk}. Where no tree shows so many, all trees are grown once more, and the switches that send through
 * such a channel are kept as a set.
 *
 * <p>Time: O(nodes × (switches in a tree)), twice if channels are left, and once more for each {@value #SET_BITS} bits of
 * such sets. Memory: per worker 8 bytes a channel, and the sets.
 */
final class AllToAll {
    /** Of the sets of one worker: 16 MiB. */
    private static final int SET_BITS = 1 << 27;

    /** Of so few channels it is looked up which destinations they have: those are far from all. */
    private static final int FEW = 64;

    private final RouteTrees trees;
    private final NodePlaces places;

    /** Nodes that are sent to, by index. */
    private final int[] receivers;

    /** Nodes that send, by switch. */
    private final int[] senders;

    /** At least so many; all, where they are fewer than destinations. */
    private final int[] sources;

    private final int[] destinations;

    /** Switches that send what others sent them. */
    private final boolean[] passes;

    private final Parallel parallel;
    private final Progress progress;
    private int done;

    /**
     * Knows nothing until {@link #counting} has seen the trees of the receivers, and it was {@link #complete completed}.
     *
     * @param receivers node indices, ascending
     * @param senders how many by switch
     */
    AllToAll(RouteTrees trees, int[] receivers, int[] senders, Parallel parallel, Progress progress) {
        this.trees = trees;
        places = trees.places;
        this.receivers = receivers;
        this.senders = senders;
        this.parallel = parallel;
        this.progress = progress;
        sources = new int[places.channels.count()];
        destinations = new int[sources.length];
        passes = new boolean[senders.length];
    }

    /** Counts the trees it sees. */
    RouteTrees.Visitor counting() {
        return new Counting();
    }

    /** After all trees of the receivers were counted: grows them again for the channels whose risk is not known yet. */
    void complete() {
        complete(sources, channel -> passes(channel) && sources[channel] < destinations[channel]);
    }

    int destinations(int channel) {
        return destinations[channel];
    }

    /** Of one port: the smaller of the numbers of sources and of destinations. */
    int risk(int channel) {
        return Math.min(sources[channel], destinations[channel]);
    }

    /** Highest risk of the channels {@code from .. to}. */
    int risk(int from, int to) {
        int risk = 0;
        for (int channel = from; channel < to; channel++) {
            risk = Math.max(risk, risk(channel));
        }
        return risk;
    }

    /**
     * Sources of some channels; of others at least so many. The trees through them are grown once more.
     *
     * @return by channel
     */
    int[] sources(BitSet channels) {
        int[] exact = sources.clone();
        complete(exact, channel -> channels.get(channel) && passes(channel) && destinations[channel] > 0);
        return exact;
    }

    /** False if all its sources are at its switch: then they are known. */
    private boolean passes(int channel) {
        return passes[places.channels.place[channel] >> 8];
    }

    /** What the flows meet: all trees are grown once more. */
    FlowRisk flows() {
        FlowRisk[] met = {FlowRisk.NONE};
        trees.forEach(receivers, parallel, () -> new Meeting(met));
        return met[0];
    }

    /** Counts the destinations of each channel, and the flows of each tree. */
    private final class Counting implements RouteTrees.Visitor {
        private final int[] counted = new int[destinations.length];
        private final int[] most = new int[destinations.length];
        private final boolean[] passing = new boolean[senders.length];

        /** By switch of the tree at hand; 0 in between. */
        private final int[] weight = new int[senders.length];

        /** Destinations that a group sends to by a port: {@code byPort[group << 8 | port]}. */
        private int[] byPort = {};

        @Override
        public void tree(RouteTree tree, int d) {
            int home = places.home[d];
            addSenders(tree, home);
            for (int i = tree.count - 1; i > 0; i--) {
                int s = tree.order[i];
                int flows = weight[s];
                if (flows > 0) {
                    weight[s] = 0;
                    int channel = tree.via[s];
                    counted[channel]++;
                    most[channel] = Math.max(most[channel], flows);
                    send(places.channels.peer[channel], home, flows);
                }
            }
            weight[home] = 0;
        }

        private void addSenders(RouteTree tree, int home) {
            SourceGroups groups = tree.groups();
            boolean alike = groups == tree.alike();
            if (alike && byPort.length < groups.count << 8) {
                byPort = Arrays.copyOf(byPort, groups.count << 8);
            }
            for (int group = 0; group < groups.count; group++) {
                int first = groups.first(group);
                if (!tree.arrives(first)) {
                    continue;
                }
                if (groups.size(group) == 1) {
                    weight[first] += senders[first];
                    continue;
                }
                byPort[group << 8 | tree.port(first)]++;
                int all = 0;
                for (int i = groups.start[group]; i < groups.start[group + 1]; i++) {
                    all += senders[groups.member[i]];
                }
                send(places.channels.peer[tree.via[first]], home, all);
            }
        }

        private void send(int to, int home, int flows) {
            weight[to] += flows;
            passing[to] |= flows > 0 && to != home;
        }

        /** What members of a group send by ports of their own. */
        @Override
        public void spanEnds(RouteTree tree) {
            SourceGroups groups = tree.alike();
            for (int group = 0; group < Math.min(groups.count, byPort.length >> 8); group++) {
                for (int port = 0; port < 256; port++) {
                    int times = byPort[group << 8 | port];
                    if (times > 0) {
                        byPort[group << 8 | port] = 0;
                        for (int i = groups.start[group]; i < groups.start[group + 1]; i++) {
                            count(groups.member[i], port, times);
                        }
                    }
                }
            }
        }

        private void count(int s, int port, int times) {
            if (senders[s] > 0) {
                int channel = places.channels.channel[s << 8 | port];
                counted[channel] += times;
                most[channel] = Math.max(most[channel], senders[s]);
            }
        }

        @Override
        public void end() {
            for (int channel = 0; channel < counted.length; channel++) {
                destinations[channel] += counted[channel];
                sources[channel] = Math.max(sources[channel], most[channel]);
            }
            for (int s = 0; s < passing.length; s++) {
                passes[s] |= passing[s];
            }
            progress.reached(++done, trees.pieces());
        }
    }

    /** Counts the sources of the channels that are open. */
    private void complete(int[] counts, IntPredicate open) {
        BitSet left = new BitSet();
        for (int channel = 0; channel < counts.length; channel++) {
            if (open.test(channel)) {
                left.set(channel);
            }
        }
        int most = Math.max(1, SET_BITS / Math.max(1, places.source.length));
        while (!left.isEmpty()) {
            int[] some = left.stream().limit(most).toArray();
            left.clear(0, some[some.length - 1] + 1);
            countSources(some, counts);
        }
    }

    private void countSources(int[] some, int[] counts) {
        SourceSets sets = new SourceSets(places, some);
        trees.forEach(receiversThrough(some), parallel, () -> sets.new Finding());
        for (int i = 0; i < some.length; i++) {
            counts[some[i]] = sets.count(i, senders);
        }
    }

    private int[] receiversThrough(int[] some) {
        return some.length > FEW
                ? receivers
                : Arrays.stream(receivers)
                        .filter(d -> Arrays.stream(some).anyMatch(channel -> leadsThrough(channel, d)))
                        .toArray();
    }

    private boolean leadsThrough(int channel, int d) {
        int place = places.channels.place[channel];
        return trees.tables.port(place >> 8, d) == (place & 0xff);
    }

    /** Sums up what each flow meets. */
    private final class Meeting implements RouteTrees.Visitor {
        private final FlowRisk[] total;
        private long flows;
        private long riskSum;
        private long shared;

        /** By switch of the tree at hand: the highest risk from there on. */
        private final int[] met = new int[senders.length];

        /**
         * In the span at hand the lowest and the highest risk of the ports of one number of a group, those of members that
         * send, {@code [group << 8 | port]}; 0 where nobody asked yet.
         */
        private int[] lowest = {};

        private int[] highest = {};

        /** Nodes of a group that send; 0 where nobody asked yet. */
        private int[] groupSenders = {};

        Meeting(FlowRisk[] total) {
            this.total = total;
        }

        @Override
        public void tree(RouteTree tree, int d) {
            int home = places.home[d];
            met[home] = 1;
            for (int i = 1; i < tree.count; i++) {
                int s = tree.order[i];
                int channel = tree.via[s];
                met[s] = Math.max(met[places.channels.peer[channel]], risk(channel));
            }
            SourceGroups groups = tree.groups();
            for (int group = 0; group < groups.count; group++) {
                int first = groups.first(group);
                if (!tree.arrives(first)) {
                    continue;
                }
                if (groups.size(group) == 1) {
                    add(senders[first] - (first == home ? 1 : 0), met[first]);
                } else {
                    addGroup(groups, group, tree.port(first), met[places.channels.peer[tree.via[first]]]);
                }
            }
        }

        /** Members one by one only where some of them meet another risk at their port than others, and no higher one behind it. */
        private void addGroup(SourceGroups groups, int group, int port, int behind) {
            int at = group << 8 | port;
            if (at >= lowest.length || lowest[at] == 0) {
                look(groups, group, port);
            }
            if (lowest[at] == highest[at] || behind >= highest[at]) {
                add(groupSenders[group], Math.max(behind, highest[at]));
                return;
            }
            for (int i = groups.start[group]; i < groups.start[group + 1]; i++) {
                add(senders[groups.member[i]], Math.max(behind, riskAt(groups.member[i], port)));
            }
        }

        private void look(SourceGroups groups, int group, int port) {
            if (lowest.length < groups.count << 8) {
                lowest = Arrays.copyOf(lowest, groups.count << 8);
                highest = Arrays.copyOf(highest, lowest.length);
                groupSenders = Arrays.copyOf(groupSenders, groups.count);
            }
            int low = Integer.MAX_VALUE;
            int high = 0;
            int sending = 0;
            for (int i = groups.start[group]; i < groups.start[group + 1]; i++) {
                int s = groups.member[i];
                if (senders[s] > 0) {
                    low = Math.min(low, riskAt(s, port));
                    high = Math.max(high, riskAt(s, port));
                    sending += senders[s];
                }
            }
            lowest[group << 8 | port] = Math.min(low, Math.max(high, 1));
            highest[group << 8 | port] = high;
            groupSenders[group] = sending;
        }

        private int riskAt(int s, int port) {
            return risk(places.channels.channel[s << 8 | port]);
        }

        /** Groups of the next span are others. */
        @Override
        public void spanEnds(RouteTree tree) {
            Arrays.fill(lowest, 0);
        }

        private void add(int count, int risk) {
            flows += count;
            riskSum += (long) count * risk;
            shared += risk >= FlowRisk.SHARED ? count : 0;
        }

        @Override
        public void end() {
            total[0] = total[0].plus(new FlowRisk(flows, riskSum, shared));
        }
    }
}
