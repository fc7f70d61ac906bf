/**
 * How evenly the tables in force spread traffic, measured behind the accepted epochs on spare time.
 *
 * <p>Entry points: {@link io.dmodc.manager.congestion.CongestionWorker} measures on a thread of its own;
 * {@link io.dmodc.manager.congestion.CongestionHistory} is what others read. Takes snapshots from the loop, and tells it
 * nothing; must not know HTTP.
 */
@NullMarked
package io.dmodc.manager.congestion;

import org.jspecify.annotations.NullMarked;
