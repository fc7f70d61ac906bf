package io.dmodc.agent.linux;

import io.dmodc.southbound.TableVersion;

/**
 * The table that the kernel was given, and what its entries stand for. Nobody changes any of it.
 *
 * @param version who decided it
 * @param entries output port by index, 255: no route
 * @param moves by index where a repair leads it instead, 255: as the entry says; the entry's own port: that carries nothing, and there is no other
 * @param addresses by index, as they were written
 */
record HeldTable(TableVersion version, byte[] entries, byte[] moves, RouteAddress[][] addresses) {}
