package io.dmodc.detector.peers;

import java.util.List;
import java.util.Locale;

/**
 * What one trial does: one system, one number of members, some kills, then a calm spell.
 *
 * @param contender  which of those compared
 * @param members    2..{@link #MEMBERS_MAX}
 * @param kills      how many members fall silent, one after the other, each back before the next
 * @param calmMillis how long messages and processor time are counted after the last one is back
 * @param seed       of the victims and of the moments between heartbeats at which they fall silent
 */
record TrialPlan(Contender contender, int members, int kills, int calmMillis, long seed, PeerTiming timing) {
    /** More would go so slowly ({@link PeerTiming#forMembers}) that a kill takes minutes. */
    static final int MEMBERS_MAX = 256;

    static final int KILLS_MAX = 1000;

    /** Those that are compared, in turns of this order; {@code label} is what the report calls them, {@code shortName} beside others. */
    enum Contender {
        RING("ring", "ring"),
        FD_ALL3("FD_ALL3+VERIFY_SUSPECT2", "FD_ALL3"),
        PEKKO("Pekko", "Pekko");

        private final String label;
        private final String shortName;

        Contender(String label, String shortName) {
            this.label = label;
            this.shortName = shortName;
        }

        String label() {
            return label;
        }

        String shortName() {
            return shortName;
        }
    }

    TrialPlan {
        check("members", members, 2, MEMBERS_MAX);
        check("kills", kills, 1, KILLS_MAX);
        check("calm ms", calmMillis, 1, 600_000);
    }

    private static void check(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException("peers: " + what + " " + value + ", expected " + min + ".." + max);
        }
    }

    /** The plan as arguments of {@link TrialProcess#main}. */
    List<String> toArguments() {
        return List.of(
                contender.name(),
                Integer.toString(members),
                Integer.toString(kills),
                Integer.toString(calmMillis),
                Long.toString(seed),
                Integer.toString(timing.heartbeatMillis()),
                Integer.toString(timing.silenceMillis()),
                Integer.toString(timing.verifyMillis()));
    }

    static TrialPlan ofArguments(String[] args) {
        return new TrialPlan(
                Contender.valueOf(args[0].toUpperCase(Locale.ROOT)),
                Integer.parseInt(args[1]),
                Integer.parseInt(args[2]),
                Integer.parseInt(args[3]),
                Long.parseLong(args[4]),
                new PeerTiming(Integer.parseInt(args[5]), Integer.parseInt(args[6]), Integer.parseInt(args[7])));
    }
}
