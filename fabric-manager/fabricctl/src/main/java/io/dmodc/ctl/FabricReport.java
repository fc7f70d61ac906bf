package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.LinkRates;
import io.dmodc.topology.ibnet.ImportSummary;
import io.dmodc.topology.rates.SlowLinks;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A fabric in numbers; the JSON of {@code topology show}.
 *
 * @param parts switches of each part of the fabric, where there are several that were never cabled together; left out else
 * @param levels from rank 0, the leaves, upwards
 * @param unrankedSwitches switches that no leaf reaches
 * @param cablesInsideRanks cables between switches of the same rank, which no legal path uses
 * @param cablesAcrossRanks cables between ranks that are not neighbours, which no legal path uses
 * @param upperSwitchesWithHosts switches above the leaves that have hosts
 * @param slowLinks links between switches slower than most of the same two ranks
 * @param imported what was taken from the file and what was not
 */
record FabricReport(
        int switches,
        int leaves,
        int hostPorts,
        int cables,
        @Nullable List<Integer> parts,
        List<Level> levels,
        int unrankedSwitches,
        int cablesInsideRanks,
        int cablesAcrossRanks,
        List<UpperSwitch> upperSwitchesWithHosts,
        List<SlowRanks> slowLinks,
        ImportSummary imported) {

    /** All switches of one rank; cables, hosts and ports counted over all of them. */
    record Level(int rank, int switches, int hosts, Spread up, Spread down, Spread hostsEach) {}

    /** How many a single switch of a level has. */
    record Spread(int least, int most, int total) {
        static Spread of(List<Integer> counts) {
            return new Spread(
                    counts.stream().mapToInt(Integer::intValue).min().orElse(0),
                    counts.stream().mapToInt(Integer::intValue).max().orElse(0),
                    counts.stream().mapToInt(Integer::intValue).sum());
        }
    }

    record UpperSwitch(String guid, String name, int rank, int hosts) {}

    static FabricReport of(FabricView view, ImportSummary imported, LinkRates rates) {
        int[] hosts = view.hostsOfSwitches();
        List<Level> levels = new ArrayList<>();
        for (int rank = 0; rank <= view.rankMax(); rank++) {
            levels.add(level(view, rank, hosts));
        }
        int[] odd = oddCables(view);
        return new FabricReport(
                view.switchCount(),
                view.leafCount(),
                view.hostCount(),
                view.linkCount(),
                SeparateParts.sizes(view),
                levels,
                ranked(view, FabricView.UNRANKED).size(),
                odd[0],
                odd[1],
                upperSwitches(view, hosts),
                SlowRanks.of(view, SlowLinks.of(view, rates)),
                imported);
    }

    private static List<Integer> ranked(FabricView view, int rank) {
        List<Integer> switches = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.rank(s) == rank) {
                switches.add(s);
            }
        }
        return switches;
    }

    private static Level level(FabricView view, int rank, int[] hosts) {
        List<Integer> switches = ranked(view, rank);
        Spread hostsEach = Spread.of(switches.stream().map(s -> hosts[s]).toList());
        return new Level(
                rank,
                switches.size(),
                hostsEach.total(),
                Spread.of(switches.stream().map(s -> cables(view, s, 1)).toList()),
                Spread.of(switches.stream().map(s -> cables(view, s, -1)).toList()),
                hostsEach);
    }

    private static int cables(FabricView view, int s, int step) {
        int cables = 0;
        for (int group = view.groupStart(s); group < view.groupEnd(s); group++) {
            cables += view.rank(view.groupRemote(group)) == view.rank(s) + step ? view.groupSize(group) : 0;
        }
        return cables;
    }

    /** Cables inside a rank, and cables across more than one. */
    private static int[] oddCables(FabricView view) {
        int[] ends = new int[2];
        for (int s = 0; s < view.switchCount(); s++) {
            for (int group = view.groupStart(s); group < view.groupEnd(s); group++) {
                int distance = Math.abs(view.rank(view.groupRemote(group)) - view.rank(s));
                if (distance != 1) {
                    ends[Math.min(distance, 1)] += view.groupSize(group);
                }
            }
        }
        return new int[] {ends[0] / 2, ends[1] / 2};
    }

    private static List<UpperSwitch> upperSwitches(FabricView view, int[] hosts) {
        List<UpperSwitch> upper = new ArrayList<>();
        for (int target = view.leafCount(); target < view.hostTargetCount(); target++) {
            int s = view.targetSwitch(target);
            upper.add(new UpperSwitch(Guid.format(view.switchGuid(s)), view.switchName(s), view.rank(s), hosts[s]));
        }
        return upper;
    }
}
