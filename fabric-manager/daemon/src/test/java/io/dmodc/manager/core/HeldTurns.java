package io.dmodc.manager.core;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/**
 * Packets through a grid by the tables that its switches hold and the cables as they are, without spares. Pairs are
 * {@code leaf · nodes + node}, leaves by their place in {@link #leaves}. A packet that loops, turns as none may, or changes its channel twice or
 * back fails the test.
 */
final class HeldTurns {
    private static final int LINKS_MAX = 8;

    private final SimulatedFabric fabric;
    private final FabricView view;
    final List<Long> leaves = new ArrayList<>();

    HeldTurns(SimulatedFabric fabric) {
        this.fabric = fabric;
        view = Objects.requireNonNull(fabric.state.snapshot().works());
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.switchName(s).startsWith("leaf")) {
                leaves.add(view.switchGuid(s));
            }
        }
    }

    int leafOf(int pair) {
        return view.switchOf(leaves.get(pair / view.nodeCount()));
    }

    int homeOf(int pair) {
        return view.nodeSwitch(pair % view.nodeCount());
    }

    /** All pairs whose packets arrive. */
    BitSet arriving() {
        BitSet all = new BitSet();
        all.set(0, leaves.size() * view.nodeCount());
        return arriving(all);
    }

    /** Those of some pairs whose packets arrive. */
    BitSet arriving(BitSet pairs) {
        BitSet arriving = new BitSet();
        pairs.stream()
                .filter(pair -> arrives(leaves.get(pair / view.nodeCount()), pair % view.nodeCount()))
                .forEach(arriving::set);
        return arriving;
    }

    private boolean arrives(long leaf, int d) {
        long at = leaf;
        int inputClass = TurnTableSet.CLASS_HOST;
        int channel = 0;
        for (int links = 0; links <= LINKS_MAX; links++) {
            int port = entry(at, TurnTableSet.entry(inputClass, d));
            if (view.switchGuid(view.nodeSwitch(d)) == at) {
                return port == view.nodePort(d);
            }
            if (port < 1
                    || port > fabric.metal.portCount(at)
                    || !fabric.metal.isLive(at, port)
                    || !(fabric.metal.neighbour(at, port) instanceof ToSwitch to)) {
                return false;
            }
            mayTurn(at, inputClass, to.guid());
            int next = entry(at, TurnTableSet.CHANNEL_MAP + TurnTableSet.CHANNELS * inputClass + channel);
            inputClass = entry(to.guid(), to.port());
            if (next >= TurnTableSet.CHANNELS || inputClass >= TurnTableSet.CLASSES) {
                return false;
            }
            if (next < channel) {
                throw new AssertionError(fabric.metal.name(at) + " sends on on a lower channel");
            }
            channel = next;
            at = to.guid();
        }
        throw new AssertionError("a packet from " + fabric.metal.name(leaf) + " to node " + d + " runs in circles");
    }

    /** Rows stay rows: what came from a root of one does not go to another of them. */
    private void mayTurn(long at, int inputClass, long to) {
        String near = fabric.metal.name(at);
        String far = fabric.metal.name(to);
        boolean back = (inputClass == TurnTableSet.CLASS_ROW && far.startsWith("row"))
                || (inputClass == TurnTableSet.CLASS_COLUMN && far.startsWith("column"));
        if (near.startsWith("leaf") && back) {
            throw new AssertionError(near + " sends what came by class " + inputClass + " to " + far);
        }
    }

    private int entry(long guid, int index) {
        byte[] row = fabric.held.getOrDefault(guid, new byte[0]);
        return index < row.length ? Byte.toUnsignedInt(row[index]) : LftSet.NO_ROUTE;
    }

    /** Pairs that arrive whichever of its possible rows each switch has, when a change is planned. */
    static BitSet surelyArriving(Effect.Compute compute, List<Long> leaves) {
        FabricView view = compute.works();
        BitSet arriving = new BitSet();
        for (int d = 0; d < view.nodeCount(); d++) {
            Sure sure =
                    new Sure(compute, d, new byte[view.switchCount() * TurnTableSet.CLASSES * TurnTableSet.CHANNELS]);
            for (int i = 0; i < leaves.size(); i++) {
                int s = view.switchOf(leaves.get(i));
                arriving.set(i * view.nodeCount() + d, view.alive(s) && sure.arrives(s, TurnTableSet.CLASS_HOST, 0));
            }
        }
        return arriving;
    }

    /** @param known by state of a packet to {@code d}: 0 not looked at, 1 it may not arrive, 2 it arrives */
    private record Sure(Effect.Compute compute, int d, byte[] known) {
        boolean arrives(int s, int inputClass, int channel) {
            int state = (s * TurnTableSet.CLASSES + inputClass) * TurnTableSet.CHANNELS + channel;
            if (known[state] == 0) {
                known[state] = 1;
                List<LftRow> rows = rows(s);
                known[state] = (byte)
                        (!rows.isEmpty() && rows.stream().allMatch(row -> passes(s, row, inputClass, channel)) ? 2 : 1);
            }
            return known[state] == 2;
        }

        private List<LftRow> rows(int s) {
            return Objects.requireNonNull(compute.inForce()).rows().get(s);
        }

        private boolean passes(int s, LftRow row, int inputClass, int channel) {
            FabricView view = compute.works();
            if (row.entryCount() <= TurnTableSet.entry(inputClass, d)) {
                return false;
            }
            int port = row.port(TurnTableSet.entry(inputClass, d));
            if (view.nodeSwitch(d) == s) {
                return port == view.nodePort(d);
            }
            int next = port >= 1 && port <= view.portCount(s) ? view.peerSwitch(s, port) : -1;
            int on = row.port(TurnTableSet.CHANNEL_MAP + TurnTableSet.CHANNELS * inputClass + channel);
            return next >= 0
                    && on < TurnTableSet.CHANNELS
                    && !rows(next).isEmpty()
                    && rows(next).stream().allMatch(far -> goesOn(next, far, view.peerPort(s, port), on));
        }

        private boolean goesOn(int s, LftRow row, int port, int channel) {
            int inputClass = port < row.entryCount() ? row.port(port) : TurnTableSet.NONE;
            return inputClass < TurnTableSet.CLASSES && arrives(s, inputClass, channel);
        }
    }
}
