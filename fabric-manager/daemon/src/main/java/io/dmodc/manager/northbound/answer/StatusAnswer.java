package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.congestion.CongestionHistory;
import io.dmodc.manager.core.Alarm;
import io.dmodc.manager.core.EpochRecord;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchCounts;
import io.dmodc.manager.core.Totals;
import io.dmodc.manager.northbound.answer.DownCables.DownHost;
import io.dmodc.topology.FabricView;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The fabric on one page.
 *
 * @param role {@code leading}, or {@code deposed} once another manager took over: tables are computed and not pushed
 * @param epoch number of the last view drawn
 * @param discovering true until enough switches came in after a start for the first tables to be computed
 * @param computing true while tables of {@code epoch} are being computed
 * @param nodes size of the destination index space
 * @param outstanding switches that can be told and do not hold what they should
 * @param cutOff names of the leaves that some other leaf cannot reach
 * @param withoutPath pairs of switches with hosts, one or both above the leaves, without a path; left out where there are none
 * @param ring the heartbeat ring of agents and manager
 * @param alarms what needs a person now, those left out that another alarm explains or that somebody takes care of
 * @param alarmsBySeverity the same, by severity
 * @param acknowledged alarms that somebody takes care of, those left out that another alarm explains
 * @param lastEpoch left out before the first
 * @param intent what operators want to hold
 * @param congestion of the newest epoch of which it was measured; left out before the first
 */
public record StatusAnswer(
        String version,
        double uptimeSeconds,
        long leaderEpoch,
        String role,
        long epoch,
        boolean discovering,
        boolean computing,
        Switches switches,
        Agents agents,
        Links links,
        Hosts hosts,
        int nodes,
        int outstanding,
        List<String> cutOff,
        @Nullable String withoutPath,
        Ring ring,
        int alarms,
        Map<String, Integer> alarmsBySeverity,
        int acknowledged,
        @Nullable EpochAnswer lastEpoch,
        IntentAnswer intent,
        @Nullable CongestionAnswer congestion) {
    static final int DOWN_NAMES_MAX = 20;

    /**
     * Switches: those that came in since the start by condition, and those that should be there by how they are.
     *
     * @param unproved of the headless ones, not shown to forward: no plane carries hellos through them, or none came back
     * @param live routes may lead through them, with an agent or without
     * @param held headless and routed around, because the table they hold does not fit
     * @param drained of the expected ones, drained by operators, live or not
     * @param unattached came in, and nothing ties them to the fabric; among none of the others
     */
    public record Switches(
            int total,
            int connected,
            int headless,
            int unproved,
            int dead,
            int expected,
            int live,
            int down,
            int held,
            int drained,
            int unattached) {}

    /**
     * Hosts that should be there.
     *
     * @param held up on the metal, and not believed yet because they flapped
     * @param downNames of those that are down or held, the first {@value #DOWN_NAMES_MAX}
     */
    public record Hosts(int expected, int live, int down, int held, List<String> downNames) {}

    /**
     * Agents of these switches.
     *
     * @param silent connected, and found silent by the ring
     * @param flagged left all pushes of a table unanswered
     */
    public record Agents(int connected, int silent, int flagged) {}

    /**
     * Cables between switches that should be there.
     *
     * @param held up on the metal, and kept out of the routes because they flapped
     * @param drained of the expected ones, drained by operators, themselves or a switch at one end, live or not
     * @param heldDownPorts ports that are up on the metal but kept out of the routes because they flapped
     * @param flaps how often a cable went down after it had been up, since the start; once for both ends
     */
    public record Links(int expected, int live, int down, int held, int drained, int heldDownPorts, long flaps) {}

    /**
     * The heartbeat ring.
     *
     * @param epoch of the membership, 0 before the first
     * @param sharingNeighbours ring neighbours that share a failure domain, counted once for each kind they share
     * @param longestRuns for each kind of failure domain
     */
    public record Ring(long epoch, int members, int sharingNeighbours, List<Run> longestRuns) {}

    /** Ring neighbours in a row that are in one failure domain; a length of 1 is as it should be. */
    public record Run(String kind, String domain, int length) {}

    /** Of a moment: O(open alarms). */
    public static StatusAnswer of(
            FabricSnapshot fabric, CongestionHistory congestion, String version, double uptimeSeconds) {
        Switches switches = switches(fabric);
        SwitchCounts counts = fabric.counts();
        EpochRecord last = fabric.lastEpoch();
        FabricView view = fabric.view();
        Totals links = fabric.linkTotals();
        List<Alarm> alone = fabric.alarms().stream()
                .filter(alarm -> fabric.parentOf(alarm) == null)
                .toList();
        Map<String, Integer> alarms = open(alone);
        int open = alarms.values().stream().mapToInt(Integer::intValue).sum();
        return new StatusAnswer(
                version,
                uptimeSeconds,
                fabric.leaderEpoch(),
                fabric.deposed() ? "deposed" : "leading",
                fabric.epoch(),
                fabric.discovering(),
                fabric.computing(),
                switches,
                new Agents(counts.agents(), counts.silent(), counts.flagged()),
                new Links(
                        links.expected(),
                        links.live(),
                        links.down(),
                        links.held(),
                        fabric.drainedLinks(),
                        fabric.heldDownCount(),
                        fabric.linkFlaps()),
                hosts(fabric),
                view == null ? 0 : view.nodeCount(),
                fabric.outstanding(),
                fabric.cutOff(),
                fabric.withoutPath().isEmpty() ? null : fabric.withoutPath(),
                ring(fabric),
                open,
                alarms,
                alone.size() - open,
                last == null ? null : EpochAnswer.of(last, null),
                IntentAnswer.of(fabric.intent()),
                CongestionAnswer.of(congestion.latest()));
    }

    private static Ring ring(FabricSnapshot fabric) {
        return new Ring(
                fabric.membership().epoch(),
                fabric.membership().members().size(),
                fabric.ringViolations().size(),
                fabric.ringWorstRuns().stream()
                        .map(run -> new Run(run.kind(), run.domain(), run.length()))
                        .toList());
    }

    private static Switches switches(FabricSnapshot fabric) {
        Totals totals = fabric.switchTotals();
        SwitchCounts counts = fabric.counts();
        return new Switches(
                fabric.switchCount(),
                counts.connected(),
                counts.headless(),
                counts.unproved(),
                counts.dead(),
                totals.expected(),
                totals.live(),
                totals.down(),
                totals.held(),
                fabric.drainedSwitches(),
                fabric.unattached().size());
    }

    private static Hosts hosts(FabricSnapshot fabric) {
        Totals totals = fabric.hostTotals();
        List<String> names = DownCables.of(fabric).hosts().stream()
                .sorted(Comparator.comparingInt(DownHost::index))
                .limit(DOWN_NAMES_MAX)
                .map(host -> host.host().name())
                .toList();
        return new Hosts(totals.expected(), totals.live(), totals.down(), totals.held(), names);
    }

    /** By severity, those that somebody takes care of left out. */
    private static Map<String, Integer> open(List<Alarm> alone) {
        Map<String, Integer> counts = new TreeMap<>();
        for (Alarm alarm : alone) {
            if (alarm.acknowledgement() == null) {
                counts.merge(EnumWords.of(alarm.kind().severity()), 1, Integer::sum);
            }
        }
        return counts;
    }
}
