package io.dmodc.ctl;

import io.dmodc.topology.ibnet.ImportSummary;
import io.dmodc.topology.ibnet.ImportSummary.SkippedLine;
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
        return remarks;
    }
}
