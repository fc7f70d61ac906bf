package io.dmodc.manager.state;

/**
 * How leader epochs are numbered: a term, which grows with each start and each outbid, and in its lowest bits the number of the
 * manager that has it. So two managers with different numbers never have the same, whatever either knows of the other, and
 * agents compare them as plain numbers. Those of a release before managers had numbers are below any of the next term.
 */
public final class LeaderEpochs {
    /** As many numbers managers can have. */
    public static final int NUMBERS = 1 << 10;

    /** For a manager without one, as of a recording from before: it counts leader epochs one by one. */
    public static final int NO_NUMBER = -1;

    /** No manager's: those begin above. */
    public static final long NOBODY = 0;

    /** Highest leader epoch that agents obey. */
    public static final long MAX = Integer.MAX_VALUE;

    /** Highest leader epoch that a manager takes, as every manager still has one above: it has had 2,097,151 terms. */
    public static final long LAST_OUTBID = (MAX + 1) - NUMBERS - 1;

    private LeaderEpochs() {}

    /**
     * The leader epoch of a start.
     *
     * @param held 0..{@link #LAST_OUTBID}: what was kept of the run before
     * @param number of the manager, 0..{@link #NUMBERS} − 1
     * @throws IllegalArgumentException in one line when what was kept is of the last term that leaves one: kept, the next one would be refused
     */
    public static long ofStart(long held, int number) {
        long next = above(held, number);
        if (next > LAST_OUTBID) {
            throw new IllegalArgumentException("leader epoch " + held
                    + " leaves none for another start; expected below " + (LAST_OUTBID + 1 - NUMBERS));
        }
        return next;
    }

    /**
     * The lowest leader epoch of this manager in the next term, which is above {@code held}.
     *
     * @param held 0..{@link #LAST_OUTBID}, or below {@link #MAX} for a manager without a number
     * @param number of the manager, 0..{@link #NUMBERS} − 1, or {@link #NO_NUMBER}
     */
    public static long above(long held, int number) {
        return number == NO_NUMBER ? held + 1 : (held / NUMBERS + 1) * NUMBERS + number;
    }
}
