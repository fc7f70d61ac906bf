package io.dmodc.routing.explanation;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.explanation.RouteExplanation.Candidate;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All shortest legal paths with names, for people and programs.
 *
 * @param node index of the node
 * @param homeGuid switch it is cabled to; {@code null} where the index has no host at present, as the name is
 * @param engine whose tables are told beside
 * @param hops cables between switches on each path; {@code null} where there is none
 * @param paths how many there are
 * @param steps the switches on the way, by hop
 * @param text the same in lines for people
 */
public record AllPathsReport(
        String fromGuid,
        String fromName,
        int node,
        String nodeName,
        @Nullable String homeGuid,
        @Nullable String homeName,
        String engine,
        @Nullable Integer hops,
        BigInteger paths,
        List<Step> steps,
        List<String> text) {

    /**
     * One switch on the way.
     *
     * @param hop cables from the first switch
     * @param paths from here on
     * @param groups port groups that lead closer; none at the node's own switch
     * @param port what the table has; {@code null}: no route
     */
    public record Step(
            int hop,
            String guid,
            String name,
            BigInteger paths,
            List<ExplanationReport.Group> groups,
            @Nullable Integer port) {}

    /** Tells paths beside what the tables of an engine have at each switch. */
    public static AllPathsReport of(FabricView view, AllPaths all, String engine, LftSet tables) {
        boolean homed = all.home() >= 0;
        List<Step> steps = all.steps().stream()
                .map(step -> step(view, step, tables.port(step.s(), all.node())))
                .toList();
        return new AllPathsReport(
                Guid.format(view.switchGuid(all.from())),
                Names.ofSwitch(view, all.from()),
                all.node(),
                Names.ofNode(view, all.node()),
                homed ? Guid.format(view.switchGuid(all.home())) : null,
                homed ? Names.ofSwitch(view, all.home()) : null,
                engine,
                all.hops() < 0 ? null : all.hops(),
                all.paths(),
                steps,
                text(view, all, engine, steps));
    }

    private static Step step(FabricView view, AllPaths.Step step, int port) {
        return new Step(
                step.hop(),
                Guid.format(view.switchGuid(step.s())),
                Names.ofSwitch(view, step.s()),
                step.paths(),
                step.candidates().stream().map(each -> group(view, each)).toList(),
                port == LftSet.NO_ROUTE ? null : port);
    }

    private static ExplanationReport.Group group(FabricView view, Candidate candidate) {
        return new ExplanationReport.Group(
                Guid.format(view.switchGuid(candidate.remote())),
                Names.ofSwitch(view, candidate.remote()),
                candidate.ports());
    }

    private static List<String> text(FabricView view, AllPaths all, String engine, List<Step> steps) {
        String ends = Names.ofSwitch(view, all.from()) + " to " + Names.ofNode(view, all.node());
        if (steps.isEmpty()) {
            return List.of(ends + ": no legal path" + (all.home() < 0 ? ", the node is not there" : ""));
        }
        List<String> lines = new ArrayList<>();
        lines.add(ends + " at " + Names.ofSwitch(view, all.home()) + ": " + count(all.paths(), "shortest legal path")
                + " of " + count(BigInteger.valueOf(all.hops()), "cable") + ", " + engine + "'s port in brackets");
        for (Step step : steps) {
            String ways = step.groups().stream().map(AllPathsReport::way).collect(Collectors.joining(", "));
            lines.add("hop " + step.hop() + "  " + step.name() + ": "
                    + (step.groups().isEmpty() ? "the node is here" : ways) + " ["
                    + (step.port() == null ? "no route" : step.port()) + "]"
                    + (step.groups().isEmpty() ? "" : ", " + count(step.paths(), "path")));
        }
        return lines;
    }

    private static String way(ExplanationReport.Group group) {
        return (group.ports().size() == 1 ? "port " : "ports ")
                + group.ports().stream().map(String::valueOf).collect(Collectors.joining(" ")) + " to " + group.name();
    }

    private static String count(BigInteger count, String what) {
        return count + " " + what + (count.equals(BigInteger.ONE) ? "" : "s");
    }
}
