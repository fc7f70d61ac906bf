/**
 * The manager's settings: what {@code fabric-manager.yaml} may say, its defaults and ranges.
 *
 * <p>Entry point: {@link io.dmodc.manager.config.ManagerConfig}. May depend on {@code io.dmodc.settings} and on the rules of
 * the core; must not know sockets.
 */
@NullMarked
package io.dmodc.manager.config;

import org.jspecify.annotations.NullMarked;
