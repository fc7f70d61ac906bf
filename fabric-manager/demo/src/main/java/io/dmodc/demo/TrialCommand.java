package io.dmodc.demo;

import io.dmodc.agent.plane.Cable;
import io.dmodc.detector.acceptance.AcceptanceRow;
import io.dmodc.detector.acceptance.AcceptanceRow.Verdict;
import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.service.FabricManager;
import io.dmodc.settings.cli.AddedCommand;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code fabric-manager trial}: the rows of the detector's acceptance table that need a manager, measured on a fabric like
 * the demonstration's.
 */
@Command(
        name = "trial",
        hidden = true,
        description = {
            "Measures link events (A13) and headless switches (A14) on a fabric on this machine, in this process;",
            "link events also between processes in network namespaces of their own, where that is permitted.",
            "Prints one JSON line per figure; exit code 0 only if all bounds held."
        })
public final class TrialCommand implements AddedCommand {
    @Option(
            names = "--pgft",
            paramLabel = "SPEC",
            description = "Shape, at least 3 levels (default: ${DEFAULT-VALUE}).")
    private String pgft = "3;4,6,8;1,4,4;1,1,2";

    @Option(names = "--cuts", paramLabel = "N", description = "Cables to cut (default: ${DEFAULT-VALUE}).")
    private int cuts = 200;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "How long the cable flaps, ten times a second (default: ${DEFAULT-VALUE}).")
    private int seconds = 60;

    @Option(names = "--agents", paramLabel = "N", description = "Agents to lose (default: ${DEFAULT-VALUE}).")
    private int agents = 10;

    @Option(names = "--seed", paramLabel = "N", description = "Order of the cables (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Override
    public Integer call() throws Exception {
        atLeast("--cuts", cuts, 1);
        atLeast("--seconds", seconds, 1);
        atLeast("--agents", agents, 2);
        FabricViewBuilder cabling = PgftGenerator.generate(PgftShape.parse(pgft));
        FabricView view = cabling.build(0, new NodeIndexMap(), new GuidNumbers());
        Path state = Files.createTempDirectory("fabric-trial");
        ManagerConfig config = DemoCommand.config(state, view.switchCount());
        DemoKeys keys = DemoKeys.make(true);
        try (FabricManager manager = new FabricManager(config, DemoCommand.guids(view), keys.ofManager());
                DemoFabric fabric = new DemoFabric(cabling, view, manager.southboundAddress(), keys)) {
            long suspicionNanos = config.detector().suspicion().toNanos();
            return measure(manager, fabric, view, suspicionNanos) ? 0 : 1;
        } catch (DemoFailure e) {
            System.err.println("fabric-manager: " + e.getMessage());
            return 1;
        } finally {
            DemoCommand.delete(state);
        }
    }

    private static void atLeast(String option, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(option + " " + value + ": expected " + least + " or more");
        }
    }

    private boolean measure(FabricManager manager, DemoFabric fabric, FabricView view, long suspicionNanos)
            throws DemoFailure, IOException {
        DemoObserver observer = new DemoObserver(manager);
        fabric.startAgents();
        observer.await("all agents start", state -> isWhole(state, view));
        observer.awaitWarm();
        LinkTrial links = new LinkTrial(fabric, observer, manager.eventLog(), cables(fabric, view), seed);
        boolean held = print(links.run(cuts, seconds));
        HeadlessTrial headless = new HeadlessTrial(fabric, observer, manager.eventLog(), upper(view), suspicionNanos);
        held &= print(headless.run());
        return print(NamespaceTrial.run(cuts)) && held;
    }

    private static boolean isWhole(FabricSnapshot state, FabricView view) {
        FabricView drawn = state.view();
        return drawn != null && drawn.linkCount() == view.linkCount() && state.tables() != null;
    }

    private static boolean print(List<AcceptanceRow> rows) {
        rows.forEach(row -> System.out.println(row.toJson()));
        return rows.stream().allMatch(row -> row.verdict() == Verdict.PASS);
    }

    private static List<Cable> cables(DemoFabric fabric, FabricView view) {
        Set<Cable> cables = new LinkedHashSet<>();
        for (int s = 0; s < view.switchCount(); s++) {
            cables.addAll(fabric.linksOf(view.switchGuid(s)));
        }
        return List.copyOf(cables);
    }

    private List<Long> upper(FabricView view) {
        List<Long> upper = new ArrayList<>();
        for (int s = 0; s < view.switchCount() && upper.size() < agents; s++) {
            if (view.rank(s) > 0) {
                upper.add(view.switchGuid(s));
            }
        }
        return upper;
    }
}
