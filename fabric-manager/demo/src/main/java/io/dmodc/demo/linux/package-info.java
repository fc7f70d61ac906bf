/**
 * A fabric of Linux: a network namespace is a switch or a host, a pair of interfaces a cable, and packets really flow.
 *
 * <p>Entry point: {@link io.dmodc.demo.linux.LinuxDemo}. {@link io.dmodc.demo.linux.NamespaceFabric} builds it and removes it,
 * {@link io.dmodc.demo.linux.FaultInjector} breaks it, {@link io.dmodc.demo.linux.Probes} measures with real packets what is lost, and
 * {@link io.dmodc.demo.linux.FabricProcesses} runs a manager and an agent for each switch. May know what {@code io.dmodc.demo}
 * may, and nothing of that package.
 */
@NullMarked
package io.dmodc.demo.linux;

import org.jspecify.annotations.NullMarked;
