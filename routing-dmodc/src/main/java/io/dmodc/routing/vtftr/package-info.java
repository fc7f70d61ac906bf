/**
 * VTFTR: deadlock-free fault-tolerant routing on grids of leaf switches with row and column roots (Liu et al., "VTFTR",
 * Computer Engineering 48(12), 2022; called the VTFTR paper here).
 *
 * <p>Entry points: {@link io.dmodc.routing.vtftr.GridState} reads a view, {@link io.dmodc.routing.vtftr.Vtftr} computes
 * {@link io.dmodc.routing.vtftr.TurnTables}, {@link io.dmodc.routing.vtftr.VtftrRerouter} computes the next ones from the
 * last, {@link io.dmodc.routing.vtftr.TurnDumpWriter} writes them as text. May depend on {@code io.dmodc.topology}; must not
 * know the check of that text.
 */
@NullMarked
package io.dmodc.routing.vtftr;

import org.jspecify.annotations.NullMarked;
