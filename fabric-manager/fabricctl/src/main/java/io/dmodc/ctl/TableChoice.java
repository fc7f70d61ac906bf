package io.dmodc.ctl;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.RoutingResult.Unroutable;
import io.dmodc.routing.engines.Engines;
import io.dmodc.routing.opensm.OpenSmTables;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whose tables are looked at: those of an engine, or of a file. */
final class TableChoice {
    /** The engine of grids, whose tables are not by destination alone. */
    static final String VTFTR = "vtftr";

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            completionCandidates = EngineNames.class,
            description = "one of ${COMPLETION-CANDIDATES} (default: " + Engines.DEFAULT + "), or vtftr, for grids")
    private @Nullable String engine;

    @Option(names = "--lft", paramLabel = "LFT", description = "tables as OpenSM dumps them")
    private @Nullable String lft;

    /** Who made them: the engine, or the file they came from. */
    String name() {
        return lft == null ? engine() : lft;
    }

    /** The engine, or the option that says the tables are someone else's. */
    String maker() {
        return lft == null ? engine() : "--lft";
    }

    /** The tables asked for are those of VTFTR, which are not {@link #tables linear}. */
    boolean vtftr() {
        return lft == null && engine().equals(VTFTR);
    }

    /**
     * Makes or reads the tables.
     *
     * @param roots that may be named, of engines that ask for them
     * @param err hears remarks, and why no tables can be made
     * @param command its name, before that
     * @return {@code null} when no tables can be made
     * @throws IOException in one line that names the file
     * @throws IllegalArgumentException in one line, if there is no such engine or it misses something
     */
    @Nullable
    LftSet tables(Fabric fabric, RootsOption roots, Workers workers, PrintWriter err, String command)
            throws IOException {
        if (lft != null) {
            OpenSmTables read = TableFile.read(lft, fabric.view(), fabric.source());
            read.remarks(fabric.view()).forEach(err::println);
            return read.nodeTables();
        }
        RoutingEngine routing = Engines.named(engine(), fabric.design(), roots.read(fabric.view()));
        RoutingResult result =
                RootsOption.notForWantOfRoots(routing.name(), routing.route(fabric.view(), workers.parallel()));
        if (result instanceof Unroutable no) {
            err.println("fabricctl " + command + ": no tables: " + no.reason());
        }
        return result.tables();
    }

    private String engine() {
        return engine == null ? Engines.DEFAULT : engine.toLowerCase(Locale.ROOT);
    }
}
