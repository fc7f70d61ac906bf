/**
 * {@code fabric-manager keys}: certificates for the agents' door, for a site that has no authority of its own.
 *
 * <p>May depend on Bouncy Castle, which nothing else does.
 */
@NullMarked
package io.dmodc.keys;

import org.jspecify.annotations.NullMarked;
