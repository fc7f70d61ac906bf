/**
 * A forwarding plane that is the Linux kernel: an entry is a route of one host, a port is a network interface, and cables are found out
 * by what comes over them.
 *
 * <p>Entry points: {@link io.dmodc.agent.linux.LinuxPlane} (writes what is to be in force, and moves the entries of a dead port to
 * other ports by itself, as its neighbours do with what it withdraws), {@link io.dmodc.agent.linux.Cabling} (who is at the far ends of the ports) and
 * {@link io.dmodc.agent.linux.AnnouncedCabling} (which finds it out over the cables). docs/linux-plane.md tells what it does with
 * the kernel. May depend on {@link io.dmodc.agent.plane}, the protocol's constants, topology and Jackson; knows no session, no manager,
 * no settings and no Netty. {@code ip} is the only program it needs, besides a shell.
 */
@NullMarked
package io.dmodc.agent.linux;

import org.jspecify.annotations.NullMarked;
