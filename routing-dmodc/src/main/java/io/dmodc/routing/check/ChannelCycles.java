package io.dmodc.routing.check;

import io.dmodc.topology.FabricView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * Finds the tangles among channels: sets of at least two in which each waits, directly or not, for each other (strongly
 * connected components; Tarjan 1972, without recursion). Of each, one circle is told.
 *
 * <p>O(channels + dependencies) time.
 */
final class ChannelCycles {
    private final ChannelDependencies channels;
    private final FabricView view;
    private final int[] order;
    private final int[] low;
    private final boolean[] open;
    private final Deque<Integer> unfinished = new ArrayDeque<>();
    private final List<List<Integer>> tangles = new ArrayList<>();
    private int visited;

    private ChannelCycles(ChannelDependencies channels, FabricView view) {
        this.channels = channels;
        this.view = view;
        this.order = new int[channels.channelCount()];
        this.low = new int[order.length];
        this.open = new boolean[order.length];
    }

    /** All tangles, as a count and a circle of each of the first few. */
    static CheckReport.Failure find(ChannelDependencies channels, FabricView view) {
        ChannelCycles search = new ChannelCycles(channels, view);
        for (int channel = 0; channel < search.order.length; channel++) {
            if (search.order[channel] == 0) {
                search.visitFrom(channel);
            }
        }
        List<String> examples = search.tangles.stream()
                .limit(CheckReport.EXAMPLES_MAX)
                .map(search::tell)
                .toList();
        return new CheckReport.Failure(TableProperty.ACYCLIC_CHANNELS, search.tangles.size(), examples);
    }

    /** A channel on the way down, and how many of its successors were looked at. */
    private static final class Visit {
        final int channel;
        final int[] successors;
        int next;

        Visit(int channel, int[] successors) {
            this.channel = channel;
            this.successors = successors;
        }
    }

    private void visitFrom(int root) {
        Deque<Visit> way = new ArrayDeque<>();
        way.push(enter(root));
        while (!way.isEmpty()) {
            Visit visit = way.element();
            if (visit.next < visit.successors.length) {
                int to = visit.successors[visit.next++];
                if (order[to] == 0) {
                    way.push(enter(to));
                } else if (open[to]) {
                    low[visit.channel] = Math.min(low[visit.channel], order[to]);
                }
            } else {
                way.pop();
                leave(visit.channel);
                if (!way.isEmpty()) {
                    int before = way.element().channel;
                    low[before] = Math.min(low[before], low[visit.channel]);
                }
            }
        }
    }

    private Visit enter(int channel) {
        order[channel] = ++visited;
        low[channel] = visited;
        open[channel] = true;
        unfinished.push(channel);
        return new Visit(channel, channels.successors(channel));
    }

    private void leave(int channel) {
        if (low[channel] != order[channel]) {
            return;
        }
        List<Integer> tangle = new ArrayList<>();
        int member;
        do {
            member = unfinished.pop();
            open[member] = false;
            tangle.add(member);
        } while (member != channel);
        if (tangle.size() > 1) {
            Collections.sort(tangle);
            tangles.add(tangle);
        }
    }

    private String tell(List<Integer> tangle) {
        List<Integer> circle = circle(tangle);
        StringBuilder text = new StringBuilder(tangle.size() + " channels wait for each other: ");
        for (int channel : circle) {
            text.append(name(channel)).append(" → ");
        }
        return text.append(name(circle.get(0))).toString();
    }

    private String name(int channel) {
        return FindingText.name(view, channels.channelSwitch(channel)) + " port " + channels.channelPort(channel);
    }

    /** A shortest circle through the first member. */
    private List<Integer> circle(List<Integer> tangle) {
        int first = tangle.get(0);
        int[] cameFrom = new int[order.length];
        Arrays.fill(cameFrom, -1);
        Deque<Integer> queue = new ArrayDeque<>(List.of(first));
        while (cameFrom[first] < 0) {
            int at = queue.remove();
            for (int to : channels.successors(at)) {
                if (cameFrom[to] < 0 && Collections.binarySearch(tangle, to) >= 0) {
                    cameFrom[to] = at;
                    queue.add(to);
                }
            }
        }
        List<Integer> circle = new ArrayList<>(List.of(first));
        for (int at = cameFrom[first]; at != first; at = cameFrom[at]) {
            circle.add(at);
        }
        Collections.reverse(circle.subList(1, circle.size()));
        return circle;
    }
}
