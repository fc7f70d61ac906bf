/**
 * The demonstration on a simulated InfiniBand subnet: {@code ibsim} with a real {@code opensm} and a manager with its bridge
 * to it in this process.
 *
 * <p>Entry point: {@link io.dmodc.demo.ibsim.IbsimDemo}. Needs three packages of Debian's and installs nothing; may depend on
 * the daemon and all below, must not know the agent.
 */
@NullMarked
package io.dmodc.demo.ibsim;

import org.jspecify.annotations.NullMarked;
