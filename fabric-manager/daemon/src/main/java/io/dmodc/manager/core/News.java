package io.dmodc.manager.core;

/** What has changed and no computation has seen yet: since when, what came first, how much. The manager's thread owns it. */
final class News {
    private boolean pending;
    private long sinceNanos;
    private String first = "";
    private int count;

    /** How many of them are acts of operators. */
    private int askedFor;

    void add(long nowNanos, String cause) {
        if (!pending) {
            pending = true;
            sinceNanos = nowNanos;
            first = cause;
            count = 0;
            askedFor = 0;
        }
        count++;
    }

    /** News that is no more than what operators asked for. */
    void addAct(long nowNanos, String cause) {
        add(nowNanos, cause);
        askedFor++;
    }

    /** A computation has seen it; what follows speaks of that until more comes. */
    void seen() {
        pending = false;
    }

    boolean pending() {
        return pending;
    }

    /** When the first of it came. */
    long sinceNanos() {
        return sinceNanos;
    }

    boolean isMoreThanOne() {
        return count > 1;
    }

    /** The first cause in words, and how many more there are. */
    String text() {
        return count > 1 ? first + " and " + (count - 1) + " more" : first;
    }

    boolean isOnlyOfActs() {
        return count > 0 && askedFor == count;
    }
}
