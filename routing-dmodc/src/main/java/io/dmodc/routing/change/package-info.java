/**
 * Changes of tables, proven before they are sent: what may leave at once and what has to wait, so that no packet loops, turns or is lost
 * while some switches forward by the old rows and some by the new.
 *
 * <p>Knows no engine, no time and no wire. Theorems 1 to 3 of docs/algorithms/change.md.
 */
@NullMarked
package io.dmodc.routing.change;

import org.jspecify.annotations.NullMarked;
