package io.dmodc.routing.check;

/** What to make of an entry that points to a live link though no legal path leads to its destination from there. */
public enum SurplusEntryRule {
    /** It breaks {@link TableProperty#LIVE_ENTRIES}: strict up–down engines leave it out. */
    FORBIDDEN,
    /**
     * It is only counted. Formula (1) as printed and OpenSM's engines write such entries, and rows not yet replaced
     * keep them.
     */
    NOTED
}
