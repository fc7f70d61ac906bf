package io.dmodc.detector.sim;

import java.util.Locale;

/**
 * What happens to a calm ring; f is the fault count of the trial. What each does to the ring is in
 * {@link ScenarioScripts}.
 */
public enum Scenario {
    /** One node dies. */
    ONE("one node dies"),
    /** The worst place for f faults. */
    BURST("f neighbours on the ring die at one instant"),
    /** The worst moment for f faults. */
    CASCADE("f nodes die, each when it would accuse the one before"),
    SPREAD("f nodes evenly over the ring die at one instant"),
    POD("all f nodes of one failure domain die at one instant"),
    PAUSE("f processes are stopped, each for 0.5 to 5 delta"),
    RESTART("one node dies and comes back, f times"),
    REFUTE("f nodes are cut off, each alone, for 3 delta"),
    DEAF("f nodes hear nobody for a time, but are heard"),
    MUTE("f nodes are heard by nobody for a time, but hear"),
    ISOLATED("f nodes are cut off, each alone, for a time"),
    SPLIT_HALF("one half of the ring is cut off for 5 delta"),
    MIXED_EPOCHS("the ring is drawn anew, f nodes hear of it late; agents beside them die meanwhile"),
    ROLLING_RESTART("all restart, one after the other, some with a lost counter"),
    SWARM("everything at once, by the seed: deaths, restarts, stops, cuts, splits, loss, replays, new epochs"),
    FLAP("f nodes are stopped or killed and started again, 6 times each"),
    STORM("all join at one instant, one in ten up to 1.5 delta late"),
    REVOKE("one node revokes an epoch, f die while the news travels");

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
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** True if every live node can hear every other all the time. */
    boolean isUndisturbed() {
        return isOnlyDeaths() || this == RESTART || this == STORM || this == REVOKE;
    }

    /** True if each thing that happens becomes known before the next thing happens to the same node. */
    boolean isTold() {
        return this != SWARM;
    }

    /** True if nodes only cannot hear, or be heard, for a time: that concerns nobody else. */
    boolean isOneSided() {
        return this == DEAF || this == MUTE || this == ISOLATED;
    }

    /** True if the faults are deaths that nothing follows, so that the bounds of the sources apply. */
    boolean isOnlyDeaths() {
        return compareTo(POD) <= 0;
    }
}
