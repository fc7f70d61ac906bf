/**
 * Tables in the forms of OpenSM: as a dump its {@code file} routing engine loads and as it dumps them itself, and a
 * listing for people.
 *
 * <p>Entry points: {@link io.dmodc.routing.opensm.OpenSmDump}, {@link io.dmodc.routing.opensm.Lids},
 * {@link io.dmodc.routing.opensm.LftText}. LIDs exist only here. May depend on {@code io.dmodc.routing} and
 * {@code io.dmodc.topology}; must not know any engine, files or sockets.
 */
@NullMarked
package io.dmodc.routing.opensm;

import org.jspecify.annotations.NullMarked;
