package io.dmodc.routing.vtftr;

/** Which leaves a root may send a packet to when the one it should go to is dead. */
public enum SpareMode {
    /** Lines of the other kind without any fault, whatever the destination: the paper's masks (section 2.1). */
    PAPER,
    /** Those from which the destination's line is reached without a fault: one mask for each pair of lines. */
    PAIRWISE
}
