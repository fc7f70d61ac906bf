package io.dmodc.routing.vtftr.traffic;

/** How packets go round a dead leaf. */
public enum DetourChoice {
    /** As the tables of VTFTR say: over the other corner if it is alive, else over a spare that is drawn at random. */
    RANDOM,
    /**
     * Always row first, and from a dead corner over one spare for all packets: the next live one in the row's order. A
     * stand-in for the paper's algorithm A, whose source (reference 30) we do not have; the paper charges four routings
     * to it, here it takes three.
     */
    FIXED
}
