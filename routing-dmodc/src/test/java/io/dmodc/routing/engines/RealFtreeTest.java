package io.dmodc.routing.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.ftree.Ftree;
import io.dmodc.routing.updown.RootGuids;
import io.dmodc.topology.FabricView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RealFtreeTest {
    @TempDir
    private Path directory = Path.of("");

    @BeforeAll
    static void needOpenSm() {
        assumeTrue(
                RealOpenSm.isInstalled(), "opensm and ibsim-utils are not installed: nothing to compare with, skipped");
    }

    @Test
    void explore() throws IOException {
        Map<TreeFabrics.Kind, int[]> seen = new EnumMap<>(TreeFabrics.Kind.class);
        long from = Long.getLong("ftree.from", 0);
        for (long seed = from; seed < from + Integer.getInteger("ftree.fabrics", 9); seed++) {
            TreeFabrics.Drawn drawn = TreeFabrics.draw(seed);
            FabricView view = drawn.view();
            int[] count = seen.computeIfAbsent(drawn.kind(), k -> new int[6]);
            Path sub = Files.createDirectory(directory.resolve("s" + seed));
            List<String> options = new ArrayList<>(List.of("-R", "ftree"));
            if (drawn.roots() != null) {
                options.addAll(List.of("-a", Files.write(sub.resolve("roots"), drawn.roots()).toString()));
            }
            RealOpenSm real;
            try {
                real = RealOpenSm.route(view, sub, options.toArray(String[]::new));
            } catch (Exception e) {
                System.out.println("seed " + seed + " " + drawn.kind() + ": no run: " + e);
                continue;
            }
            boolean accepted = Files.exists(sub.resolve("opensm-ftree-ca-order.dump"));
            Ftree engine = new Ftree(drawn.roots() == null ? null : RootGuids.parse("roots", drawn.roots()));
            RoutingResult ours = engine.route(view, Parallel.sequential());
            boolean ok = ours.tables() != null;
            count[0]++;
            count[accepted ? 1 : 2]++;
            if (accepted != ok) {
                count[3]++;
                System.out.println("seed " + seed + " " + drawn.kind() + ": accepted " + accepted + " ours " + ours);
                Files.readAllLines(sub.resolve("osm.log")).stream().filter(l -> l.contains("ftree") || l.contains("ERR AB") || l.contains("fabric_") || l.contains("construct")).limit(6).forEach(System.out::println);
                continue;
            }
            if (!ok) {
                continue;
            }
            int bad = differing(view, real, Objects.requireNonNull(ours.tables()), real.tables().nodeTables());
            int badSwitch = differing(view, real, engine.routeSwitches(view, Parallel.sequential()), real.tables().switchTables());
            count[4] += bad > 0 ? 1 : 0;
            count[5] += badSwitch > 0 ? 1 : 0;
            if (bad + badSwitch > 0) {
                System.out.println("seed " + seed + " " + drawn.kind() + ": differ nodes " + bad + " switches " + badSwitch + " of " + view.switchCount() + "x" + view.nodeCount());
            }
        }
        seen.forEach((k, c) -> System.out.printf("%s: %d runs, %d accepted, %d refused, %d verdict differs, %d node tables differ, %d switch tables differ%n", k, c[0], c[1], c[2], c[3], c[4], c[5]));
    }

    private static int differing(FabricView view, RealOpenSm real, LftSet ours, LftSet theirs) {
        int bad = 0;
        for (int s = 0; s < ours.switchCount(); s++) {
            if (!real.hops().containsKey(view.switchGuid(s))) {
                continue;
            }
            for (int d = 0; d < ours.entryCount(); d++) {
                bad += ours.port(s, d) != theirs.port(s, d) ? 1 : 0;
            }
        }
        return bad;
    }
}
