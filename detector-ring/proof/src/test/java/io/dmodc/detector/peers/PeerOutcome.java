package io.dmodc.detector.peers;

import org.jspecify.annotations.Nullable;

/**
 * What became of one system at one size.
 *
 * @param result null if some trial could not be held
 * @param reason why, if so
 * @param failures trials that could not be held, whether or not another one could
 */
record PeerOutcome(TrialPlan.Contender contender, @Nullable TrialResult result, String reason, int failures) {}
