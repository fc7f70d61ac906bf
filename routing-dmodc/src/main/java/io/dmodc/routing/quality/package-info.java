/**
 * Says how evenly forwarding tables, whoever made them, spread traffic: the congestion risk of every port under
 * all-to-all traffic, random permutations and shifts.
 *
 * <p>Entry point: {@link io.dmodc.routing.quality.CongestionRisk}; {@link io.dmodc.routing.quality.PatternRisk},
 * {@link io.dmodc.routing.quality.RiskSeries}, {@link io.dmodc.routing.quality.FlowRisk}, {@link io.dmodc.routing.quality.PortStage} and
 * {@link io.dmodc.routing.quality.PortRisk} are its answers. {@link io.dmodc.routing.quality.CongestionSummary} is a few of
 * its figures for those who compare tables. May depend on {@code io.dmodc.routing},
 * its patterns of traffic and {@code io.dmodc.topology}; must not know any engine, clocks or threads.
 */
@NullMarked
package io.dmodc.routing.quality;

import org.jspecify.annotations.NullMarked;
