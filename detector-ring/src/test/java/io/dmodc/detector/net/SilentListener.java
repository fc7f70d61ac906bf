package io.dmodc.detector.net;

import io.dmodc.detector.RingListener;

/** Hears what a test does not look at. */
final class SilentListener implements RingListener {
    @Override
    public void agentSilent(int subjectSlot, int incarnation, int observerSlot, long silenceNanos, int hops) {}

    @Override
    public void agentAlive(int slot, int incarnation, int hops) {}

    @Override
    public void deaf(boolean isDeaf) {}

    @Override
    public void ownIncarnation(int incarnation) {}

    @Override
    public void revoked(long leaderEpoch, long fabricEpoch, int hops) {}
}
