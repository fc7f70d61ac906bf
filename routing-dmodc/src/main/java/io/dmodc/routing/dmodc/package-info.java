/**
 * Dmodc: fault-resilient closed-form routing of fat-trees (Gliksberg et al., "High-Quality Fault
 * Resiliency in Fat-Trees"), strict up–down by default.
 *
 * <p>Entry points: {@link io.dmodc.routing.dmodc.Dmodc}, and {@link io.dmodc.routing.dmodc.CostsAndDividers} for who
 * needs costs or alternative ports. May depend on {@code io.dmodc.topology} and {@code io.dmodc.routing}; must not know
 * other engines, designs, sockets, clocks or logs.
 */
@NullMarked
package io.dmodc.routing.dmodc;

import org.jspecify.annotations.NullMarked;
