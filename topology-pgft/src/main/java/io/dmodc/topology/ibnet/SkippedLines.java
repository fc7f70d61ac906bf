package io.dmodc.topology.ibnet;

import io.dmodc.topology.ibnet.ImportSummary.SkippedLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Counts the lines that could not be used and keeps those that stand first in the file, with the reasons. */
final class SkippedLines {
    private final PriorityQueue<SkippedLine> first =
            new PriorityQueue<>(Comparator.comparingInt(SkippedLine::line).reversed());
    private int count;

    void add(int line, String reason) {
        count++;
        first.add(new SkippedLine(line, reason));
        if (first.size() > ImportSummary.SKIPPED_KEPT) {
            first.remove();
        }
    }

    int count() {
        return count;
    }

    List<SkippedLine> first() {
        List<SkippedLine> sorted = new ArrayList<>(first);
        sorted.sort(Comparator.comparingInt(SkippedLine::line));
        return sorted;
    }
}
