package io.dmodc.ctl;

import io.dmodc.topology.Guid;
import io.dmodc.topology.ibnet.ImportSummary;
import io.dmodc.topology.ibnet.ImportSummary.SkippedLine;
import io.dmodc.topology.ibnet.LidMap;
import java.util.ArrayList;
import java.util.List;

/** What an operator should know of input that was not taken as it is; nothing when it was. */
final class Remarks {
    private Remarks() {}

    /** Of an import: at most one line a kind, for commands whose subject is something else. */
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
                    + LidMap.LID_MAX + "; taken as missing" + andMore(summary.unusableLidCount()));
        }
        if (summary.openEnd()) {
            remarks.add(summary.source() + ": the last line has no line feed; taken as whole");
        }
        return remarks;
    }

    /** The first of some GUIDs, and how many there are beside it. */
    static String firstOf(List<Long> guids) {
        return Guid.format(guids.get(0)) + andMore(guids.size());
    }

    private static String andMore(int count) {
        return count > 1 ? " (and " + (count - 1) + " more)" : "";
    }
}
