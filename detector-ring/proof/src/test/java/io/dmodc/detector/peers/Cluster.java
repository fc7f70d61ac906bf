package io.dmodc.detector.peers;

/** Some members of one system in this process, each with its own socket on loopback. Used by one thread. */
interface Cluster extends AutoCloseable {
    /**
     * Brings all members together, with failure detection on.
     *
     * @throws TrialNotRunException if they are not together within the limit
     */
    void form(long limitMillis) throws TrialNotRunException;

    /** From now on the member sends nothing and takes nothing in; its socket stays open and nobody is told. */
    void fallSilent(int member);

    /**
     * Takes a silent member back.
     *
     * @throws TrialNotRunException if not all hold it alive within the limit
     */
    void rejoin(int member, long limitMillis) throws TrialNotRunException;

    /** Messages all members have sent since they started; a multicast counts once. */
    long sent();

    /** Messages all members have received since they started. */
    long received();

    @Override
    void close();
}
