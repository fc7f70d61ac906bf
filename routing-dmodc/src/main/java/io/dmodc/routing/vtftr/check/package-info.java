/**
 * Reads tables in the text form {@code vtftr 1}, whoever wrote them, and says whether packets arrive as the VTFTR paper
 * promises: on every choice among spares, with leaves that die unannounced, and without deadlock.
 *
 * <p>Entry points: {@link io.dmodc.routing.vtftr.check.TurnDumpReader}, {@link io.dmodc.routing.vtftr.check.TurnCheck},
 * {@link io.dmodc.routing.vtftr.check.TurnCheckReport}. May depend on the JDK alone; must not know the engine: a mistake
 * shared with it would go unnoticed.
 */
@NullMarked
package io.dmodc.routing.vtftr.check;

import org.jspecify.annotations.NullMarked;
