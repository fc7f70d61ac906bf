/**
 * Says of forwarding tables, whoever made them, whether packets arrive over minimal legal paths without
 * loop, down–up turn or deadlock, and names the leaves that no table can connect.
 *
 * <p>Entry points: {@link io.dmodc.routing.check.TableCheck}, {@link io.dmodc.routing.check.TableWatch},
 * {@link io.dmodc.routing.check.CheckReport}, {@link io.dmodc.routing.check.TableProperty}; {@link
 * io.dmodc.routing.check.ChannelUnion} where tables are mixed. May depend on
 * {@code io.dmodc.routing} and {@code io.dmodc.topology}; must not know any engine: a mistake shared with one would go
 * unnoticed.
 */
@NullMarked
package io.dmodc.routing.check;

import org.jspecify.annotations.NullMarked;
