/**
 * Tables in the forms of OpenSM: as a dump its {@code file} routing engine loads and as it dumps them itself, a
 * listing for people, and with the sets of ports for switches that choose by load.
 *
 * <p>Entry points: {@link io.dmodc.routing.opensm.OpenSmDump}, {@link io.dmodc.routing.opensm.Lids},
 * {@link io.dmodc.routing.opensm.LftText}, {@link io.dmodc.routing.opensm.ArGroups}. LIDs exist only here. May depend on {@code io.dmodc.routing} and
 * {@code io.dmodc.topology}; must not know any engine, files or sockets.
 */
@NullMarked
package io.dmodc.routing.opensm;

import org.jspecify.annotations.NullMarked;
