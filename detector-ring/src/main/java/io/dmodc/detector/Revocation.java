package io.dmodc.detector;

/**
 * The newest notice that tables below an epoch must not be applied: a pair that only ever grows, compared by leader
 * epoch, then by fabric epoch. (0, 0) revokes nothing.
 */
final class Revocation {
    /** Leader epochs are 0..2^31 - 1, fabric epochs 0..2^62, as on the way to the agents. */
    static final long LEADER_MAX = Integer.MAX_VALUE;

    static final long FABRIC_MAX = 1L << 62;

    /** No leader follows another one by more: a number out of the air must not be the last one for ever. */
    static final long LEADER_STEP_MAX = 1 << 22;

    private long leaderEpoch;
    private long fabricEpoch;

    /** Takes over a higher pair, if it can be one. */
    boolean raise(long leader, long fabric) {
        boolean isPlausible = leader >= 0 && leader <= LEADER_MAX && fabric >= 0 && fabric <= FABRIC_MAX;
        if (!isPlausible || (isSet() && leader - leaderEpoch > LEADER_STEP_MAX)) {
            return false;
        }
        if (leader < leaderEpoch || (leader == leaderEpoch && fabric <= fabricEpoch)) {
            return false;
        }
        leaderEpoch = leader;
        fabricEpoch = fabric;
        return true;
    }

    boolean isEqual(long leader, long fabric) {
        return leader == leaderEpoch && fabric == fabricEpoch;
    }

    boolean isSet() {
        return leaderEpoch != 0 || fabricEpoch != 0;
    }

    long leaderEpoch() {
        return leaderEpoch;
    }

    long fabricEpoch() {
        return fabricEpoch;
    }

    /** Its part in the set hash; 0 while it revokes nothing. */
    int share() {
        return isSet() ? (int) (SplitMix64.mix(leaderEpoch ^ SplitMix64.mix(fabricEpoch)) >>> 32) : 0;
    }
}
