package io.dmodc.routing.check;

/** What tables must fulfil, in the order in which a report lists it. */
public enum TableProperty {
    /**
     * A live ranked switch has an entry where a legal path exists and none elsewhere, and every entry of a live switch
     * points to a live link, or at a destination's own switch to its port.
     */
    LIVE_ENTRIES("every entry leads somewhere"),
    /** Every switch with hosts reaches every destination that has a legal path from it, over a shortest such path. */
    MINIMAL_DELIVERY("every pair is delivered over a minimal legal path"),
    /** From no live switch does a packet run in a circle. */
    NO_LOOP("no packet runs in a loop"),
    /** No packet climbs after it descended, or crosses a link that is neither up nor down. */
    NO_DOWN_UP_TURN("no path turns up after going down"),
    /** No circle of links, each waiting for buffers of the next: such a circle can stand still for ever. */
    ACYCLIC_CHANNELS("channel dependencies are acyclic");

    private final String claim;

    TableProperty(String claim) {
        this.claim = claim;
    }

    /** The property as a sentence for people. */
    public String claim() {
        return claim;
    }
}
