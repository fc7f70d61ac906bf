/**
 * The part of {@code fabricctl} that asks a running manager over REST.
 *
 * <p>Entry points: one class a command ({@link io.dmodc.ctl.client.StatusCommand} and so on), all children of
 * {@link io.dmodc.ctl.client.ManagerCommand}. The shapes of the answers are in {@code docs/openapi.yaml}; they are read
 * as trees, so that a newer manager may say more than this client knows. Must not know the daemon's code.
 */
@NullMarked
package io.dmodc.ctl.client;

import org.jspecify.annotations.NullMarked;
