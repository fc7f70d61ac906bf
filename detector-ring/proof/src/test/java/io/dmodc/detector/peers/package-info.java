/**
 * The ring beside JGroups FD_ALL3 + VERIFY_SUSPECT2 and a Pekko cluster with an equal budget of silence: kill to
 * all-know, messages and processor time.
 *
 * <p>Entry point: {@link io.dmodc.detector.peers.PeerBenchmark}. May know the detector, its transport, JGroups
 * and Pekko; nothing else may know the last two.
 */
@NullMarked
package io.dmodc.detector.peers;

import org.jspecify.annotations.NullMarked;
