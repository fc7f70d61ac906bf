/**
 * Reads and writes InfiniBand's text form of a fabric, what {@code ibnetdiscover} prints.
 *
 * <p>Entry points: {@link io.dmodc.topology.ibnet.IbnetReader}, {@link io.dmodc.topology.ibnet.IbnetWriter}, and the
 * {@link io.dmodc.topology.ibnet.LidMap} both share. May depend on {@code io.dmodc.topology} and on files; must not
 * know routing, sockets, clocks or logs: what a reader has to tell stands in its
 * {@link io.dmodc.topology.ibnet.ImportSummary}.
 */
@NullMarked
package io.dmodc.topology.ibnet;

import org.jspecify.annotations.NullMarked;
