package io.dmodc.topology.ibnet;

import java.util.List;

/**
 * What a reader took from a file and what it left.
 *
 * @param source name of the file
 * @param switchCount switches
 * @param hostCount adapters, aggregation nodes not counted
 * @param hostPortCount ports of adapters cabled to a switch
 * @param cableCount cables between two different switches
 * @param aggregationNodeCount adapters inside switches (SHARP): destinations, and no hosts
 * @param completedEndCount cable ends the file did not name, taken from the other end
 * @param loopBackCount cables from a switch to itself, left out
 * @param undescribedHostCount hosts that only their switches mention; the file may have been cut off after the switches
 * @param openEnd the last line has no line feed; it was whole enough to be taken
 * @param unusableLidCount switches and host ports with an address above {@link LidMap#LID_MAX}, as ports have that are
 *     not up; taken as missing
 * @param firstUnusableLids the first of them, at most {@link #SKIPPED_KEPT}
 * @param skippedLineCount lines that could not be used
 * @param firstSkipped the first of them, at most {@link #SKIPPED_KEPT}
 */
public record ImportSummary(
        String source,
        int switchCount,
        int hostCount,
        int hostPortCount,
        int cableCount,
        int aggregationNodeCount,
        int completedEndCount,
        int loopBackCount,
        int undescribedHostCount,
        boolean openEnd,
        int unusableLidCount,
        List<SkippedLine> firstUnusableLids,
        int skippedLineCount,
        List<SkippedLine> firstSkipped) {
    /** How many lines of a kind are kept with their reasons. */
    public static final int SKIPPED_KEPT = 20;

    public ImportSummary {
        firstUnusableLids = List.copyOf(firstUnusableLids);
        firstSkipped = List.copyOf(firstSkipped);
    }

    /** A line that could not be used, or not all of it, numbered from 1. */
    public record SkippedLine(int line, String reason) {}
}
