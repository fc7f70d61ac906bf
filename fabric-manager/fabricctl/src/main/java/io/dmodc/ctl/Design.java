package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.design.DesignReport;
import io.dmodc.topology.design.LevelPlacement;
import io.dmodc.topology.design.PartDesign;
import io.dmodc.topology.design.SwitchLevels;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The options that say how a fabric was meant to be, of all commands that load one: its shape, or the level of each
 * switch.
 *
 * <p>Without them levels are hops to the nearest leaf, as in the paper; then a switch that lost all cables to the leaves
 * floats up and turns its links around. With them it stays where it belongs, as with a manager that has the same
 * {@code topology.design}.
 */
final class Design {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--design",
            paramLabel = "SPEC",
            description =
                    "PGFT the fabric was built as, h;m1,..,mh;w1,..,wh;p1,..,ph: switches keep its levels whatever"
                            + " is lost; engine dmodk needs it")
    private @Nullable String design;

    @Option(
            names = "--levels",
            paramLabel = "F",
            description = "levels that switches keep, lines 'guid level', 0 for leaves; they win over --design")
    private @Nullable String levelsFile;

    /** True if any of the options is there. */
    boolean given() {
        return design != null || levelsFile != null;
    }

    /**
     * The shape that was given, or else the one the fabric was generated from.
     *
     * @throws IllegalArgumentException in one line, if it is no PGFT
     */
    @Nullable
    PgftShape shape(Source source) {
        return design == null ? source.design() : PgftShape.parse(design);
    }

    /**
     * Draws a fabric by the levels that were given, and says on standard error what does not fit them.
     *
     * @param hops the same fabric drawn without known levels
     * @param nodes indices of its hosts
     * @return {@code hops} if no levels were given
     * @throws IOException in one line, if the file of levels cannot be read
     * @throws IllegalArgumentException in one line, if it is malformed, or the fabric was not built as designed
     */
    FabricView draw(FabricViewBuilder fabric, FabricView hops, NodeIndexMap nodes) throws IOException {
        if (!given()) {
            return hops;
        }
        GuidNumbers levels = new GuidNumbers();
        if (design != null) {
            levels = SwitchLevels.of(hops, designed(fabric, hops, PgftShape.parse(design)));
        }
        if (levelsFile != null) {
            GuidNumbers read = GuidNumbers.parse(levelsFile, MapFile.existing(levelsFile, "guid level"));
            read.forEach(levels::put);
            remark(levelsFile, unknown(hops, read));
        }
        FabricView view = fabric.build(hops.epoch(), nodes, levels);
        remark(levelsFile == null ? "--design " + design : levelsFile, contradicted(view));
        return view;
    }

    /** Levels by the design of each part. */
    private GuidNumbers designed(FabricViewBuilder fabric, FabricView hops, PgftShape shape) {
        GuidNumbers levels = new GuidNumbers();
        int differences = 0;
        String first = "";
        List<PartDesign> parts = PartDesign.of(fabric, hops, shape);
        for (int i = 0; i < parts.size(); i++) {
            FabricView part = parts.get(i).part();
            DesignReport report = Objects.requireNonNull(parts.get(i).report());
            String which = parts.size() == 1
                    ? "the fabric"
                    : "part " + (i + 1) + " of " + parts.size() + ", with " + part.switchCount() + " switches";
            SwitchLevels.misfit(part, report).ifPresent(why -> {
                throw new IllegalArgumentException("--design " + shape + " does not fit " + which + ": " + why + "; "
                        + differences(report.deviationCount(), firstOf(report)));
            });
            report.levels().forEach(levels::put);
            first = differences == 0 ? firstOf(report) : first;
            differences += report.deviationCount();
        }
        remark("--design " + shape, differences == 0 ? Optional.empty() : Optional.of(differences(differences, first)));
        return levels;
    }

    private static String firstOf(DesignReport report) {
        return report.asDesigned() ? "" : report.deviations().get(0).text();
    }

    private static String differences(int count, String first) {
        return count
                + (count == 1 ? " difference" : " differences")
                + (count == 0 ? "" : ", the first: " + first + "; 'fabricctl topology verify --design' names them");
    }

    private static Optional<String> unknown(FabricView view, GuidNumbers levels) {
        List<Long> unknown = new ArrayList<>();
        levels.forEach((guid, level) -> {
            if (view.switchOf(guid) < 0) {
                unknown.add(guid);
            }
        });
        return unknown.isEmpty()
                ? Optional.empty()
                : Optional.of("no switch of the fabric has GUID " + Remarks.firstOf(unknown));
    }

    private static Optional<String> contradicted(FabricView view) {
        int cables = LevelPlacement.contradictions(view, Inputs.levels(view));
        return cables == 0
                ? Optional.empty()
                : Optional.of(cables + (cables == 1 ? " cable does" : " cables do")
                        + " not lead one level up or down, and no route uses them");
    }

    private void remark(String about, Optional<String> remark) {
        remark.ifPresent(text -> spec.commandLine().getErr().println(about + ": " + text));
    }
}
