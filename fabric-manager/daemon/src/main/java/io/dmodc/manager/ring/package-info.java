/**
 * The manager's own place in the heartbeat ring: what the agents flood reaches it without any session, and what it
 * revokes reaches them.
 *
 * <p>Entry point: {@link io.dmodc.manager.ring.ManagerRingMember}. May know {@code io.dmodc.manager.core}, the loop, the detector and
 * its transport; nothing of agents' sessions.
 */
@NullMarked
package io.dmodc.manager.ring;

import org.jspecify.annotations.NullMarked;
