package io.dmodc.detector.peers;

import org.jspecify.annotations.Nullable;

/**
 * What became of one system at one size.
 *
 * @param result null if some trial could not be held
 * @param reason why, if so
 */
record Outcome(TrialPlan.Contender contender, @Nullable TrialResult result, String reason) {}
