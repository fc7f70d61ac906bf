package io.dmodc.detector.peers;

/**
 * The times all systems run with.
 *
 * @param heartbeatMillis η, FD_ALL3's interval, and each period of Pekko
 * @param silenceMillis   δ, FD_ALL3's timeout, and when Pekko's phi reaches its threshold: the silence after which a member is suspected
 * @param verifyMillis    VERIFY_SUSPECT2's timeout; the ring asks for second opinions inside δ and needs none, Pekko has none
 */
record PeerTiming(int heartbeatMillis, int silenceMillis, int verifyMillis) {
    /** That of the acceptance table: FD_ALL3 wants its timeout to be a multiple of its interval. */
    static final PeerTiming STANDARD = new PeerTiming(100, 500, 200);

    /** Up to so many members FD_ALL3's heartbeats, from all to all, leave two cores time for anything else. */
    private static final int MEMBERS_AT_FULL_PACE = 64;

    PeerTiming {
        if (heartbeatMillis <= 0 || silenceMillis <= heartbeatMillis || verifyMillis <= 0) {
            throw new IllegalArgumentException("pace: heartbeat " + heartbeatMillis + " ms, silence " + silenceMillis
                    + " ms, verify " + verifyMillis + " ms, expected all above 0 and silence above heartbeat");
        }
    }

    /**
     * The pace for a group of that size: this one up to 64 members, eight times slower up to 128, by the cube further
     * on, for messages grow with the square and so does the work on each new view of all.
     */
    PeerTiming forMembers(int members) {
        int groups = Math.max(1, (members + MEMBERS_AT_FULL_PACE - 1) / MEMBERS_AT_FULL_PACE);
        int slower = groups * groups * groups;
        return new PeerTiming(heartbeatMillis * slower, silenceMillis * slower, verifyMillis * slower);
    }
}
