/**
 * The core: the only place where the manager's state changes, as a pure step.
 *
 * <p>Entry points: {@link io.dmodc.manager.core.FabricStep} takes a {@link io.dmodc.manager.core.FabricEvent} and the
 * {@link io.dmodc.manager.core.FabricState}, changes the state and says which {@link io.dmodc.manager.core.Effect}s
 * the shell must perform. Same state and same events give the same effects. May depend on topology and routing; must
 * not know Netty, files, clocks, threads or logs.
 */
@NullMarked
package io.dmodc.manager.core;

import org.jspecify.annotations.NullMarked;
