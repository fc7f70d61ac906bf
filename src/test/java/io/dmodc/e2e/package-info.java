/**
 * The whole path in one piece: a running manager, agents with switches in memory, real sockets between them.
 *
 * <p>Doors: {@link io.dmodc.e2e.Site} is a fabric of switches in memory, {@link io.dmodc.e2e.Desk} a running manager with
 * somebody who watches it, {@link io.dmodc.e2e.Stranger} a peer that may break the protocol. May know every room by its
 * door; nothing knows this package. Tests wait for conditions, never for a time.
 */
@NullMarked
package io.dmodc.e2e;

import org.jspecify.annotations.NullMarked;
