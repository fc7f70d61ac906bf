package io.dmodc.manager.core;

import io.dmodc.routing.LftRow;

/**
 * A table that a switch is given in a change.
 *
 * @param round from 1
 * @param row shared: read only
 * @param digest of the row
 */
public record PlannedTable(int round, LftRow row, long digest) {}
