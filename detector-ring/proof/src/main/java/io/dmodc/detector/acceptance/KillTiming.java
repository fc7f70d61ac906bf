package io.dmodc.detector.acceptance;

/**
 * What one silent kill took.
 *
 * @param firstNanos from the kill until the first other member knew
 * @param lastNanos  until all others knew; {@link Long#MAX_VALUE} if they did not in time
 * @param lateWakeUps of all members together, meanwhile
 * @param stallNanos longest time this process did not run although it should, meanwhile
 */
record KillTiming(long firstNanos, long lastNanos, long lateWakeUps, long stallNanos) {
    boolean wasPunctual() {
        return lateWakeUps == 0;
    }
}
