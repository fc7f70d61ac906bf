/**
 * What {@code fabricctl report} finds out about a fabric and the page it writes of it.
 *
 * <p>Entry points: {@link io.dmodc.ctl.report.ReportInput} goes in, {@link io.dmodc.ctl.report.ReportAnalysis} finds out,
 * {@link io.dmodc.ctl.report.ReportPage} writes one HTML page that needs nothing from anywhere else. The same input gives
 * the same bytes. Depends on topology and routing, and on {@code io.dmodc.ctl.export} for pods; must not know files, the
 * command line, clocks or a manager.
 */
@NullMarked
package io.dmodc.ctl.report;

import org.jspecify.annotations.NullMarked;
