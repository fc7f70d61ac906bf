package io.dmodc.routing.check;

import io.dmodc.topology.FabricView;

/**
 * Whether packets can wait for each other in a circle where switches forward now by one entry, now by another: the dependencies of channels of all
 * that packets of hosts may do, of all columns together (Dally and Seitz). For one thread; O(switches × entries of each) per column.
 */
public final class ChannelUnion {
    private final FabricView view;
    private final ChannelDependencies channels;

    /** Knows nothing yet of what packets do on these links. */
    public ChannelUnion(FabricView view) {
        this.view = view;
        boolean[] source = new boolean[view.switchCount()];
        for (int target = 0; target < view.targetCount(); target++) {
            int s = view.targetSwitch(target);
            source[s] = view.alive(s);
        }
        channels = new ChannelDependencies(new PortPeers(view), source);
    }

    /**
     * Adds what packets of one column may do.
     *
     * @param turns false if it is known that none turns from down to up, or stays in its rank, whatever the entries say
     * @param entries one array for each entry that a switch may have; by switch, unsigned
     */
    public void add(boolean turns, byte[]... entries) {
        channels.add(turns, entries);
    }

    /** Adds whatever packets may do that climb, then descend, in any column: O(ports²) of each switch. */
    public void addAllClimbs() {
        channels.addAllClimbs();
    }

    /** A circle of channels in which each waits for the next, for people; empty if there is none. */
    public String circle() {
        CheckReport.Failure found = ChannelCycles.find(channels, view);
        return found.examples().isEmpty() ? "" : found.examples().get(0);
    }
}
