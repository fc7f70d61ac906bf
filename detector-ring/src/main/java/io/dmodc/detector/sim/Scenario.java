package io.dmodc.detector.sim;

import java.util.Locale;

/** What happens to a calm ring; f is the fault count of the trial. What each does to the ring is in {@link Scripts}. */
public enum Scenario {
    /** One node dies. */
    ONE("one node dies"),
    /** The worst place for f faults. */
    BURST("f neighbours on the ring die at one instant"),
    /** The worst moment for f faults. */
    CASCADE("a node dies, then each observer at the moment it would accuse, f in all"),
    SPREAD("f nodes evenly over the ring die at one instant"),
    POD("all nodes of one failure domain die at one instant; f is the size of a domain"),
    PAUSE("f processes are stopped, each for 0.5 to 5 delta"),
    RESTART("a node dies and comes back in its next incarnation, f rounds"),
    REFUTE("f nodes are cut off, each alone, for 3 delta"),
    SPLIT("one half of the ring is cut off for 5 delta"),
    FLAP("f nodes are stopped for 1.5 delta and killed and started again in turn, 6 times each"),
    STORM("all nodes join at one instant, one in ten late by up to 1.5 delta"),
    REVOKE("one node revokes an epoch, f others die while the news travels");

    private final String description;

    Scenario(String description) {
        this.description = description;
    }

    /** One line without a full stop. */
    public String description() {
        return description;
    }

    /** The name as it is written on a command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** True if every live node can hear every other all the time. */
    boolean isUndisturbed() {
        return isOnlyDeaths() || this == RESTART || this == STORM || this == REVOKE;
    }

    /** True if the faults are deaths that nothing follows, so that the bounds of the sources apply. */
    boolean isOnlyDeaths() {
        return compareTo(POD) <= 0;
    }
}
