/**
 * The protocol between manager and agents: frames on TCP, their bounds and checks, and the difference form of tables.
 *
 * <p>Entry points: {@link io.dmodc.southbound.SouthboundPipeline} (frames on a Netty channel),
 * {@link io.dmodc.southbound.RunEncoder} (tables into pushes), {@link io.dmodc.southbound.TableCodec} (pushes into
 * tables) and {@link io.dmodc.southbound.TableDigest}, {@link io.dmodc.southbound.Alternatives} (the second kind of table), {@link io.dmodc.southbound.ListEdit} and
 * {@link io.dmodc.southbound.MembershipDigest} (memberships as differences), {@link io.dmodc.southbound.HelloCheck} and its siblings
 * (ranges), {@link io.dmodc.southbound.Transport} (epoll or NIO). {@code docs/southbound-protocol.md} tells the same
 * for people who write an agent in another language.
 *
 * <p>May depend on Netty and protobuf. Knows neither the daemon nor the agent, no routing and no topology: a table is
 * bytes, a switch a GUID.
 */
@NullMarked
package io.dmodc.southbound;

import org.jspecify.annotations.NullMarked;
