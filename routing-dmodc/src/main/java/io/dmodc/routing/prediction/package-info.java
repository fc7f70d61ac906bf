/**
 * Says what an act or a loss would do to a fabric before it happens: who is cut off, what is rewritten and in how many rounds, how
 * congested it gets.
 *
 * <p>Entry point: {@link io.dmodc.routing.prediction.Prediction}, of two {@link io.dmodc.routing.prediction.RoutedFabric}s;
 * {@link io.dmodc.routing.prediction.CongestionChange} costs most and is asked for by itself. May depend on {@code io.dmodc.routing},
 * {@code .check}, {@code .change}, {@code .quality} and {@code io.dmodc.topology}; must not know any engine, clocks or threads.
 */
@NullMarked
package io.dmodc.routing.prediction;

import org.jspecify.annotations.NullMarked;
