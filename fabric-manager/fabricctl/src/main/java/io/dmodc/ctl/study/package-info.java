/**
 * What {@code fabricctl study} evaluates again: the figures of a paper as data, plots and acceptance rows.
 *
 * <p>Entry points: {@link io.dmodc.ctl.study.VtftrStudy} runs simulations and judges them, {@link
 * io.dmodc.ctl.study.DamageStudy} routes damaged fabrics with several engines, {@link io.dmodc.ctl.study.StudyFiles} turns
 * what came of them into CSV and SVG. Depends on topology and routing; must not know
 * files, the command line, clocks or a manager.
 */
@NullMarked
package io.dmodc.ctl.study;

import org.jspecify.annotations.NullMarked;
