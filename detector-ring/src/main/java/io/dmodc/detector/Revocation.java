package io.dmodc.detector;

/**
 * The newest notice that tables below an epoch must not be applied: a pair that only ever grows, compared by leader
 * epoch, then by fabric epoch. (0, 0) revokes nothing.
 */
final class Revocation {
    private long leaderEpoch;
    private long fabricEpoch;

    /** Takes over a higher pair. */
    boolean raise(long leader, long fabric) {
        int order = Long.compareUnsigned(leader, leaderEpoch);
        if (order < 0 || (order == 0 && Long.compareUnsigned(fabric, fabricEpoch) <= 0)) {
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
