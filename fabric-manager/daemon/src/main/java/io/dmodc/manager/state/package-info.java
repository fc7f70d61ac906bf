/**
 * What survives a restart: {@link io.dmodc.manager.state.StateRecord records}, small and ordered, and the
 * {@link io.dmodc.manager.state.StoredState state} they add up to.
 *
 * <p>Three kinds of values (ADR 0012): <em>intent</em>, what people want; <em>observed</em>, what agents said; <em>identity</em>,
 * what was dealt once and is never dealt again. Pure: no files, no clocks, no threads. The core writes records, the store
 * keeps them.
 */
@NullMarked
package io.dmodc.manager.state;

import org.jspecify.annotations.NullMarked;
