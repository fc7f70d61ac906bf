package io.dmodc.detector;

/**
 * How little a node should trust itself: a starved process hears late, so it must accuse late.
 *
 * <p>Each late wake-up and each refutation of its own death adds one, each δ without either takes one away. The first is
 * excused otherwise; from the second on δ is stretched, up to twice its length. After Lifeguard (Dadgar, Phillips,
 * Currey, "Lifeguard: Local Health Awareness for More Accurate Failure Detection", DSN 2018), bounded tighter because a
 * stretched δ delays the truth as well.
 */
final class SelfScore {
    static final int MAX = 8;

    private int score;
    private long since;

    void starved(long now) {
        score = Math.min(MAX, score + 1);
        since = now;
    }

    /** Looks whether a quiet δ has passed. */
    void tick(long now, long suspicionNanos) {
        if (score > 0 && now - since >= suspicionNanos) {
            score--;
            since = now;
        }
    }

    long stretched(long nanos) {
        return nanos + nanos * Math.max(0, score - 1) / (MAX - 1);
    }

    int score() {
        return score;
    }
}
