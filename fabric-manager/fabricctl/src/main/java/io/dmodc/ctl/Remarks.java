package io.dmodc.ctl;

import io.dmodc.topology.ibnet.ImportSummary;
import io.dmodc.topology.ibnet.ImportSummary.SkippedLine;
import io.dmodc.topology.ibnet.LidMap;
import java.util.ArrayList;
import java.util.List;

/** What an operator should know of an import that did not take everything; nothing when it did. */
final class Remarks {
    private Remarks() {}

    /** At most one line a kind, for commands whose subject is something else. */
    static List<String> of(ImportSummary summary) {
        List<String> remarks = new ArrayList<>();
        if (summary.skippedLineCount() > 0) {
            SkippedLine first = summary.firstSkipped().get(0);
            remarks.add(summary.source() + ":" + first.line() + ": skipped: " + first.reason()
                    + (summary.skippedLineCount() > 1
                            ? " (and " + (summary.skippedLineCount() - 1) + " more, see 'fabricctl topology show')"
                            : ""));
        }
        if (summary.undescribedHostCount() > 0) {
            remarks.add(summary.source() + ": " + summary.undescribedHostCount()
                    + " hosts have no block of their own and were taken from their switches");
        }
        if (summary.unusableLidCount() > 0) {
            SkippedLine first = summary.firstUnusableLids().get(0);
            remarks.add(summary.source() + ":" + first.line() + ": " + first.reason() + " is no unicast address, 1.."
                    + LidMap.LID_MAX + "; taken as missing"
                    + (summary.unusableLidCount() > 1 ? " (and " + (summary.unusableLidCount() - 1) + " more)" : ""));
        }
        if (summary.openEnd()) {
            remarks.add(summary.source() + ": the last line has no line feed; taken as whole");
        }
        return remarks;
    }
}
