/**
 * The whole path in one piece: a running manager, agents with switches in memory, real sockets between them.
 *
 * <p>Entry points: {@link io.dmodc.e2e.Site} is a fabric of switches in memory, {@link io.dmodc.e2e.RunningManager} a running manager with
 * somebody who watches it, {@link io.dmodc.e2e.RawPeer} a peer that may break the protocol, {@link io.dmodc.e2e.PythonAgent} one that keeps
 * it and shares no code with it. May know every package by its
 * entry point; nothing knows this package. Tests wait for conditions, never for a time.
 */
@NullMarked
package io.dmodc.e2e;

import org.jspecify.annotations.NullMarked;
