package io.dmodc.routing.check;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.routing.UpperPairs;
import io.dmodc.routing.check.CheckReport.Failure;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Proves tables by input class against the cabling, or says what fails. Nothing is known here of how they are made.
 *
 * <ul>
 *   <li>{@link TableProperty#LIVE_ENTRIES}: every entry leads over a live cable, or at the destination's own leaf to its port.
 *   <li>{@link TableProperty#ACYCLIC_CHANNELS}: each root is of rows or of columns, the same for all its leaves; what came from a row goes on to
 *       columns and what came from a column to rows; and channels are those of the rule, lower ones never after higher ones. So links are taken in
 *       ascending order (row up, row down, column up, column down on channel 0, then on 1), whatever the entries are: also while these tables
 *       and others of the same classes are mixed.
 *   <li>{@link TableProperty#MINIMAL_DELIVERY}: what a leaf sends at all is delivered, over the entries, without the spares; and a pair
 *       is not given up that a single corner would serve.
 *   <li>{@link TableProperty#NO_LOOP}: follows from the ascending order; a packet on its way longer than that allows is told here.
 * </ul>
 *
 * <p>O(nodes · leaves) time, spread over destinations.
 */
public final class TurnTableCheck {
    /** Two links for each of row–column–row–column on either channel, and one more. */
    private static final int LINKS_MAX = 4 * TurnTableSet.CHANNELS + 1;

    private static final int DELIVERED = 0;
    private static final int NOT_SENT = 1;
    private static final int LOST = 2;
    private static final int LOOPING = 3;

    private final FabricView view;
    private final Parallel parallel;
    private final byte[][] entries;
    private final List<Integer> leaves = new ArrayList<>();
    private final Properties properties = new Properties();

    /** By switch, class of input that leaves see what comes from this root as; {@link TurnTableSet#NONE} for other switches. */
    private final int[] rootClass;

    private TurnTableCheck(FabricView view, TurnTableSet tables, Parallel parallel) {
        this.view = view;
        this.parallel = parallel;
        this.entries = new byte[tables.switchCount()][];
        parallel.forEach(entries.length, s -> entries[s] = tables.row(s).toBytes());
        this.rootClass = new int[entries.length];
        for (int target = 0; target < view.leafCount(); target++) {
            if (view.alive(view.targetSwitch(target))) {
                leaves.add(view.targetSwitch(target));
            }
        }
    }

    /** Failures by property, each counted, the first few told. */
    private static final class Properties {
        private final Map<TableProperty, Long> counts = new EnumMap<>(TableProperty.class);
        private final Map<TableProperty, List<String>> examples = new EnumMap<>(TableProperty.class);

        void fail(TableProperty property, String example) {
            counts.merge(property, 1L, Long::sum);
            List<String> told = examples.computeIfAbsent(property, first -> new ArrayList<>());
            if (told.size() < CheckReport.EXAMPLES_MAX) {
                told.add(example);
            }
        }

        List<Failure> failures() {
            List<Failure> failures = new ArrayList<>();
            counts.forEach((property, count) ->
                    failures.add(new Failure(property, count, examples.getOrDefault(property, List.of()))));
            return failures;
        }
    }

    /**
     * Checks tables.
     *
     * @throws IllegalArgumentException if the tables have not one row for each switch and destinations for the nodes of the view
     */
    public static CheckReport check(FabricView view, TurnTableSet tables, Parallel parallel) {
        if (tables.switchCount() != view.switchCount() || tables.nodeCount() != view.nodeCount()) {
            throw new IllegalArgumentException("tables of " + tables.switchCount() + " switches x " + tables.nodeCount()
                    + " nodes; expected " + view.switchCount() + " x " + view.nodeCount());
        }
        return new TurnTableCheck(view, tables, parallel).run();
    }

    private CheckReport run() {
        learnRootClasses();
        long looked = 0;
        for (int s = 0; s < entries.length; s++) {
            if (view.alive(s)) {
                looked += entries[s].length;
                checkHeader(s);
            }
        }
        List<List<String>> dead = new ArrayList<>();
        List<List<String>> turning = new ArrayList<>();
        for (int s = 0; s < entries.length; s++) {
            dead.add(new ArrayList<>());
            turning.add(new ArrayList<>());
        }
        parallel.forEach(entries.length, s -> {
            if (view.alive(s)) {
                checkEntries(s, dead.get(s), turning.get(s));
            }
        });
        dead.forEach(some -> some.forEach(text -> properties.fail(TableProperty.LIVE_ENTRIES, text)));
        turning.forEach(some -> some.forEach(text -> properties.fail(TableProperty.ACYCLIC_CHANNELS, text)));
        BitSet[] missed = deliver();
        checkGivenUp(missed);
        return report(missed, looked);
    }

    private int entry(int s, int index) {
        return entries[s][index] & 0xff;
    }

    private String name(int s) {
        return FindingText.name(view, s);
    }

    private void learnRootClasses() {
        Arrays.fill(rootClass, TurnTableSet.NONE);
        for (int leaf : leaves) {
            for (int port = 1; port <= view.portCount(leaf); port++) {
                int root = view.peerSwitch(leaf, port);
                int inputClass = entry(leaf, port);
                if (root < 0 || inputClass == TurnTableSet.NONE) {
                    continue;
                }
                if (rootClass[root] == TurnTableSet.NONE) {
                    rootClass[root] = inputClass;
                }
                if (rootClass[root] != inputClass || view.isLeaf(root)) {
                    properties.fail(
                            TableProperty.ACYCLIC_CHANNELS,
                            name(leaf) + " port " + port + ": class " + inputClass + " of what comes from " + name(root)
                                    + ", which is of class " + rootClass[root] + " elsewhere or no root");
                }
            }
        }
    }

    private void checkHeader(int s) {
        boolean leaf = view.isLeaf(s);
        if (entry(s, 0) != TurnTableSet.CLASSES || entry(s, TurnTableSet.CHANNEL_MAP - 1) != TurnTableSet.CHANNELS) {
            properties.fail(TableProperty.LIVE_ENTRIES, name(s) + ": no table by input class");
        }
        for (int port = 1; port <= view.portCount(s); port++) {
            int inputClass = entry(s, port);
            boolean expected = inputClass == TurnTableSet.NONE
                    || (inputClass == TurnTableSet.CLASS_HOST
                            ? view.peerNode(s, port) >= 0 || (!leaf && view.peerSwitch(s, port) >= 0)
                            : leaf && inputClass <= TurnTableSet.CLASS_COLUMN && view.peerSwitch(s, port) >= 0);
            if (!expected) {
                properties.fail(
                        TableProperty.ACYCLIC_CHANNELS,
                        name(s) + " port " + port + ": class " + inputClass + " does not fit what is cabled there");
            }
        }
        for (int inputClass = 0; inputClass < TurnTableSet.CLASSES; inputClass++) {
            for (int vc = 0; vc < TurnTableSet.CHANNELS; vc++) {
                int next = entry(s, TurnTableSet.CHANNEL_MAP + TurnTableSet.CHANNELS * inputClass + vc);
                if (next != TurnTableSet.NONE
                        && (next >= TurnTableSet.CHANNELS || next < lowest(leaf, inputClass, vc))) {
                    properties.fail(
                            TableProperty.ACYCLIC_CHANNELS,
                            name(s) + ": class " + inputClass + " on channel " + vc + " goes on on channel " + next);
                }
            }
        }
    }

    /** Lowest channel on which links taken so far are all below those that follow. */
    private static int lowest(boolean leaf, int inputClass, int vc) {
        return leaf && inputClass == TurnTableSet.CLASS_HOST
                ? 0
                : leaf && inputClass == TurnTableSet.CLASS_COLUMN ? vc + 1 : vc;
    }

    private void checkEntries(int s, List<String> dead, List<String> turning) {
        boolean leaf = view.isLeaf(s);
        for (int d = 0; d < view.nodeCount(); d++) {
            boolean own = view.isHost(d) && view.nodeSwitch(d) == s && view.peerNode(s, view.nodePort(d)) == d;
            for (int inputClass = 0; inputClass < TurnTableSet.CLASSES; inputClass++) {
                int port = entry(s, TurnTableSet.entry(inputClass, d));
                int next = port >= 1 && port <= view.portCount(s) ? view.peerSwitch(s, port) : -1;
                boolean right = own
                        ? port == view.nodePort(d)
                        : port == TurnTableSet.NONE || (next >= 0 && view.nodeSwitch(d) != s);
                if (!right) {
                    dead.add(name(s) + " → node " + d + ", class " + inputClass + ": port " + port
                            + (own ? ", and it is at port " + view.nodePort(d) : " leads nowhere"));
                } else if (next >= 0 && !mayTurn(leaf, inputClass, s, port, next)) {
                    turning.add(name(s) + " → node " + d + ": from class " + inputClass + " to port " + port + ", "
                            + name(next));
                }
            }
        }
    }

    private boolean mayTurn(boolean leaf, int inputClass, int s, int port, int next) {
        if (!leaf) {
            return view.isLeaf(next) && inputClass == TurnTableSet.CLASS_HOST;
        }
        int out = entry(s, port);
        return out == rootClass[next]
                && switch (inputClass) {
                    case TurnTableSet.CLASS_HOST -> out == TurnTableSet.CLASS_ROW || out == TurnTableSet.CLASS_COLUMN;
                    case TurnTableSet.CLASS_ROW -> out == TurnTableSet.CLASS_COLUMN;
                    default -> out == TurnTableSet.CLASS_ROW;
                };
    }

    /** Walks every packet; returns by place of a leaf among the live ones the places of those to some host of which it sends nothing. */
    private BitSet[] deliver() {
        int[] placeOf = new int[entries.length];
        for (int i = 0; i < leaves.size(); i++) {
            placeOf[leaves.get(i)] = i;
        }
        BitSet[] notSent = new BitSet[view.nodeCount()];
        int[] lost = new int[view.nodeCount()];
        int[] firstLost = new int[view.nodeCount()];
        int[] looping = new int[view.nodeCount()];
        parallel.forEach(view.nodeCount(), d -> {
            int home = view.nodeSwitch(d);
            if (isAtLiveLeaf(d) && view.peerNode(home, view.nodePort(d)) == d) {
                notSent[d] = new BitSet();
                for (int i = 0; i < leaves.size(); i++) {
                    int end = leaves.get(i) == home ? DELIVERED : walk(leaves.get(i), home, d);
                    notSent[d].set(i, end == NOT_SENT);
                    firstLost[d] = end == LOST && lost[d] == 0 ? leaves.get(i) : firstLost[d];
                    lost[d] += end == LOST ? 1 : 0;
                    looping[d] += end == LOOPING ? 1 : 0;
                }
            }
        });
        BitSet[] missed = new BitSet[leaves.size()];
        Arrays.setAll(missed, i -> new BitSet());
        for (int d = 0; d < notSent.length; d++) {
            int home = view.nodeSwitch(d);
            BitSet of = notSent[d];
            if (of != null) {
                of.stream().forEach(i -> missed[i].set(placeOf[home]));
            }
            for (int i = 0; i < lost[d]; i++) {
                properties.fail(
                        TableProperty.MINIMAL_DELIVERY,
                        name(firstLost[d]) + " → node " + d + ": sent and not delivered");
            }
            for (int i = 0; i < looping[d]; i++) {
                properties.fail(TableProperty.NO_LOOP, "to node " + d + ": more than " + LINKS_MAX + " links");
            }
        }
        return missed;
    }

    /** Hosts at other switches are nobody's destinations in a grid, nor are aggregation nodes. */
    private boolean isAtLiveLeaf(int d) {
        int home = view.nodeSwitch(d);
        return view.isHost(d) && view.isLeaf(home) && view.alive(home);
    }

    private int walk(int source, int home, int d) {
        int at = source;
        int inputClass = TurnTableSet.CLASS_HOST;
        int vc = 0;
        for (int links = 0; links <= LINKS_MAX; links++) {
            int port = entry(at, TurnTableSet.entry(inputClass, d));
            if (port == TurnTableSet.NONE) {
                return links == 0 ? NOT_SENT : LOST;
            }
            if (at == home) {
                return port == view.nodePort(d) ? DELIVERED : LOST;
            }
            int next = port >= 1 && port <= view.portCount(at) ? view.peerSwitch(at, port) : -1;
            vc = entry(at, TurnTableSet.CHANNEL_MAP + TurnTableSet.CHANNELS * inputClass + vc);
            if (next < 0 || vc >= TurnTableSet.CHANNELS) {
                return LOST;
            }
            inputClass = entry(next, view.peerPort(at, port));
            if (inputClass >= TurnTableSet.CLASSES) {
                return LOST;
            }
            at = next;
        }
        return LOOPING;
    }

    /** A pair is not to be given up that is in one line, or of which one corner is alive and joined with both. */
    private void checkGivenUp(BitSet[] missed) {
        BitSet[] byRow = mates(TurnTableSet.CLASS_ROW);
        BitSet[] byColumn = mates(TurnTableSet.CLASS_COLUMN);
        for (int i = 0; i < missed.length; i++) {
            for (int j = missed[i].nextSetBit(0); j >= 0; j = missed[i].nextSetBit(j + 1)) {
                if (byRow[i].intersects(byColumn[j]) || byColumn[i].intersects(byRow[j])) {
                    properties.fail(
                            TableProperty.MINIMAL_DELIVERY,
                            name(leaves.get(i)) + " → " + name(leaves.get(j)) + ": given up, though a corner is alive");
                }
            }
        }
    }

    /** By place of a live leaf, those that share a root of a kind with it, and itself. */
    private BitSet[] mates(int kind) {
        BitSet[] leavesOf = new BitSet[entries.length];
        for (int i = 0; i < leaves.size(); i++) {
            for (int root : rootsOf(leaves.get(i), kind)) {
                leavesOf[root] = leavesOf[root] == null ? new BitSet() : leavesOf[root];
                leavesOf[root].set(i);
            }
        }
        BitSet[] mates = new BitSet[leaves.size()];
        for (int i = 0; i < mates.length; i++) {
            mates[i] = new BitSet();
            mates[i].set(i);
            for (int root : rootsOf(leaves.get(i), kind)) {
                mates[i].or(leavesOf[root]);
            }
        }
        return mates;
    }

    private List<Integer> rootsOf(int leaf, int kind) {
        List<Integer> roots = new ArrayList<>();
        for (int group = view.groupStart(leaf); group < view.groupEnd(leaf); group++) {
            int root = view.groupRemote(group);
            if (rootClass[root] == kind && entry(leaf, view.groupPort(group, 0)) == kind) {
                roots.add(root);
            }
        }
        return roots;
    }

    private CheckReport report(BitSet[] missed, long looked) {
        long unreachable = 0;
        long sent = 0;
        BitSet all = new BitSet();
        all.set(0, missed.length);
        for (BitSet of : missed) {
            unreachable += of.cardinality();
        }
        for (int d = 0; d < view.nodeCount(); d++) {
            sent += isAtLiveLeaf(d) ? leaves.size() : 0;
        }
        List<Integer> cover = missed.length == 0
                ? List.of()
                : CutOffSearch.cover(missed, all).stream()
                        .map(leaves::get)
                        .sorted()
                        .collect(Collectors.toList());
        List<Integer> deadLeaves = new ArrayList<>();
        for (int target = 0; target < view.leafCount(); target++) {
            int s = view.targetSwitch(target);
            if (!view.alive(s)) {
                deadLeaves.add(s);
            }
        }
        deadLeaves.sort(null);
        return new CheckReport(
                view.epoch(), properties.failures(), deadLeaves, cover, unreachable, UpperPairs.NONE, 0, looked, sent);
    }
}
