/**
 * Says why a table sends packets where it does: the choice there was, the arithmetic that made it, and what another cable's loss
 * would make of it.
 *
 * <p>Entry point: {@link io.dmodc.routing.explanation.RouteExplainer}; {@link io.dmodc.routing.explanation.RouteExplanation} is its
 * answer in numbers, {@link io.dmodc.routing.explanation.ExplanationReport} the same with names, for people and programs. May depend
 * on {@code io.dmodc.routing}, its engine {@code .dmodc} and {@code io.dmodc.topology}; must not know sockets, clocks or threads.
 */
@NullMarked
package io.dmodc.routing.explanation;

import org.jspecify.annotations.NullMarked;
