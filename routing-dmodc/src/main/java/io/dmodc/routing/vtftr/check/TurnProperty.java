package io.dmodc.routing.vtftr.check;

/** What is proven of tables, one after the other. */
public enum TurnProperty {
    /** Every ordered pair of live leaves is delivered on every choice, unless it is declared to have no route. */
    REACH("P1 reach"),
    /** A pair is declared to have no route only if the rules of the spares cannot serve it. */
    HONEST("P2 honest"),
    /** No packet comes to the same leaf the same way twice; none enters a dead leaf. */
    LOOP_FREE("P3 loop-free"),
    /** Channels, each with its virtual channel, wait for each other in no circle. */
    DEADLOCK_FREE("P4 deadlock-free"),
    /**
     * One routing in a row or column, two over a live corner, three where both corners are known to be dead; at most four
     * when a leaf died unannounced.
     */
    HOPS("P5 hops"),
    /** At most one change of virtual channel. */
    ONE_CHANGE("P6 one change"),
    /** Tables are, entry by entry, those of the rules. */
    STRICT("P7 strict");

    private final String text;

    TurnProperty(String text) {
        this.text = text;
    }

    /** Its number and a word, as reports have it. */
    public String text() {
        return text;
    }
}
