package io.dmodc.ctl;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Unroutable;
import io.dmodc.routing.engines.Engines;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say which engine makes tables, of all commands that can be given no others. */
final class EngineChoice {
    @Option(
            names = "--engine",
            paramLabel = "NAME",
            defaultValue = Engines.DEFAULT,
            completionCandidates = EngineNames.class,
            description = "what makes tables: one of ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private String engine = "";

    @Mixin
    private RootsOption roots = new RootsOption();

    String name() {
        return engine.toLowerCase(Locale.ROOT);
    }

    /**
     * Finds it.
     *
     * @param design what the fabric was built as, if that is known
     * @param view whose roots may be named
     * @throws IOException in one line, if the file of roots cannot be read
     * @throws IllegalArgumentException in one line, if there is no such engine or it misses something
     */
    RoutingEngine engine(@Nullable PgftShape design, FabricView view) throws IOException {
        return Engines.named(name(), design, roots.read(view));
    }

    /**
     * Its tables.
     *
     * @throws IllegalArgumentException in one line, if it makes none
     */
    static LftSet tables(RoutingEngine engine, FabricView view, Parallel parallel) {
        RoutingResult result = RootsOption.notForWantOfRoots(engine.name(), engine.route(view, parallel));
        if (result instanceof Unroutable no) {
            throw new IllegalArgumentException("engine " + engine.name() + " makes no tables: " + no.reason());
        }
        return Objects.requireNonNull(result.tables());
    }
}
