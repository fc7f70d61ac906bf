package io.dmodc.manager.core;

/**
 * How many of one sort of thing there should be, and how they are. The last three add up to the first.
 *
 * @param expected have worked and were not forgotten
 * @param live carry traffic now
 * @param down do not
 * @param held could, and are kept out of the routes: they flapped, or hold a table that does not fit
 */
public record Totals(int expected, int live, int down, int held) {
    static Totals of(int expected, int down, int held) {
        return new Totals(expected, expected - down - held, down, held);
    }
}
