package io.dmodc.detector.sim;

/**
 * How long knowledge of one kind took. An episode begins when something becomes true while nothing else of the kind
 * waits to be known, and ends when all live nodes know all of it: f deaths at once are one episode. Durations in
 * nanoseconds.
 */
final class KnowledgeTimes {
    private int count;
    private int known;
    private int pending;
    private long episodeBegan;
    private long longestEpisode;
    private long longestUntilFirst;
    private long longestFromFirst;

    void begins(long now) {
        count++;
        if (pending++ == 0) {
            episodeBegan = now;
        }
    }

    void firstKnown(long nanos) {
        longestUntilFirst = Math.max(longestUntilFirst, nanos);
    }

    void knownToAll(long now, FactSpread fact) {
        known++;
        if (fact.firstKnown() >= 0) {
            longestFromFirst = Math.max(longestFromFirst, now - fact.firstKnown());
        }
        ends(now);
    }

    /** Something newer about the subject is true now. */
    void overtaken(long now) {
        ends(now);
    }

    private void ends(long now) {
        if (--pending == 0) {
            longestEpisode = Math.max(longestEpisode, now - episodeBegan);
        }
    }

    /** How many such things came true. */
    int count() {
        return count;
    }

    /** How many of them became known to all before something newer took their place. */
    int known() {
        return known;
    }

    int pending() {
        return pending;
    }

    /** From the first of an episode coming true until all live nodes know all of it. */
    long longestEpisode() {
        return longestEpisode;
    }

    /** From one coming true until the first node knows it. */
    long longestUntilFirst() {
        return longestUntilFirst;
    }

    /** From the first node that knows it to the last. */
    long longestFromFirst() {
        return longestFromFirst;
    }
}
