package io.dmodc.routing.vtftr.check;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * Which channel a packet may hold while it waits for which other (Dally and Seitz 1987). A channel is a cable in one
 * direction with a virtual channel: axis, line, root, place in the line, up or down, channel.
 *
 * <p>Roots with the same entries count as one: what is a circle there is one with that root alone, as a leaf may choose any.
 */
final class ChannelGraph {
    private final int lines;
    private final int roots;
    private final int vcs;
    private final int[][] successors;
    private final int[] successorCount;

    /** @param lines at least as many as there are lines of either axis, and places in a line */
    ChannelGraph(int lines, int roots, int vcs) {
        this.lines = lines;
        this.roots = roots;
        this.vcs = vcs;
        this.successors = new int[2 * lines * lines * roots * 2 * vcs][0];
        this.successorCount = new int[successors.length];
    }

    int channel(Axis axis, int line, int root, int place, boolean up, int vc) {
        return ((((axis.index() * lines + line) * roots + root) * lines + place) * 2 + (up ? 0 : 1)) * vcs + vc;
    }

    void add(int from, int to) {
        int[] known = successors[from];
        int count = successorCount[from];
        for (int i = count - 1; i >= 0; i--) {
            if (known[i] == to) {
                return;
            }
        }
        if (count == known.length) {
            known = Arrays.copyOf(known, Math.max(4, 2 * count));
            successors[from] = known;
        }
        known[count] = to;
        successorCount[from]++;
    }

    /** One circle, as text, or nothing. O(channels + dependencies). */
    List<String> circle() {
        boolean[] left = inCircles();
        for (int channel = 0; channel < left.length; channel++) {
            if (left[channel]) {
                return circleFrom(channel, left);
            }
        }
        return List.of();
    }

    /** Channels that remain when those nobody waits in front of are taken away, again and again. */
    private boolean[] inCircles() {
        int[] waiting = new int[successors.length];
        for (int channel = 0; channel < successors.length; channel++) {
            for (int i = 0; i < successorCount[channel]; i++) {
                waiting[successors[channel][i]]++;
            }
        }
        Deque<Integer> free = new ArrayDeque<>();
        boolean[] left = new boolean[successors.length];
        Arrays.fill(left, true);
        for (int channel = 0; channel < waiting.length; channel++) {
            if (waiting[channel] == 0) {
                free.add(channel);
            }
        }
        while (!free.isEmpty()) {
            int channel = free.remove();
            left[channel] = false;
            for (int i = 0; i < successorCount[channel]; i++) {
                if (--waiting[successors[channel][i]] == 0) {
                    free.add(successors[channel][i]);
                }
            }
        }
        return left;
    }

    /** Each of those that remain has one before it that remains: going back, one comes twice. */
    private List<String> circleFrom(int start, boolean[] left) {
        List<Integer> way = new ArrayList<>();
        int at = start;
        while (!way.contains(at)) {
            way.add(at);
            at = before(at, left);
        }
        List<Integer> circle = new ArrayList<>(way.subList(way.indexOf(at), way.size()));
        circle.add(at);
        Collections.reverse(circle);
        return circle.stream().map(this::name).toList();
    }

    private int before(int channel, boolean[] left) {
        for (int from = 0; from < successors.length; from++) {
            for (int i = 0; left[from] && i < successorCount[from]; i++) {
                if (successors[from][i] == channel) {
                    return from;
                }
            }
        }
        throw new IllegalStateException("nothing waits in front of " + name(channel));
    }

    private String name(int channel) {
        int rest = channel / vcs;
        boolean up = rest % 2 == 0;
        int place = rest / 2 % lines;
        int line = rest / 2 / lines / roots % lines;
        boolean row = rest / 2 / lines / roots / lines == Axis.X.index();
        String leaf = "leaf " + (row ? line + "," + place : place + "," + line);
        String root = (row ? "row " : "column ") + line;
        return (up ? leaf + " to " + root : root + " to " + leaf) + " on " + channel % vcs;
    }
}
